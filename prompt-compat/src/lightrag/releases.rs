//! The default templates of the releases, as data.

use super::layout::{Frame, Kind, Layout, Piece, Tag};
use prompt_core::format::Family;
use prompt_core::{Guard, Role};

const TASK: Piece = Piece::Section(Kind::Task, None);
/// Of July 2024 and later.
const TASK_OR_HELPFUL: Piece = Piece::TaskOr("You are a helpful assistant.");
const INPUT_FORMAT: Piece = tagged(Kind::InputFormat, "<INPUT_FORMAT>", "</INPUT_FORMAT>");
const OUTPUT_FORMAT: Piece = tagged(Kind::OutputFormat, "<OUTPUT_FORMAT>", "</OUTPUT_FORMAT>");
const TOOLS: Piece = tagged(Kind::Tools, "<TOOLS>", "</TOOLS>");
const EXAMPLES: Piece = tagged(Kind::Examples, "<EXAMPLES>", "</EXAMPLES>");
const CHAT_HISTORY: Piece = tagged(Kind::ChatHistory, "<CHAT_HISTORY>", "</CHAT_HISTORY>");
const CONTEXT: Piece = tagged(Kind::Context, "<CONTEXT>", "</CONTEXT>");
const STEPS: Piece = tagged(Kind::Steps, "<STEPS>", "</STEPS>");
const ASSISTANT_STEPS: Piece = tagged(
    Kind::Steps,
    "<START_OF_ASSISTANT_STEPS>",
    "<END_OF_ASSISTANT_STEPS>",
);
const INPUT: Piece = Piece::Section(Kind::Input, None);

const fn tagged(kind: Kind, open: &'static str, close: &'static str) -> Piece {
    Piece::Section(kind, Some(Tag(open, close)))
}

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

/// The family of the first text, which wrote Llama 2's marks.
const FIRST_FAMILY: Family = Family {
    tokens: &[
        "<<SYS>>",
        "<</SYS>>",
        "<TOOLS>",
        "</TOOLS>",
        "<EXAMPLES>",
        "</EXAMPLES>",
        "<CHAT_HISTORY>",
        "</CHAT_HISTORY>",
        "<CONTEXT>",
        "</CONTEXT>",
    ],
    ..LIGHTRAG_FAMILY
};

/// AdalFlow 1.0.5a1 to 1.1.3.
///
/// ```
/// use prompt_compat::lightrag::{ADALFLOW, Sections};
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
    indent: "",
    pieces: &[],
    places: 0,
    guard: Guard::Neutralise,
}
.of(&[ADALFLOW_SYSTEM, adalflow_user(&[INPUT, ASSISTANT_STEPS])]);

const ADALFLOW_SYSTEM: Piece = Piece::Message(
    Role::System,
    Frame::Always(Tag("<START_OF_SYSTEM_PROMPT>", "<END_OF_SYSTEM_PROMPT>")),
    &[
        TASK_OR_HELPFUL,
        INPUT_FORMAT,
        OUTPUT_FORMAT,
        TOOLS,
        EXAMPLES,
        CHAT_HISTORY,
        CONTEXT,
    ],
);

const fn adalflow_user(pieces: &'static [Piece]) -> Piece {
    let tag = Tag("<START_OF_USER_PROMPT>", "<END_OF_USER_PROMPT>");
    Piece::Message(Role::User, Frame::Always(tag), pieces)
}

/// AdalFlow 0.2.0b1 to 1.0.4: the steps stand behind the user's prompt.
///
/// ```
/// use prompt_compat::lightrag::{ADALFLOW_0_2, Sections};
///
/// let text = ADALFLOW_0_2.text(&Sections { steps: "1. Read.".into(), ..Sections::default() })?;
/// assert!(text.ends_with("<END_OF_USER_PROMPT>\n<START_OF_ASSISTANT_STEPS>\n1. Read.\n<END_OF_ASSISTANT_STEPS>\n"));
/// # Ok::<(), prompt_core::Error>(())
/// ```
pub const ADALFLOW_0_2: Layout =
    ADALFLOW.of(&[ADALFLOW_SYSTEM, adalflow_user(&[INPUT]), ASSISTANT_STEPS]);

/// LightRAG 0.0.0a16 to 0.1.0b6.
///
/// ```
/// use prompt_compat::lightrag::{LIGHTRAG, Sections};
///
/// assert_eq!(LIGHTRAG.text(&Sections::default())?, "<SYS>\nYou are a helpful assistant.\n</SYS>\nYou:\n");
/// # Ok::<(), prompt_core::Error>(())
/// ```
pub const LIGHTRAG: Layout = Layout {
    family: &LIGHTRAG_FAMILY,
    indent: "",
    pieces: &[],
    places: 0,
    guard: Guard::Neutralise,
}
.of(&[
    Piece::Message(
        Role::System,
        Frame::Always(SYS),
        &[
            TASK_OR_HELPFUL,
            OUTPUT_FORMAT,
            TOOLS,
            EXAMPLES,
            CHAT_HISTORY,
            CONTEXT,
            STEPS,
        ],
    ),
    LIGHTRAG_USER,
    YOU,
]);

const SYS: Tag = Tag("<SYS>", "</SYS>");
const LIGHTRAG_USER: Piece = Piece::Message(
    Role::User,
    Frame::Filled(Tag("<User>", "</User>")),
    &[INPUT],
);
const YOU: Piece = Piece::Words("You:\n");

/// LightRAG 0.0.0a8 to a15: no system prompt where nothing is in it.
///
/// ```
/// use prompt_compat::lightrag::{LIGHTRAG_2024_07, Sections};
///
/// assert_eq!(LIGHTRAG_2024_07.text(&Sections::default())?, "You:\n");
/// # Ok::<(), prompt_core::Error>(())
/// ```
pub const LIGHTRAG_2024_07: Layout = LIGHTRAG.of(&[SYSTEM_IF_FILLED, LIGHTRAG_USER, YOU]);

/// LightRAG of June 2024 (0.0.0a1 to a7): likewise, below an empty line.
///
/// ```
/// use prompt_compat::lightrag::{LIGHTRAG_2024_06, Sections};
///
/// assert_eq!(LIGHTRAG_2024_06.text(&Sections::default())?, "\nYou:\n");
/// # Ok::<(), prompt_core::Error>(())
/// ```
pub const LIGHTRAG_2024_06: Layout =
    LIGHTRAG.of(&[Piece::Words("\n"), SYSTEM_IF_FILLED, LIGHTRAG_USER, YOU]);

const SYSTEM_IF_FILLED: Piece = Piece::Message(
    Role::System,
    Frame::Filled(SYS),
    &[
        TASK,
        OUTPUT_FORMAT,
        TOOLS,
        EXAMPLES,
        CHAT_HISTORY,
        CONTEXT,
        STEPS,
    ],
);

/// LightRAG of 17 May 2024, as its documents print it: a system prompt alone, each line of it one space further in.
///
/// ```
/// use prompt_compat::lightrag::{LIGHTRAG_2024_05, Sections};
///
/// let ask = Sections { task: "Sum up.".into(), context: "A page.".into(), ..Sections::default() };
/// assert_eq!(LIGHTRAG_2024_05.text(&ask)?, " Sum up.\n <CONTEXT>\n A page.\n </CONTEXT>\n");
/// # Ok::<(), prompt_core::Error>(())
/// ```
///
/// It has no place for an input or an output format: one that is given is an error.
pub const LIGHTRAG_2024_05: Layout = Layout {
    indent: " ",
    ..LIGHTRAG.of(&[Piece::Message(
        Role::System,
        Frame::None,
        &[TASK, TOOLS, EXAMPLES, CHAT_HISTORY, CONTEXT, STEPS],
    )])
};

/// LightRAG of 16 May 2024, the first: one text in Llama 2's marks, with what is asked in its midst.
///
/// ```
/// use prompt_compat::lightrag::{LIGHTRAG_2024_05_16, Sections};
///
/// let ask = Sections { task: "Sum up.".into(), input: "This page.".into(), ..Sections::default() };
/// assert_eq!(
///     LIGHTRAG_2024_05_16.text(&ask)?,
///     "\n<<SYS>>Sum up.\n<</SYS>>\n---------------------\nUser query: This page.\nYou:\n"
/// );
/// # Ok::<(), prompt_core::Error>(())
/// ```
///
/// It asks for an input (`query_str`), which the original writes as `None` where it is not given; here that is an error.
/// A format of the input or of the output has no place.
pub const LIGHTRAG_2024_05_16: Layout = Layout {
    family: &FIRST_FAMILY,
    ..LIGHTRAG.of(&[
        Piece::Words("\n<<SYS>>"),
        Piece::Message(Role::System, Frame::None, &[TASK, TOOLS, EXAMPLES]),
        Piece::Words("<</SYS>>\n---------------------\n"),
        CHAT_HISTORY,
        Piece::Labelled("User query: ", Kind::Query),
        CONTEXT,
        Piece::Section(Kind::Steps, None),
        YOU,
    ])
};
