//! SmolLM: ChatML with a default system message.

use super::chatml::{END, END_OF_TEXT, START, starcoder};
use super::*;

const THINK: &str = "<think>";
const THINK_END: &str = "</think>";

/// SmolLM 2: ChatML with a default system message. Its tokens are those of its `tokenizer_config.json`.
pub const SMOLLM2: Family = Family {
    name: "smollm2",
    title: "SmolLM 2",
    source: Source::new("tests/corpus/smollm2-1.7b-instruct/tokenizer_config.json of GregoryBolshakov/hf-chat-template at 72b987fc0b18", "2026-11"),
    aliases: &[
        "HuggingFaceTB/SmolLM2-135M-Instruct", "HuggingFaceTB/SmolLM2-360M-Instruct",
        "HuggingFaceTB/SmolLM2-1.7B-Instruct",
    ],
    tokens: starcoder![START, END, END_OF_TEXT, "<repo_name>", "<file_sep>", "<jupyter_script>"],
    turns: Turns {
        system: CHATML.turns.system.default(DefaultSystem::UnlessFirst(
            "You are a helpful AI assistant named SmolLM, trained by Hugging Face",
        )),
        ..CHATML.turns
    },
    ..CHATML
};

/// The switch that turns reasoning off.
pub const NO_THINK: &str = "/no_think";
/// The switch that replaces the whole system message.
pub const OVERRIDE: &str = "/system_override";

/// SmolLM 3: ChatML with metadata, switches inside the system message, and tools as Python prints them. Its tokenizer could
/// not be read: its tokens are Llama 3's and the delimiters of its template.
///
/// `<code>` and `</code>` are left out: they are HTML, and the tokenizer has them as added tokens that are not special. They
/// delimit Python calls inside an assistant message, and end no turn.
pub const SMOLLM3: Family = Family {
    name: "smollm3",
    title: "SmolLM 3",
    source: Source::new("tests/corpus/smollm3-3b/chat_template.jinja of GregoryBolshakov/hf-chat-template at 72b987fc0b18", "2026-11"),
    aliases: &["HuggingFaceTB/SmolLM3-3B"],
    tokens: &[
        START, END, "<|end_of_text|>", "<|begin_of_text|>", THINK, THINK_END, NO_THINK, OVERRIDE, "<tools>", "</tools>",
        "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<|start_header_id|>", "<|end_header_id|>",
        "<|eom_id|>", "<|eot_id|>", "<|python_tag|>", "<|finetune_right_pad_id|>",
    ],
    numbered: &[llama3::RESERVED],
    tools: true,
    options: &[FormatOption::Thinking, FormatOption::Date, FormatOption::PythonTools],
    turns: Turns {
        system: CHATML.turns.system.default(DefaultSystem::UnlessFirst(
            "You are a helpful AI assistant named SmolLM, trained by Hugging Face.",
        )),
        other: OtherRoles::Dropped,
        calls: qwen::QWEN2_5.turns.calls,
        answer_calls: &[qwen::HERMES],
        reasoning: Some((join!(THINK, "\n"), join!("\n", THINK_END, "\n"))),
        ..CHATML.turns
    },
    template: ConversationTemplate::SmolLm3,
    ..CHATML
};
