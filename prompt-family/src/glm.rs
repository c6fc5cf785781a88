//! GLM.

use super::*;

const MASK: &str = "[gMASK]";
const SOP: &str = "<sop>";
const SYSTEM: &str = "<|system|>";
const USER: &str = "<|user|>";
const ASSISTANT: &str = "<|assistant|>";
const OBSERVATION: &str = "<|observation|>";
/// The header of a result as llama.cpp writes it for GLM-4, from the name of the role.
const TOOL: &str = "<|tool|>";
const END_OF_TEXT: &str = "<|endoftext|>";
const THINK: &str = "<think>";
const THINK_END: &str = "</think>";
const CALL: &str = "<tool_call>";
const CALL_END: &str = "</tool_call>";
const RESULT: &str = "<tool_response>";
const RESULT_END: &str = "</tool_response>";
/// At the end of a user message, it turns reasoning off.
pub const NO_THINK: &str = "/nothink";
/// Around the name of an argument.
const KEY: (&str, &str) = ("<arg_key>", "</arg_key>");
/// Around the value of an argument.
const VALUE: (&str, &str) = ("<arg_value>", "</arg_value>");

/// The beginning of the system message with tools of GLM-4.
pub const GLM4_TOOLS: &str = join!(
    SYSTEM,
    "\n你是一个名为 ChatGLM 的人工智能助手。你是基于智谱AI训练的语言模型 GLM-4 模型开发的，你的任务是针对用户的问题和要求提供适当的答复和支持。\n\n# 可用工具"
);
/// The beginning of the system message with tools from GLM-4.5 on.
pub const GLM4_5_TOOLS: &str = join!(
    SYSTEM,
    "\n# Tools\n\nYou may call one or more functions to assist with the user query.\n\nYou are provided with function signatures within <tools></tools> XML tags:\n<tools>\n"
);

/// GLM-4: a token for each role, tools in a system turn of their own.
pub const GLM4: Family = Family {
    name: "glm4",
    title: "GLM-4",
    source: Source::new("ChatGLM4 in tests/test-chat-template.cpp of llama.cpp, in llama-cpp-python 0.3.36", "2026-11"),
    aliases: &["glm-4", "zai-org/glm-4-9b-chat", "THUDM/glm-4-9b-chat"],
    eos: END_OF_TEXT,
    tokens: &[
        MASK, "[sMASK]", "[MASK]", SOP, "<eop>", SYSTEM, USER, ASSISTANT, OBSERVATION, TOOL, END_OF_TEXT, "<|begin_of_image|>",
        "<|end_of_image|>", "<|begin_of_video|>", "<|end_of_video|>",
    ],
    system: true,
    history: true,
    tools: true,
    turns: Turns {
        start: TextStart::Text(join!(MASK, SOP)),
        system: System::in_turn(Delimiters::new(join!(SYSTEM, "\n"), "")),
        user: Delimiters::new(join!(USER, "\n"), ""),
        assistant: Delimiters::new(join!(ASSISTANT, "\n"), ""),
        tool: Some(Delimiters::new(join!(OBSERVATION, "\n"), "")),
        calls: Calls { open: ASSISTANT, middle: "\n", ..Calls::NONE },
        answer_calls: &[
            CallSyntax::new("", "", CallBody::Named { prefix: "", middle: "\n" }),
            // Each further call is a turn.
            CallSyntax::new("", "", CallBody::Named { prefix: "", middle: "\n" }).in_section(ASSISTANT, ""),
        ],
        also_read: &[("", GLM4_TOOLS, ""), ("tool", join!(TOOL, "\n"), ""), ("assistant", ASSISTANT, "")],
        ..Turns::NONE
    },
    template: ConversationTemplate::Glm4,
    ..Family::BARE
};

/// The tokens from GLM-4.5 on.
macro_rules! tokens {
    ($($token:expr),* $(,)?) => {
        &[
            MASK, SOP, SYSTEM, USER, ASSISTANT, OBSERVATION, END_OF_TEXT, THINK, THINK_END, $($token,)* CALL, CALL_END, RESULT,
            RESULT_END, KEY.0, KEY.1, VALUE.0, VALUE.1, "<tools>", "</tools>", "[MASK]", "[sMASK]", "<eop>",
            "<|begin_of_image|>", "<|end_of_image|>", "<|begin_of_video|>", "<|end_of_video|>", "<|begin_of_audio|>",
            "<|end_of_audio|>", "<|begin_of_transcription|>", "<|end_of_transcription|>", "<|code_prefix|>",
            "<|code_middle|>", "<|code_suffix|>",
        ]
    };
}

/// GLM-4.5 and GLM-4.6: tools in front, arguments as XML, and reasoning that can be turned off. Its tokens are the added tokens of its
/// tokenizer, and the delimiters of its template.
pub const GLM4_5: Family = Family {
    name: "glm4_5",
    title: "GLM-4.5",
    source: Source::new("trl/chat_templates/glm4moe.jinja of huggingface/trl at f2cd57710ae3", "2026-11"),
    aliases: &["glm-4.5", "glm-4.6", "zai-org/GLM-4.5", "zai-org/GLM-4.5-Air", "zai-org/GLM-4.6"],
    tokens: tokens![NO_THINK],
    reasoning: true,
    options: &[FormatOption::Thinking],
    turns: Turns {
        answer: Some(ASSISTANT),
        reasoning: Some((THINK, join!(THINK_END, "\n"))),
        no_reasoning: join!(THINK, THINK_END),
        calls: Calls {
            open: join!("\n", CALL),
            middle: "\n",
            close: CALL_END,
            arguments: Some(TaggedArguments {
                open: KEY.0,
                middle: join!(KEY.1, "\n", VALUE.0),
                other_middle: None,
                close: join!(VALUE.1, "\n"),
                between: "",
                values: TagValues::Json,
            }),
            ..Calls::NONE
        },
        answer_calls: &[CallSyntax::new(
            CALL,
            CALL_END,
            CallBody::Tags { name: ("", ""), key: KEY, value: VALUE, end: "" },
        )],
        results: Some((join!(RESULT, "\n"), join!("\n", RESULT_END))),
        also_read: &[("", GLM4_5_TOOLS, "")],
        ..GLM4.turns
    },
    template: ConversationTemplate::Glm4_5,
    ..GLM4
};

/// GLM-4.7: GLM-4.5 without line breaks beside its tokens, and a generation prompt that opens the reasoning.
pub const GLM4_7: Family = Family {
    name: "glm4_7",
    title: "GLM-4.7",
    source: Source::new("chat_template.jinja of zai-org/GLM-4.7, as quoted in public repositories", "2026-11"),
    aliases: &["glm-4.7", "zai-org/GLM-4.7", "zai-org/GLM-4.7-Flash"],
    tokens: tokens![],
    options: &[FormatOption::Thinking, FormatOption::KeepReasoning],
    turns: Turns {
        system: System::in_turn(Delimiters::new(SYSTEM, "")),
        user: Delimiters::new(USER, ""),
        assistant: Delimiters::new(ASSISTANT, ""),
        tool: Some(Delimiters::new(OBSERVATION, "")),
        answer: Some(join!(ASSISTANT, THINK)),
        reasoning: Some((THINK, THINK_END)),
        no_reasoning: THINK_END,
        calls: Calls {
            open: CALL,
            middle: "",
            close: CALL_END,
            arguments: Some(TaggedArguments {
                open: KEY.0,
                middle: join!(KEY.1, VALUE.0),
                other_middle: None,
                close: VALUE.1,
                between: "",
                values: TagValues::Json,
            }),
            ..Calls::NONE
        },
        results: Some((RESULT, RESULT_END)),
        ..GLM4_5.turns
    },
    ..GLM4_5
};
