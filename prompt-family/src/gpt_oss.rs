//! gpt-oss, whose format is named harmony.

use super::*;

/// Before the header of a message.
pub const START: &str = "<|start|>";
/// The end of a message.
pub const END: &str = "<|end|>";
/// Before the channel of a message.
pub const CHANNEL: &str = "<|channel|>";
/// Before the text of a message.
pub const MESSAGE: &str = "<|message|>";
/// The end of a tool call.
pub const CALL: &str = "<|call|>";
/// The end of an answer.
pub const RETURN: &str = "<|return|>";

/// Before the system message, which the format writes itself.
pub const SYSTEM: &str = join!(START, "system", MESSAGE);
/// Before the header of the assistant's messages.
pub(crate) const ASSISTANT: &str = join!(START, "assistant");
/// The header of the assistant's reasoning after `<|start|>assistant`.
pub const ANALYSIS: &str = join!(CHANNEL, "analysis", MESSAGE);
/// The header of the assistant's answer after `<|start|>assistant`.
pub const FINAL: &str = join!(CHANNEL, "final", MESSAGE);
/// Before the name of a tool in the header of a call.
pub const CALLED_TOOL: &str = join!(ASSISTANT, " to=functions.");
/// After the name of a tool in the header of a call.
pub const CALL_CHANNEL: &str = join!(CHANNEL, "commentary ");
/// Before the assistant's reasoning.
pub const REASONING: &str = join!(ASSISTANT, ANALYSIS);
/// Before the name of a tool in the header of its result.
pub const RESULT: &str = join!(START, "functions.");
/// After the name of a tool in the header of its result.
pub const RESULT_CHANNEL: &str = join!(" to=assistant", CHANNEL, "commentary", MESSAGE);

/// gpt-oss: channels, instructions in a developer turn, tools as TypeScript. Its tokens are those of its `tokenizer.json`.
pub const GPT_OSS: Family = Family {
    name: "gpt_oss",
    title: "gpt-oss",
    source: Source::new("models/templates/openai-gpt-oss-120b.jinja of llama.cpp, in llama-cpp-python 0.3.36", "2026-11"),
    aliases: &["gpt-oss", "harmony", "openai/gpt-oss-20b", "openai/gpt-oss-120b"],
    eos: RETURN,
    tokens: &[
        START, END, MESSAGE, CHANNEL, "<|constrain|>", CALL, RETURN, "<|startoftext|>", "<|endoftext|>",
        "<|endofprompt|>",
    ],
    numbered: &[Numbered::new("<|reserved_", "|>")],
    system: true,
    history: true,
    tools: true,
    reasoning: true,
    options: &[FormatOption::Effort, FormatOption::Identity, FormatOption::Date, FormatOption::BuiltinTools],
    turns: Turns {
        system: System::new(SystemPlacement::First, Delimiters::new(join!(START, "developer", MESSAGE), END)),
        user: Delimiters::new(join!(START, "user", MESSAGE), END),
        assistant: Delimiters::new(join!(ASSISTANT, FINAL), END).last_close(RETURN),
        other: OtherRoles::Named { open: START, middle: MESSAGE, close: END, capitalized: false },
        answer: Some(ASSISTANT),
        reasoning: Some((ANALYSIS, join!(END, ASSISTANT, FINAL))),
        answer_calls: &[CallSyntax::new(CHANNEL, CALL, CallBody::Channel)],
        also_read: &[("", SYSTEM, END)],
        closes: &[CALL, RETURN],
        ..Turns::NONE
    },
    template: ConversationTemplate::Harmony,
    ..Family::BARE
};
