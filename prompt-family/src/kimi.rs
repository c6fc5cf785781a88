//! Kimi.

use super::*;

/// Before the name of a role that is neither the user nor the assistant.
pub const SYSTEM: &str = "<|im_system|>";
const USER: &str = "<|im_user|>";
const ASSISTANT: &str = "<|im_assistant|>";
/// Between the name of a role and the text.
pub const MIDDLE: &str = "<|im_middle|>";
const END: &str = "<|im_end|>";
const CALLS: &str = "<|tool_calls_section_begin|>";
const CALLS_END: &str = "<|tool_calls_section_end|>";
const CALL: &str = "<|tool_call_begin|>";
const ARGUMENTS: &str = "<|tool_call_argument_begin|>";
const CALL_END: &str = "<|tool_call_end|>";
const MEDIA: &str = "<|media_start|>";
const MEDIA_CONTENT: &str = "<|media_content|>";
const MEDIA_PAD: &str = "<|media_pad|>";
const MEDIA_END: &str = "<|media_end|>";
const EOS: &str = "[EOS]";
const THINK: &str = "<think>";
const THINK_END: &str = "</think>";
const KIMI: &str = "You are Kimi, an AI assistant created by Moonshot AI.";
const SYNTAX: CallSyntax =
    CallSyntax::new(CALL, CALL_END, CallBody::Named { prefix: "functions.", middle: ARGUMENTS });
/// Before the list of tools.
pub const TOOLS: &str = join!(SYSTEM, "tool_declare", MIDDLE);

/// Kimi K2: tools declared in front, a default system message. Its tokens are those of its `tokenizer_config.json`;
/// the reserved ones (`<|reserved_token_N|>`) are assumed.
pub const KIMI_K2: Family = Family {
    name: "kimi_k2",
    title: "Kimi K2",
    source: Source::new("models/templates/moonshotai-Kimi-K2.jinja of llama.cpp, in llama-cpp-python 0.3.36", "2026-11"),
    aliases: &["kimi-k2", "moonshotai/Kimi-K2-Instruct"],
    eos: EOS,
    tokens: &[
        "[BOS]", EOS, "[PAD]", "[UNK]", SYSTEM, USER, ASSISTANT, MIDDLE, END, CALLS, CALLS_END, CALL, ARGUMENTS, CALL_END,
        "<|media_begin|>", MEDIA_CONTENT, MEDIA_END, MEDIA_PAD, MEDIA, "[EOT]",
        "<|start_header_id|>", "<|end_header_id|>",
    ],
    numbered: &[Numbered::new("<|reserved_token_", "|>")],
    system: true,
    history: true,
    tools: true,
    media: true,
    turns: Turns {
        system: System::in_turn(Delimiters::new(join!(SYSTEM, "system", MIDDLE), END))
            .default(DefaultSystem::UnlessFirst("You are a helpful assistant")),
        user: Delimiters::new(join!(USER, "user", MIDDLE), END),
        assistant: Delimiters::new(join!(ASSISTANT, "assistant", MIDDLE), END),
        tool: Some(Delimiters::new(join!(SYSTEM, "tool", MIDDLE), END)),
        calls: Calls {
            section_open: CALLS,
            section_close: CALLS_END,
            open: join!(CALL, "functions."),
            middle: ARGUMENTS,
            close: CALL_END,
            ..Calls::NONE
        },
        // Some models write the section in the singular.
        answer_calls: &[
            SYNTAX.in_section(CALLS, CALLS_END),
            SYNTAX.in_section("<|tool_call_section_begin|>", "<|tool_call_section_end|>"),
        ],
        also_reasoning: &[("◁think▷", "◁/think▷"), (THINK, THINK_END)],
        media: Placeholders::images(join!(MEDIA, "image", MEDIA_CONTENT, MEDIA_PAD, MEDIA_END, "\n")),
        also_read: &[("", TOOLS, END)],
        ..Turns::NONE
    },
    template: ConversationTemplate::Kimi(CallNumbers::InMessage),
    ..Family::BARE
};

/// Kimi K2 from September 2025 on: another default system message, and calls that are numbered through the conversation.
pub const KIMI_K2_0905: Family = Family {
    name: "kimi_k2_0905",
    title: "Kimi K2 0905",
    source: Source::new("models/templates/Kimi-K2-Instruct.jinja of llama.cpp, in llama-cpp-python 0.3.36", "2026-11"),
    aliases: &["kimi-k2-0905", "moonshotai/Kimi-K2-Instruct-0905"],
    turns: Turns {
        system: System::in_turn(KIMI_K2.turns.system.delimiters).default(DefaultSystem::UnlessFirst(KIMI)),
        ..KIMI_K2.turns
    },
    template: ConversationTemplate::Kimi(CallNumbers::InConversation),
    ..KIMI_K2
};

/// Kimi K2 Thinking: the same with reasoning.
pub const KIMI_K2_THINKING: Family = Family {
    name: "kimi_k2_thinking",
    title: "Kimi K2 Thinking",
    source: Source::new("models/templates/Kimi-K2-Thinking.jinja of llama.cpp, in llama-cpp-python 0.3.36", "2026-11"),
    aliases: &["kimi-k2-thinking", "moonshotai/Kimi-K2-Thinking"],
    tokens: &[
        "[BOS]", EOS, "[PAD]", "[UNK]", SYSTEM, USER, ASSISTANT, MIDDLE, END, CALLS, CALLS_END, CALL, ARGUMENTS, CALL_END,
        "<|media_begin|>", MEDIA_CONTENT, MEDIA_END, MEDIA_PAD, MEDIA, "[EOT]",
        "<|start_header_id|>", "<|end_header_id|>", THINK, THINK_END,
    ],
    reasoning: true,
    turns: Turns {
        reasoning: Some((THINK, THINK_END)),
        also_reasoning: &[("◁think▷", "◁/think▷")],
        ..KIMI_K2_0905.turns
    },
    ..KIMI_K2_0905
};

/// Before the name of an element of Kimi K3.
pub const OPEN: &str = "<|open|>";
const CLOSE: &str = "<|close|>";
/// After the name and the attributes of an element of Kimi K3.
pub const SEP: &str = "<|sep|>";
const K3_EOS: &str = "<|end_of_msg|>";
/// After a message of Kimi K3.
pub const K3_END: &str = join!(CLOSE, "message", SEP, K3_EOS);
const K3_ASSISTANT: &str = join!(OPEN, "message role=\"assistant\"", SEP);
const K3_THINK: &str = join!(OPEN, "think", SEP);
const K3_THINK_END: &str = join!(CLOSE, "think", SEP);
const RESPONSE: &str = join!(OPEN, "response", SEP);
/// After the text of an answer of Kimi K3.
pub const RESPONSE_END: &str = join!(CLOSE, "response", SEP);
const K3_CALLS: &str = join!(OPEN, "tools", SEP);
const K3_CALLS_END: &str = join!(CLOSE, "tools", SEP);
const K3_CALL: &str = join!(OPEN, "call ");
const K3_CALL_END: &str = join!(CLOSE, "call", SEP);
const K3_ARGUMENT: &str = join!(OPEN, "argument key=\"");
const K3_ARGUMENT_END: &str = join!(CLOSE, "argument", SEP);
/// Before the arguments of a call of Kimi K3 that are written as JSON.
pub const K3_JSON: &str = join!(OPEN, "json type=\"object\"", SEP);
/// After the arguments of a call of Kimi K3 that are written as JSON.
pub const K3_JSON_END: &str = join!(CLOSE, "json", SEP);
const K3_IMAGE: &str = "<|kimi_image_placeholder|>";
const ATTRIBUTES_END: &str = join!("\"", SEP);

/// Kimi K3: elements with attributes, reasoning and text in elements of their own. Its tokenizer could not be read: its tokens are those
/// of its template. Its instructions for `tool_choice` and `response_format` are not supported.
pub const KIMI_K3: Family = Family {
    name: "kimi_k3",
    title: "Kimi K3",
    source: Source::new("models/templates/Kimi-K3.jinja of llama.cpp, in llama-cpp-python 0.3.36", "2026-11"),
    aliases: &["kimi-k3", "moonshotai/Kimi-K3"],
    eos: K3_EOS,
    tokens: &[OPEN, CLOSE, SEP, K3_EOS, K3_IMAGE],
    numbered: &[],
    reasoning: true,
    options: &[FormatOption::Thinking, FormatOption::Effort],
    turns: Turns {
        system: System::in_turn(Delimiters::new(join!(OPEN, "message role=\"system\"", SEP), K3_END)),
        user: Delimiters::new(join!(OPEN, "message role=\"user\"", SEP), K3_END),
        assistant: Delimiters::new(K3_ASSISTANT, join!(RESPONSE_END, K3_END)),
        tool: Some(Delimiters::new(join!(OPEN, "message role=\"tool\""), K3_END)),
        answer: Some(join!(K3_ASSISTANT, K3_THINK)),
        reasoning: Some((K3_THINK, join!(K3_THINK_END, RESPONSE))),
        no_reasoning: RESPONSE,
        keeps_reasoning: true,
        calls: Calls {
            section_open: K3_CALLS,
            section_close: K3_CALLS_END,
            open: join!(K3_CALL, "tool=\""),
            middle: join!("\" index=\"{index}", ATTRIBUTES_END),
            close: K3_CALL_END,
            arguments: Some(TaggedArguments {
                open: K3_ARGUMENT,
                middle: join!("\" type=\"string", ATTRIBUTES_END),
                other_middle: Some(join!("\" type=\"{type}", ATTRIBUTES_END)),
                close: K3_ARGUMENT_END,
                between: "",
                values: TagValues::Json,
            }),
            ..Calls::NONE
        },
        answer_calls: &[CallSyntax::new(
            K3_CALL,
            K3_CALL_END,
            CallBody::Tags {
                name: ("tool=\"", ATTRIBUTES_END),
                key: (K3_ARGUMENT, ATTRIBUTES_END),
                value: ("", K3_ARGUMENT_END),
                end: "",
            },
        )
        .in_section(K3_CALLS, K3_CALLS_END)
        .or_json_arguments(K3_JSON, K3_JSON_END)],
        also_reasoning: &[],
        answer_text: &[(RESPONSE, RESPONSE_END)],
        media: Placeholders { image_urls: true, ..Placeholders::images(K3_IMAGE) },
        also_read: &[
            ("", join!(OPEN, "message role=\"system\" type=\"tool-declare", ATTRIBUTES_END), K3_END),
            ("", join!(OPEN, "message role=\"system\" type=\"thinking-effort", ATTRIBUTES_END), K3_END),
        ],
        closes: &[K3_END, join!(CLOSE, "message", SEP)],
        ..KIMI_K2.turns
    },
    template: ConversationTemplate::KimiK3,
    ..KIMI_K2
};
