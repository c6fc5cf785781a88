//! SmolLM: ChatML with a default system message.

use super::chatml::{END, END_OF_TEXT, START};
use super::*;

const THINK: &str = "<think>";
const THINK_END: &str = "</think>";

/// SmolLM 2: ChatML with a default system message.
pub const SMOLLM2: Family = Family {
    name: "smollm2",
    title: "SmolLM 2",
    aliases: &[
        "HuggingFaceTB/SmolLM2-135M-Instruct", "HuggingFaceTB/SmolLM2-360M-Instruct",
        "HuggingFaceTB/SmolLM2-1.7B-Instruct",
    ],
    tokens: &[
        START, END, END_OF_TEXT, "<repo_name>", "<reponame>", "<file_sep>", "<filename>", "<gh_stars>", "<issue_start>",
        "<issue_comment>", "<issue_closed>", "<jupyter_start>", "<empty_output>",
    ],
    turns: Turns {
        system: CHATML.turns.system.default(DefaultSystem::UnlessFirst(
            "You are a helpful AI assistant named SmolLM, trained by Hugging Face",
        )),
        ..CHATML.turns
    },
    ..CHATML
};

/// The switch that turns reasoning off.
pub const NO_THINK: &str = "/no_think";
/// The switch that replaces the whole system message.
pub const OVERRIDE: &str = "/system_override";

/// SmolLM 3: ChatML with metadata, switches inside the system message, and tools as Python prints them.
pub const SMOLLM3: Family = Family {
    name: "smollm3",
    title: "SmolLM 3",
    aliases: &["HuggingFaceTB/SmolLM3-3B"],
    tokens: &[
        START, END, "<|end_of_text|>", "<|begin_of_text|>", THINK, THINK_END, NO_THINK, OVERRIDE, "<tools>", "</tools>",
        "<tool_call>", "</tool_call>", "<code>", "</code>",
    ],
    tools: true,
    turns: Turns {
        system: CHATML.turns.system.default(DefaultSystem::UnlessFirst(
            "You are a helpful AI assistant named SmolLM, trained by Hugging Face.",
        )),
        other: Other::Dropped,
        reasoning: Some((join!(THINK, "\n"), join!("\n", THINK_END, "\n"))),
        ..CHATML.turns
    },
    template: Template::SmolLm3,
    ..CHATML
};
