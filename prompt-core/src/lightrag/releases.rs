//! The default templates of the releases, as data.

use super::layout::{Frame, Kind, Layout, Steps, Tag};
use crate::Guard;
use crate::format::Family;

const INPUT_FORMAT: (Kind, Tag) = (Kind::InputFormat, Tag("<INPUT_FORMAT>", "</INPUT_FORMAT>"));
const OUTPUT_FORMAT: (Kind, Tag) = (
    Kind::OutputFormat,
    Tag("<OUTPUT_FORMAT>", "</OUTPUT_FORMAT>"),
);
const TOOLS: (Kind, Tag) = (Kind::Tools, Tag("<TOOLS>", "</TOOLS>"));
const EXAMPLES: (Kind, Tag) = (Kind::Examples, Tag("<EXAMPLES>", "</EXAMPLES>"));
const CHAT_HISTORY: (Kind, Tag) = (Kind::ChatHistory, Tag("<CHAT_HISTORY>", "</CHAT_HISTORY>"));
const CONTEXT: (Kind, Tag) = (Kind::Context, Tag("<CONTEXT>", "</CONTEXT>"));
const STEPS: (Kind, Tag) = (Kind::Steps, Tag("<STEPS>", "</STEPS>"));
pub(super) const ASSISTANT_STEPS: Tag =
    Tag("<START_OF_ASSISTANT_STEPS>", "<END_OF_ASSISTANT_STEPS>");
const HELPFUL: &str = "You are a helpful assistant.";

const ADALFLOW_FAMILY: Family = Family {
    name: "adalflow",
    title: "AdalFlow",
    tokens: &[
        "<START_OF_SYSTEM_PROMPT>",
        "<END_OF_SYSTEM_PROMPT>",
        "<START_OF_USER_PROMPT>",
        "<END_OF_USER_PROMPT>",
        "<START_OF_ASSISTANT_STEPS>",
        "<END_OF_ASSISTANT_STEPS>",
        "<INPUT_FORMAT>",
        "</INPUT_FORMAT>",
        "<OUTPUT_FORMAT>",
        "</OUTPUT_FORMAT>",
        "<TOOLS>",
        "</TOOLS>",
        "<EXAMPLES>",
        "</EXAMPLES>",
        "<CHAT_HISTORY>",
        "</CHAT_HISTORY>",
        "<CONTEXT>",
        "</CONTEXT>",
    ],
    system: true,
    ..Family::BARE
};

const LIGHTRAG_FAMILY: Family = Family {
    name: "lightrag",
    title: "LightRAG",
    tokens: &[
        "<SYS>",
        "</SYS>",
        "<User>",
        "</User>",
        "<OUTPUT_FORMAT>",
        "</OUTPUT_FORMAT>",
        "<TOOLS>",
        "</TOOLS>",
        "<EXAMPLES>",
        "</EXAMPLES>",
        "<CHAT_HISTORY>",
        "</CHAT_HISTORY>",
        "<CONTEXT>",
        "</CONTEXT>",
        "<STEPS>",
        "</STEPS>",
    ],
    system: true,
    ..Family::BARE
};

/// AdalFlow 1.1.3.
///
/// ```
/// use prompt_core::lightrag::{ADALFLOW, Sections};
///
/// assert_eq!(
///     ADALFLOW.text(&Sections { input: "Hi".into(), steps: "1. Read.".into(), ..Sections::default() })?,
///     "<START_OF_SYSTEM_PROMPT>\nYou are a helpful assistant.\n<END_OF_SYSTEM_PROMPT>\n\
///      <START_OF_USER_PROMPT>\nHi\n<START_OF_ASSISTANT_STEPS>\n1. Read.\n<END_OF_ASSISTANT_STEPS>\n<END_OF_USER_PROMPT>\n"
/// );
/// # Ok::<(), prompt_core::Error>(())
/// ```
pub const ADALFLOW: Layout = Layout {
    family: &ADALFLOW_FAMILY,
    before: "",
    indent: "",
    system: Frame::Always(Tag("<START_OF_SYSTEM_PROMPT>", "<END_OF_SYSTEM_PROMPT>")),
    task: Some(HELPFUL),
    sections: &[
        INPUT_FORMAT,
        OUTPUT_FORMAT,
        TOOLS,
        EXAMPLES,
        CHAT_HISTORY,
        CONTEXT,
    ],
    user: Frame::Always(Tag("<START_OF_USER_PROMPT>", "<END_OF_USER_PROMPT>")),
    steps: Steps::InUser,
    end: "",
    guard: Guard::Neutralise,
};

/// AdalFlow 0.2.0 to 1.0.0: the steps stand behind the user's prompt.
///
/// ```
/// use prompt_core::lightrag::{ADALFLOW_0_2, Sections};
///
/// let text = ADALFLOW_0_2.text(&Sections { steps: "1. Read.".into(), ..Sections::default() })?;
/// assert!(text.ends_with("<END_OF_USER_PROMPT>\n<START_OF_ASSISTANT_STEPS>\n1. Read.\n<END_OF_ASSISTANT_STEPS>\n"));
/// # Ok::<(), prompt_core::Error>(())
/// ```
pub const ADALFLOW_0_2: Layout = Layout {
    steps: Steps::AfterUser,
    ..ADALFLOW
};

/// LightRAG 0.0.0a17 to 0.1.0b6.
///
/// ```
/// use prompt_core::lightrag::{LIGHTRAG, Sections};
///
/// assert_eq!(LIGHTRAG.text(&Sections::default())?, "<SYS>\nYou are a helpful assistant.\n</SYS>\nYou:\n");
/// # Ok::<(), prompt_core::Error>(())
/// ```
pub const LIGHTRAG: Layout = Layout {
    family: &LIGHTRAG_FAMILY,
    before: "",
    indent: "",
    system: Frame::Always(Tag("<SYS>", "</SYS>")),
    task: Some(HELPFUL),
    sections: &[OUTPUT_FORMAT, TOOLS, EXAMPLES, CHAT_HISTORY, CONTEXT, STEPS],
    user: Frame::Filled(Tag("<User>", "</User>")),
    steps: Steps::InSystem,
    end: "You:\n",
    guard: Guard::Neutralise,
};

/// LightRAG of June 2024 (0.0.0a1 to a6): no system prompt where nothing is in it.
///
/// ```
/// use prompt_core::lightrag::{LIGHTRAG_2024_06, Sections};
///
/// assert_eq!(LIGHTRAG_2024_06.text(&Sections::default())?, "\nYou:\n");
/// # Ok::<(), prompt_core::Error>(())
/// ```
pub const LIGHTRAG_2024_06: Layout = Layout {
    before: "\n",
    system: Frame::Filled(Tag("<SYS>", "</SYS>")),
    task: None,
    ..LIGHTRAG
};

/// LightRAG of May 2024, as its documents print it: a system prompt alone, each line of it one space further in.
///
/// ```
/// use prompt_core::lightrag::{LIGHTRAG_2024_05, Sections};
///
/// let ask = Sections { task: "Sum up.".into(), context: "A page.".into(), ..Sections::default() };
/// assert_eq!(LIGHTRAG_2024_05.text(&ask)?, " Sum up.\n <CONTEXT>\n A page.\n </CONTEXT>\n");
/// # Ok::<(), prompt_core::Error>(())
/// ```
///
/// It has no place for an input or an output format: one that is given is an error.
pub const LIGHTRAG_2024_05: Layout = Layout {
    indent: " ",
    system: Frame::None,
    task: None,
    sections: &[TOOLS, EXAMPLES, CHAT_HISTORY, CONTEXT, STEPS],
    user: Frame::Missing,
    end: "",
    ..LIGHTRAG
};
