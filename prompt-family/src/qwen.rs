//! Qwen: ChatML with tools as JSON in the system message.

use super::chatml::{END, END_OF_TEXT, START};
use super::*;

const THINK: &str = "<think>";
const THINK_END: &str = "</think>";
const CALL: &str = "<tool_call>";
const CALL_END: &str = "</tool_call>";
const RESULT: &str = "<tool_response>";
const RESULT_END: &str = "</tool_response>";

/// Calls in tags of Hermes: JSON, and the tags of Qwen3-Coder.
pub(crate) const HERMES: CallSyntax = CallSyntax::new(CALL, CALL_END, FUNCTION_TAGS);

/// A call in the tags of Qwen3-Coder.
pub(crate) const FUNCTION_TAGS: CallBody = CallBody::Tags {
    name: ("<function=", ">"),
    key: ("<parameter=", ">"),
    value: ("", "</parameter>"),
    end: "</function>",
};

/// Qwen 2.5: ChatML with a default system message and tools.
pub const QWEN2_5: Family = Family {
    name: "qwen2_5",
    title: "Qwen 2.5",
    source: Source::new("tests/corpus/qwen2.5-0.5b-instruct/tokenizer_config.json of GregoryBolshakov/hf-chat-template at 72b987fc0b18", "2026-11"),
    aliases: &[
        "qwen2.5", "Qwen/Qwen2.5-0.5B-Instruct", "Qwen/Qwen2.5-1.5B-Instruct", "Qwen/Qwen2.5-3B-Instruct",
        "Qwen/Qwen2.5-7B-Instruct", "Qwen/Qwen2.5-14B-Instruct", "Qwen/Qwen2.5-32B-Instruct", "Qwen/Qwen2.5-72B-Instruct",
    ],
    tokens: &[
        START, END, END_OF_TEXT, "<|object_ref_start|>", "<|object_ref_end|>", "<|box_start|>", "<|box_end|>",
        "<|quad_start|>", "<|quad_end|>", "<|vision_start|>", "<|vision_end|>", "<|vision_pad|>", "<|image_pad|>",
        "<|video_pad|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|fim_pad|>", "<|repo_name|>",
        "<|file_sep|>", "<tools>", "</tools>", CALL, CALL_END, RESULT, RESULT_END,
    ],
    tools: true,
    turns: Turns {
        system: CHATML.turns.system.default(DefaultSystem::UnlessFirst(
            "You are Qwen, created by Alibaba Cloud. You are a helpful assistant.",
        )),
        other: OtherRoles::Dropped,
        calls: Calls {
            open: join!(CALL, "\n{\"name\": \""),
            middle: "\", \"arguments\": ",
            close: join!("}\n", CALL_END),
            ..Calls::NONE
        },
        answer_calls: &[HERMES],
        also_reasoning: &[(THINK, THINK_END)],
        results: Some((join!(RESULT, "\n"), join!("\n", RESULT_END))),
        ..CHATML.turns
    },
    template: ConversationTemplate::Qwen,
    ..CHATML
};

/// Qwen 3: ChatML with tools, and reasoning that can be turned off.
pub const QWEN3: Family = Family {
    name: "qwen3",
    title: "Qwen 3",
    source: Source::new("tests/corpus/qwen3-0.6b/tokenizer_config.json of GregoryBolshakov/hf-chat-template at 72b987fc0b18", "2026-11"),
    aliases: &[
        "Qwen/Qwen3-0.6B", "Qwen/Qwen3-1.7B", "Qwen/Qwen3-4B", "Qwen/Qwen3-8B", "Qwen/Qwen3-14B", "Qwen/Qwen3-32B",
        "Qwen/Qwen3-30B-A3B", "Qwen/Qwen3-235B-A22B",
    ],
    tokens: &[
        START, END, END_OF_TEXT, THINK, THINK_END, CALL, CALL_END, RESULT, RESULT_END, "<|object_ref_start|>",
        "<|object_ref_end|>", "<|box_start|>", "<|box_end|>", "<|quad_start|>", "<|quad_end|>", "<|vision_start|>",
        "<|vision_end|>", "<|vision_pad|>", "<|image_pad|>", "<|video_pad|>", "<|fim_prefix|>", "<|fim_middle|>",
        "<|fim_suffix|>", "<|fim_pad|>", "<|repo_name|>", "<|file_sep|>", "<tools>", "</tools>",
    ],
    reasoning: true,
    options: &[FormatOption::Thinking],
    turns: Turns {
        system: CHATML.turns.system,
        reasoning: Some((join!(THINK, "\n"), join!("\n", THINK_END, "\n\n"))),
        ..QWEN2_5.turns
    },
    ..QWEN2_5
};

/// Qwen 3 Thinking: the generation prompt opens the reasoning, which cannot be turned off.
pub const QWEN3_THINKING: Family = Family {
    name: "qwen3_thinking",
    title: "Qwen 3 Thinking",
    source: Source::new("Qwen 3's template, with the generation prompt of the models Thinking-2507", "2026-11"),
    aliases: &[
        "Qwen/Qwen3-4B-Thinking-2507", "Qwen/Qwen3-30B-A3B-Thinking-2507", "Qwen/Qwen3-235B-A22B-Thinking-2507",
    ],
    options: &[],
    turns: Turns {
        answer: Some(join!(START, "assistant\n", THINK, "\n")),
        ..QWEN3.turns
    },
    ..QWEN3
};
