//! Gemma 4.

use super::*;

const BOS: &str = "<bos>";
const START: &str = "<|turn>";
const END: &str = "<turn|>";
const CHANNEL: &str = "<|channel>";
const CHANNEL_END: &str = "<channel|>";
const CALL: &str = "<|tool_call>";
const CALL_END: &str = "<tool_call|>";
const RESULT: &str = "<|tool_response>";
const RESULT_END: &str = "<tool_response|>";
/// Turns reasoning on.
pub const THINK: &str = "<|think|>";
/// Before the declaration of a tool.
pub const TOOL: &str = "<|tool>";
/// After the declaration of a tool.
pub const TOOL_END: &str = "<tool|>";
/// Around a string.
pub const QUOTE: &str = "<|\"|>";

/// Gemma 4, by the revision of its template of July 2026: tools, reasoning on request, and media. Its tokens are those of its template, of
/// `tokenizer_config.json` as quoted in public repositories, and of Gemma 3.
pub const GEMMA4: Family = Family {
    name: "gemma4",
    title: "Gemma 4",
    source: Source::new("trl/chat_templates/gemma4_v5.jinja of trl 1.16.0", "2026-11"),
    aliases: &[
        "gemma-4", "google/gemma-4-E2B-it", "google/gemma-4-E4B-it", "google/gemma-4-26B-A4B-it", "google/gemma-4-31B-it",
    ],
    bos: BOS,
    eos: "<eos>",
    tokens: &[
        BOS, "<eos>", "<pad>", "<unk>", "<mask>", START, END, THINK, CHANNEL, CHANNEL_END, TOOL, TOOL_END, CALL, CALL_END, RESULT,
        RESULT_END, QUOTE, "<|image>", "<|image|>", "<image|>", "<|audio>", "<|audio|>", "<audio|>", "<|video|>",
        "[multimodal]",
    ],
    numbered: &[Numbered::new("<unused", ">")],
    system: true,
    history: true,
    tools: true,
    media: true,
    reasoning: true,
    options: &[FormatOption::Thinking, FormatOption::KeepReasoning],
    turns: Turns {
        start: TextStart::Bos,
        user: TURNS.user.with_trim(Trim::Ends),
        assistant: TURNS.assistant.with_trim(Trim::Ends),
        tool: Some(Delimiters::new(RESULT, RESULT_END)),
        reasoning: Some((join!(CHANNEL, "thought\n"), join!("\n", CHANNEL_END))),
        calls: Calls { open: join!(CALL, "call:"), middle: "{", close: join!("}", CALL_END), ..Calls::NONE },
        answer_calls: &[
            CallSyntax::new(CALL, CALL_END, CallBody::BareKeys { prefix: "call:", quote: QUOTE }).in_section("", RESULT),
        ],
        also_read: &[("assistant", RESULT_END, join!(END, "\n"))],
        media: Placeholders { image: "<|image|>", audio: "<|audio|>", video: "<|video|>", image_urls: true },
        ..TURNS
    },
    template: ConversationTemplate::Gemma4,
    ..Family::BARE
};

const TURNS: Turns = header!(START, "\n", join!(END, "\n"), "model");
