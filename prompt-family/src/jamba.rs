//! Jamba.

use super::*;

const BOS: &str = "<|startoftext|>";
const BOM: &str = "<|bom|>";
const EOM: &str = "<|eom|>";
const CALLS: &str = "<tool_calls>";
const CALLS_END: &str = "</tool_calls>";
/// Before the list of tools.
pub const TOOLS: &str = "<tool_definitions>";
/// After the list of tools.
pub const TOOLS_END: &str = "</tool_definitions>";

/// Jamba 1.7: the system message is always there, with the tools at its end. Its tokenizer could not be read: its tokens are those of its
/// template. Its instructions for documents and output modes are not supported.
pub const JAMBA1_7: Family = Family {
    name: "jamba1_7",
    title: "Jamba 1.7",
    source: Source::new("tests/fixtures/jamba_mini_1_7_chat_template.jinja of r-rojo/rampipe at 3c7722e3161b", "2026-11"),
    aliases: &["jamba-1.7", "ai21labs/AI21-Jamba-Mini-1.7", "ai21labs/AI21-Jamba-Large-1.7"],
    bos: BOS,
    eos: EOM,
    tokens: &[
        BOS, "<|endoftext|>", BOM, EOM, "<|system|>", "<|user|>", "<|assistant|>", "<|tool|>", CALLS, CALLS_END, TOOLS, TOOLS_END,
        "<documents>", "</documents>", "<active_output_modes>", "</active_output_modes>", "<citations>", "</citations>",
    ],
    system: true,
    history: true,
    tools: true,
    turns: Turns {
        start: TextStart::Bos,
        tool: Some(Delimiters::new(join!(BOM, "<|tool|> "), EOM)),
        calls: Calls {
            section_open: join!(CALLS, "[\n"),
            section_close: join!("\n]", CALLS_END),
            open: "    {\"name\": \"",
            middle: "\", \"arguments\": ",
            close: "}",
            ..Calls::NONE
        },
        answer_calls: &[CallSyntax::new(CALLS, CALLS_END, CallBody::Json)],
        ..header!(join!(BOM, "<|"), "|> ", EOM)
    },
    template: ConversationTemplate::Jamba,
    ..Family::BARE
};
