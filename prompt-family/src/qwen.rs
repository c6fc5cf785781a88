//! Qwen: ChatML with tools as JSON in the system message.

use super::chatml::{END, END_OF_TEXT, START};
use super::*;

const THINK: &str = "<think>";
const THINK_END: &str = "</think>";
pub(crate) const CALL: &str = "<tool_call>";
pub(crate) const CALL_END: &str = "</tool_call>";
pub(crate) const RESULT: &str = "<tool_response>";
pub(crate) const RESULT_END: &str = "</tool_response>";

pub(crate) const FUNCTION: &str = "<function=";
pub(crate) const FUNCTION_END: &str = "</function>";
pub(crate) const PARAMETER: &str = "<parameter=";
pub(crate) const PARAMETER_END: &str = "</parameter>";

/// Calls in tags of Hermes: JSON, and the tags of Qwen3-Coder.
pub(crate) const HERMES: CallSyntax = CallSyntax::new(CALL, CALL_END, FUNCTION_TAGS);

/// A call in the tags of Qwen3-Coder.
pub(crate) const FUNCTION_TAGS: CallBody = CallBody::Tags {
    name: (FUNCTION, ">"),
    key: (PARAMETER, ">"),
    value: ("", PARAMETER_END),
    end: FUNCTION_END,
};

/// The added tokens of Qwen's tokenizers, and the tags of the chat templates for tools.
macro_rules! tokens {
    ($($token:expr),* $(,)?) => {
        &[
            START, END, END_OF_TEXT, $($token,)* CALL, CALL_END, RESULT, RESULT_END, "<|object_ref_start|>",
            "<|object_ref_end|>", "<|box_start|>", "<|box_end|>", "<|quad_start|>", "<|quad_end|>", "<|vision_start|>",
            "<|vision_end|>", "<|vision_pad|>", "<|image_pad|>", "<|video_pad|>", "<|fim_prefix|>", "<|fim_middle|>",
            "<|fim_suffix|>", "<|fim_pad|>", "<|repo_name|>", "<|file_sep|>", "<tools>", "</tools>",
        ]
    };
}

/// Qwen 2.5: ChatML with a default system message and tools.
pub const QWEN2_5: Family = Family {
    name: "qwen2_5",
    title: "Qwen 2.5",
    source: Source::new("tests/corpus/qwen2.5-0.5b-instruct/tokenizer_config.json of GregoryBolshakov/hf-chat-template at 72b987fc0b18", "2026-11"),
    aliases: &[
        "qwen2.5", "Qwen/Qwen2.5-0.5B-Instruct", "Qwen/Qwen2.5-1.5B-Instruct", "Qwen/Qwen2.5-3B-Instruct",
        "Qwen/Qwen2.5-7B-Instruct", "Qwen/Qwen2.5-14B-Instruct", "Qwen/Qwen2.5-32B-Instruct", "Qwen/Qwen2.5-72B-Instruct",
    ],
    tokens: tokens![],
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
    tokens: tokens![THINK, THINK_END],
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

/// Qwen 3 Instruct 2507: Qwen 3 without reasoning.
pub const QWEN3_INSTRUCT: Family = Family {
    name: "qwen3_instruct",
    title: "Qwen 3 Instruct",
    source: Source::new("trl/chat_templates/qwen3_instruct_2507.jinja of trl 1.16.0", "2026-11"),
    aliases: &[
        "Qwen/Qwen3-4B-Instruct-2507", "Qwen/Qwen3-30B-A3B-Instruct-2507", "Qwen/Qwen3-235B-A22B-Instruct-2507",
    ],
    reasoning: false,
    options: &[],
    turns: Turns { reasoning: None, ..QWEN3.turns },
    ..QWEN3
};

const MEDIA: Placeholders = Placeholders {
    image: "<|vision_start|><|image_pad|><|vision_end|>",
    audio: "",
    video: "<|vision_start|><|video_pad|><|vision_end|>",
    image_urls: true,
};

/// Qwen 2.5 VL and Qwen 2 VL: ChatML with images.
pub const QWEN2_5_VL: Family = Family {
    name: "qwen2_5_vl",
    title: "Qwen 2.5 VL",
    source: Source::new("trl/chat_templates/qwen2_5_vl.jinja of trl 1.16.0", "2026-11"),
    aliases: &[
        "qwen2.5-vl", "qwen2.5vl", "Qwen/Qwen2.5-VL-3B-Instruct", "Qwen/Qwen2.5-VL-7B-Instruct",
        "Qwen/Qwen2.5-VL-32B-Instruct", "Qwen/Qwen2.5-VL-72B-Instruct", "Qwen/Qwen2-VL-2B-Instruct",
        "Qwen/Qwen2-VL-7B-Instruct", "Qwen/Qwen2-VL-72B-Instruct",
    ],
    tokens: tokens![],
    media: true,
    turns: Turns {
        system: CHATML.turns.system.default(DefaultSystem::UnlessFirst("You are a helpful assistant.")),
        answer_calls: &[HERMES],
        media: MEDIA,
        ..CHATML.turns
    },
    ..CHATML
};

/// Qwen 3 VL Instruct: Qwen 3 Instruct with images.
pub const QWEN3_VL: Family = Family {
    name: "qwen3_vl",
    title: "Qwen 3 VL",
    source: Source::new("trl/chat_templates/qwen3_vl.jinja of trl 1.16.0", "2026-11"),
    aliases: &[
        "Qwen/Qwen3-VL-2B-Instruct", "Qwen/Qwen3-VL-4B-Instruct", "Qwen/Qwen3-VL-8B-Instruct",
        "Qwen/Qwen3-VL-32B-Instruct", "Qwen/Qwen3-VL-30B-A3B-Instruct", "Qwen/Qwen3-VL-235B-A22B-Instruct",
    ],
    media: true,
    turns: Turns { media: MEDIA, ..QWEN3_INSTRUCT.turns },
    ..QWEN3_INSTRUCT
};

/// The default system message of Qwen 3 Coder, if tools are offered.
pub const CODER_SYSTEM: &str =
    "You are Qwen, a helpful AI assistant that can interact with a computer to solve tasks.";

/// Arguments between the tags of Qwen 3 Coder.
pub(crate) const fn tagged_parameters(values: TagValues) -> TaggedArguments {
    TaggedArguments {
        open: PARAMETER,
        middle: ">\n",
        other_middle: None,
        close: join!("\n", PARAMETER_END, "\n"),
        between: "",
        values,
    }
}

/// A call between the tags of Qwen 3 Coder.
pub(crate) const CODER_CALLS: Calls = Calls {
    open: join!(CALL, "\n", FUNCTION),
    middle: ">\n",
    close: join!(FUNCTION_END, "\n", CALL_END),
    arguments: Some(tagged_parameters(TagValues::PythonScalars)),
    ..Calls::NONE
};

/// Around each result of Qwen 3 Coder, of which several share a turn.
pub(crate) const RESULTS: (&str, &str) = (join!(RESULT, "\n"), join!("\n", RESULT_END, "\n"));

/// Qwen 3 Coder: tools and the arguments of calls between tags.
pub const QWEN3_CODER: Family = Family {
    name: "qwen3_coder",
    title: "Qwen 3 Coder",
    source: Source::new("chat_template.jinja of Qwen/Qwen3-Coder-30B-A3B-Instruct, as quoted in public repositories", "2026-11"),
    aliases: &[
        "qwen3-coder", "Qwen/Qwen3-Coder-30B-A3B-Instruct", "Qwen/Qwen3-Coder-480B-A35B-Instruct",
    ],
    tokens: tokens![THINK, THINK_END, FUNCTION, FUNCTION_END, PARAMETER, PARAMETER_END],
    turns: Turns {
        other: CHATML.turns.other,
        calls: CODER_CALLS,
        results: Some(RESULTS),
        ..QWEN3_INSTRUCT.turns
    },
    template: ConversationTemplate::Qwen3Coder,
    ..QWEN3_INSTRUCT
};

/// Qwen 3.5 from 4B on: the arguments of calls between tags, images, and a generation prompt that opens the reasoning, which
/// can be turned off. Its tokenizer could not be read: its tokens are those of Qwen 3 and the tags of its template.
pub const QWEN3_5: Family = Family {
    name: "qwen3_5",
    title: "Qwen 3.5",
    source: Source::new("trl/chat_templates/qwen3_5_think.jinja of trl 1.16.0", "2026-11"),
    aliases: &["qwen3.5", "Qwen/Qwen3.5-4B", "Qwen/Qwen3.5-9B", "Qwen/Qwen3.5-27B", "Qwen/Qwen3.5-35B-A3B"],
    tokens: tokens![THINK, THINK_END, FUNCTION, FUNCTION_END, PARAMETER, PARAMETER_END],
    media: true,
    turns: Turns {
        system: System::new(SystemPlacement::First, CHATML.turns.system.delimiters.with_trim(Trim::Ends)),
        user: CHATML.turns.user.with_trim(Trim::Ends),
        assistant: CHATML.turns.assistant.with_trim(Trim::Ends),
        other: OtherRoles::Unsupported,
        answer: Some(join!(START, "assistant\n", THINK, "\n")),
        calls: CODER_CALLS,
        media: MEDIA,
        ..QWEN3.turns
    },
    template: ConversationTemplate::Qwen3_5,
    ..QWEN3
};

/// Qwen 3.5 up to 2B: Qwen 3.5 whose reasoning is off unless it is turned on.
pub const QWEN3_5_SMALL: Family = Family {
    name: "qwen3_5_small",
    title: "Qwen 3.5 small",
    source: Source::new("trl/chat_templates/qwen3_5_nothink.jinja of trl 1.16.0", "2026-11"),
    aliases: &["Qwen/Qwen3.5-0.8B", "Qwen/Qwen3.5-2B"],
    turns: Turns { answer: None, ..QWEN3_5.turns },
    ..QWEN3_5
};

/// Qwen 3.6: Qwen 3.5 with the arguments of calls as JSON.
pub const QWEN3_6: Family = Family {
    name: "qwen3_6",
    title: "Qwen 3.6",
    source: Source::new("trl/chat_templates/qwen3_6.jinja of trl 1.16.0", "2026-11"),
    aliases: &["qwen3.6", "Qwen/Qwen3.6-27B", "Qwen/Qwen3.6-35B-A3B"],
    options: &[FormatOption::Thinking, FormatOption::KeepReasoning],
    turns: Turns {
        calls: Calls { arguments: Some(tagged_parameters(TagValues::Json)), ..CODER_CALLS },
        ..QWEN3_5.turns
    },
    ..QWEN3_5
};

/// Qwen 3.8: Qwen 3.6 with a reasoning effort in the system message. It keeps all reasoning unless that is turned off.
pub const QWEN3_8: Family = Family {
    name: "qwen3_8",
    title: "Qwen 3.8",
    source: Source::new("trl/chat_templates/qwen3_8.jinja of trl 1.16.0", "2026-11"),
    aliases: &["qwen3.8", "Qwen/Qwen3.8-27B"],
    options: &[FormatOption::Thinking, FormatOption::KeepReasoning, FormatOption::Effort],
    turns: Turns { keeps_reasoning: true, ..QWEN3_6.turns },
    ..QWEN3_6
};
