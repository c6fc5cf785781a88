//! LFM.

use super::chatml::{END, END_OF_TEXT, START};
use super::*;

const BOS: &str = "<|startoftext|>";
const RESULT: &str = "<|tool_response_start|>";
const RESULT_END: &str = "<|tool_response_end|>";
const CALL: &str = "<|tool_call_start|>";
const CALL_END: &str = "<|tool_call_end|>";
/// Before the list of tools.
pub const TOOLS: &str = "<|tool_list_start|>";
/// After the list of tools.
pub const TOOLS_END: &str = "<|tool_list_end|>";

/// LFM2: ChatML with a list of tools in the system message. Its `tokenizer.json` could not be read: the tokens
/// that its chat template does not write (`<|cot_…|>`, `<|review_…|>`, `<|reserved_N|>`) are assumed.
pub const LFM2: Family = Family {
    name: "lfm2",
    title: "LFM2",
    source: Source::new("tests/corpus/lfm2-1.2b/chat_template.jinja of GregoryBolshakov/hf-chat-template at 72b987fc0b18", "2026-11"),
    aliases: &["LiquidAI/LFM2-350M", "LiquidAI/LFM2-700M", "LiquidAI/LFM2-1.2B"],
    bos: BOS,
    tokens: &[
        BOS, END_OF_TEXT, START, END, "<|pad|>", TOOLS, TOOLS_END, CALL, CALL_END, RESULT,
        RESULT_END, "<|fim_pre|>", "<|fim_mid|>", "<|fim_suf|>", "<|cot_start|>", "<|cot_end|>", "<|review_start|>",
        "<|review_end|>",
    ],
    numbered: &[Numbered::new("<|reserved_", "|>")],
    tools: true,
    turns: Turns {
        calls: Calls {
            section_open: join!(CALL, "["),
            middle: "(",
            close: ")",
            section_close: join!("]", CALL_END),
            ..Calls::NONE
        },
        answer_calls: &[CallSyntax::new(CALL, CALL_END, CallBody::Python)],
        also_reasoning: &[("<think>", "</think>")],
        start: TextStart::Bos,
        tool: Some(Delimiters::new(join!(START, "tool\n", RESULT), join!(RESULT_END, END, "\n"))),
        ..CHATML.turns
    },
    template: ConversationTemplate::Lfm,
    ..CHATML
};
