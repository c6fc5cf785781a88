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
