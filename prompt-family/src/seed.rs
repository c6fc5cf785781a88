//! Seed-OSS.

use super::*;

const BOS: &str = "<seed:bos>";
const EOS: &str = "<seed:eos>";
const CALL: &str = "<seed:tool_call>";
const CALL_END: &str = "</seed:tool_call>";
const THINK: &str = "<seed:think>";
const THINK_END: &str = "</seed:think>";
/// Around a remark on the budget for reasoning.
const BUDGET: &str = "<seed:cot_budget_reflect>";
const BUDGET_END: &str = "</seed:cot_budget_reflect>";

/// Seed-OSS: its tokens around each turn, tools as Python functions, and the tags of Qwen 3 Coder around arguments. Its tokenizer
/// could not be read: its tokens are those of its template.
pub const SEED_OSS: Family = Family {
    name: "seed_oss",
    title: "Seed-OSS",
    source: Source::new("models/templates/ByteDance-Seed-OSS.jinja of llama.cpp, in llama-cpp-python 0.3.36", "2026-11"),
    aliases: &["seed-oss", "ByteDance-Seed/Seed-OSS-36B-Instruct"],
    eos: EOS,
    tokens: &[
        BOS, EOS, "<seed:pad>", CALL, CALL_END, THINK, THINK_END, BUDGET, BUDGET_END, qwen::FUNCTION,
        qwen::FUNCTION_END, qwen::PARAMETER, qwen::PARAMETER_END,
    ],
    system: true,
    history: true,
    tools: true,
    reasoning: true,
    options: &[FormatOption::Thinking],
    turns: Turns {
        reasoning: Some((THINK, join!(THINK_END, "\n"))),
        no_reasoning: join!(
            THINK, "\n", BUDGET, "The current thinking budget is 0, so I will directly start answering the question.", BUDGET_END, "\n", THINK_END,
        ),
        keeps_reasoning: true,
        calls: Calls {
            open: join!(CALL, "\n", qwen::FUNCTION),
            middle: ">\n",
            close: join!(qwen::FUNCTION_END, "\n", CALL_END),
            arguments: Some(TaggedArguments {
                middle: ">",
                close: join!(qwen::PARAMETER_END, "\n"),
                ..qwen::tagged_parameters(TagValues::Python)
            }),
            ..Calls::NONE
        },
        answer_calls: &[CallSyntax::new(CALL, CALL_END, qwen::FUNCTION_TAGS)],
        ..header!(BOS, "\n", EOS)
    },
    template: ConversationTemplate::Seed,
    ..Family::BARE
};
