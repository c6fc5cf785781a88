//! Step.

use super::qwen::{CALL, CALL_END, CODER_CALLS, FUNCTION, FUNCTION_END, HERMES, PARAMETER, PARAMETER_END, RESULT, RESULT_END};
use super::*;

const BOS: &str = "<｜begin▁of▁sentence｜>";
const THINK: &str = "<think>";
const THINK_END: &str = "</think>";

/// Step 3.5: ChatML with the calls of Qwen 3 Coder, and a generation prompt that opens the reasoning. Its tokenizer could not be
/// read: its tokens are those of its template.
pub const STEP3_5: Family = Family {
    name: "step3_5",
    title: "Step 3.5",
    source: Source::new("models/templates/StepFun3.5-Flash.jinja of llama.cpp, in llama-cpp-python 0.3.36", "2026-11"),
    aliases: &["step-3.5", "stepfun-ai/Step-3.5-Flash"],
    bos: BOS,
    tokens: &[
        BOS, chatml::START, chatml::END, THINK, THINK_END, CALL, CALL_END, FUNCTION, FUNCTION_END, PARAMETER,
        PARAMETER_END, RESULT, RESULT_END, "<tools>", "</tools>", "<im_patch>",
    ],
    tools: true,
    media: true,
    reasoning: true,
    turns: Turns {
        start: TextStart::Bos,
        tool: Some(Delimiters::new(join!(chatml::START, "tool_response\n"), join!(chatml::END, "\n"))),
        other: OtherRoles::Dropped,
        answer: Some(join!(chatml::START, "assistant\n", THINK, "\n")),
        reasoning: Some((join!(THINK, "\n"), join!("\n", THINK_END, "\n"))),
        calls: CODER_CALLS,
        answer_calls: &[HERMES],
        results: Some((RESULT, RESULT_END)),
        media: Placeholders::images("<im_patch>"),
        ..CHATML.turns
    },
    template: ConversationTemplate::Step3_5,
    ..CHATML
};
