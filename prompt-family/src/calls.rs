//! The syntax of tool calls of models whose chat format is not built in: their chat templates write it, and it is read by it.

use super::*;

/// The delimiters of reasoning that most of these models write.
const THINK: &[(&str, &str)] = &[("<think>", "</think>")];

const fn calls_only_family(
    name: &'static str,
    title: &'static str,
    answer_calls: &'static [CallSyntax],
    also_reasoning: &'static [(&'static str, &'static str)],
) -> Family {
    Family {
        name,
        title,
        turns: Turns {
            answer_calls,
            also_reasoning,
            ..Turns::NONE
        },
        ..Family::BARE
    }
}

const FUNCTION_GEMMA: Family = calls_only_family(
    "function_gemma",
    "FunctionGemma",
    &[CallSyntax::new(
        "<start_function_call>",
        "<end_function_call>",
        CallBody::BareKeys {
            prefix: "call:",
            quote: "<escape>",
        },
    )
    .in_section("", "<start_function_response>")],
    &[],
);

const GIGACHAT3_1: Family = calls_only_family(
    "gigachat3_1",
    "GigaChat 3.1",
    &[CallSyntax::new(
        "<|function_call|>",
        "<|message_sep|>",
        CallBody::Json,
    )],
    &[],
);

/// Also that of Hunyuan A13B, and that of Jamba with reasoning.
const MINIMAX_M1: Family = calls_only_family(
    "minimax_m1",
    "MiniMax M1",
    &[CallSyntax::new(
        "<tool_calls>",
        "</tool_calls>",
        CallBody::Json,
    )],
    THINK,
);

const NEMOTRON: Family = calls_only_family(
    "nemotron",
    "Nemotron",
    &[CallSyntax::new("<TOOLCALL>", "</TOOLCALL>", CallBody::Json)],
    THINK,
);

const STEP3: Family = calls_only_family(
    "step3",
    "Step 3",
    &[CallSyntax::new(
        "<｜tool_call_begin｜>",
        "<｜tool_call_end｜>",
        CallBody::Tags {
            name: ("function<｜tool_sep｜><steptml:invoke name=\"", "\">"),
            key: ("<steptml:parameter name=\"", "\">"),
            value: ("", "</steptml:parameter>"),
            end: "</steptml:invoke>",
        },
    )
    .in_section("<｜tool_calls_begin｜>", "<｜tool_calls_end｜>")],
    THINK,
);

/// The call syntaxes of models whose chat format is not built in. No format is written by them: `MODEL_FORMATS` does not contain them.
///
/// ```
/// use typed_prompt::format::{self, AnswerParser};
///
/// let minimax = format::CALL_SYNTAXES.iter().find(|family| family.name == "minimax_m1").unwrap();
/// let parser = AnswerParser::new(&format::CHATML).syntax(minimax);
/// let reply = parser.parse("<tool_calls>[{\"name\": \"tide\", \"arguments\": {}}]</tool_calls>")?;
/// assert_eq!(reply.tool_calls[0].name, "tide");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub const CALL_SYNTAXES: &[&Family] = &[
    &FUNCTION_GEMMA,
    &GIGACHAT3_1,
    &MINIMAX_M1,
    &NEMOTRON,
    &STEP3,
];
