//! Granite.

use super::chatml::starcoder;
use super::*;

const ROLE: &str = "<|start_of_role|>";
const ROLE_END: &str = "<|end_of_role|>";
const END: &str = "<|end_of_text|>";
const CALL: &str = "<|tool_call|>";
const CLOSE: &str = join!(END, "\n");
/// Before the list of tools.
pub const TOOLS: &str = join!(ROLE, "tools", ROLE_END);
/// Before the documents.
pub const DOCUMENTS: &str = join!(ROLE, "documents", ROLE_END);

/// Granite 3.1: tools and documents in turns of their own. Its tokens are the special tokens of Granite 3.
pub const GRANITE3_1: Family = Family {
    name: "granite3_1",
    title: "Granite 3.1",
    source: Source::new("tests/corpus/granite-3.1-8b-instruct/tokenizer_config.json of GregoryBolshakov/hf-chat-template at 72b987fc0b18", "2026-11"),
    aliases: &["granite-3.1", "ibm-granite/granite-3.1-2b-instruct", "ibm-granite/granite-3.1-8b-instruct"],
    eos: END,
    tokens: starcoder![
        ROLE, ROLE_END, END, CALL, "<|start_of_cite|>", "<|end_of_cite|>", "<|start_of_plugin|>",
        "<|end_of_plugin|>", "<fim_prefix>", "<fim_middle>", "<fim_suffix>", "<fim_pad>",
        "<commit_before>", "<commit_msg>", "<commit_after>",
    ],
    system: true,
    history: true,
    tools: true,
    options: &[FormatOption::Date, FormatOption::Documents, FormatOption::Controls],
    turns: Turns {
        calls: Calls {
            section_open: join!(CALL, "["),
            open: "{\"name\": \"",
            middle: "\", \"arguments\": ",
            close: "}",
            section_close: "]",
            ..Calls::NONE
        },
        answer_calls: &[
            CallSyntax::new(CALL, "", CallBody::Json),
            qwen::HERMES,
            // Granite 20B Function Calling.
            CallSyntax::new("<function_call>", "", CallBody::Json),
        ],
        also_reasoning: &[
            ("Here is my thought process:", "Here is my response:"),
            ("Here's my thought process:", "Here's my response:"),
            ("Here is my thought process:", "Here's my response:"),
            ("Here's my thought process:", "Here is my response:"),
            ("<think>", "</think>"),
        ],
        answer_text: &[("<response>", "</response>")],
        also_read: &[("", TOOLS, CLOSE), ("", DOCUMENTS, CLOSE)],
        ..header!(ROLE, ROLE_END, CLOSE)
    },
    template: ConversationTemplate::Granite,
    ..Family::BARE
};

/// The list of documents of Granite 4.
pub const DOCUMENT_LIST: ToolList = ToolList::new(
    "You are a helpful assistant with access to the following documents. You may use one or more documents to assist with the user query.\n\nYou are given a list of documents within <documents></documents> XML tags:\n<documents>\n",
    "\n",
    "\n</documents>\n\nWrite the response to the user's input by strictly aligning with the facts in the provided documents. If the information needed to answer the question is not available in the documents, inform the user that the question cannot be answered based on the available data.",
);

const HERMES_CALL: &str = "<tool_call>";
const HERMES_CALL_END: &str = "</tool_call>";
const RESULT: &str = "<tool_response>";
const RESULT_END: &str = "</tool_response>";

/// Granite 4: tools and documents in the system message, calls as Hermes writes them, and a default system message. Its
/// tokenizer could not be read: its tokens are the delimiters of its template, and those that are known of its vocabulary.
pub const GRANITE4: Family = Family {
    name: "granite4",
    title: "Granite 4",
    source: Source::new("models/templates/ibm-granite-granite-4.0.jinja of llama.cpp, in llama-cpp-python 0.3.36", "2026-11"),
    aliases: &[
        "granite-4.0", "ibm-granite/granite-4.0-micro", "ibm-granite/granite-4.0-h-micro", "ibm-granite/granite-4.0-h-tiny",
        "ibm-granite/granite-4.0-h-small",
    ],
    tokens: &[
        ROLE, ROLE_END, END, HERMES_CALL, HERMES_CALL_END, RESULT, RESULT_END, "<tools>", "</tools>", "<documents>",
        "</documents>", "<think>", "</think>", "<|start_of_plugin|>", "<|end_of_plugin|>", "<|fim_prefix|>",
        "<|fim_middle|>", "<|fim_suffix|>", "<|fim_pad|>", "<|filename|>", "<|reponame|>", "<|pad|>", "<|unk|>",
    ],
    options: &[FormatOption::Documents],
    turns: Turns {
        system: GRANITE3_1.turns.system.default(DefaultSystem::UnlessFirst(
            "You are a helpful assistant. Please ensure responses are professional, accurate, and safe.",
        )),
        other: OtherRoles::Dropped,
        calls: qwen::QWEN2_5.turns.calls,
        answer_calls: &[qwen::HERMES],
        also_reasoning: &[("<think>", "</think>")],
        answer_text: &[],
        also_read: &[],
        tools: ToolList::new(
            "You are a helpful assistant with access to the following tools. You may call one or more tools to assist with the user query.\n\nYou are provided with function signatures within <tools></tools> XML tags:\n<tools>\n",
            "\n",
            "\n</tools>\n\nFor each tool call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:\n<tool_call>\n{\"name\": <function-name>, \"arguments\": <args-json-object>}\n</tool_call>. If a tool does not exist in the provided list of tools, notify the user that you do not have the ability to fulfill the request.",
        ),
        results: Some((join!("\n", RESULT, "\n"), join!("\n", RESULT_END))),
        ..GRANITE3_1.turns
    },
    template: ConversationTemplate::Granite4,
    ..GRANITE3_1
};

/// Granite 4.1: the same without a default system message.
pub const GRANITE4_1: Family = Family {
    name: "granite4_1",
    title: "Granite 4.1",
    source: Source::new("models/templates/ibm-granite-granite-4.1.jinja of llama.cpp, in llama-cpp-python 0.3.36", "2026-11"),
    aliases: &["granite-4.1", "ibm-granite/granite-4.1-3b", "ibm-granite/granite-4.1-8b"],
    turns: Turns { system: GRANITE3_1.turns.system, ..GRANITE4.turns },
    ..GRANITE4
};
