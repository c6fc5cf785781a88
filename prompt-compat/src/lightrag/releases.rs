//! The default templates of the releases, as data.

use prompt_core::format::{ControlTokenSet, Family};
use prompt_core::{Guard, Role};

use super::layout::{Layout, LayoutPiece, TagPair, Tags, Variable};

const TASK: LayoutPiece = LayoutPiece::Section(Variable::Task, None);
/// In releases since July 2024.
const TASK_OR_HELPFUL: LayoutPiece = LayoutPiece::TaskOr("You are a helpful assistant.");
const INPUT_FORMAT: LayoutPiece =
    tagged_section(Variable::InputFormat, "<INPUT_FORMAT>", "</INPUT_FORMAT>");
const OUTPUT_FORMAT: LayoutPiece = tagged_section(
    Variable::OutputFormat,
    "<OUTPUT_FORMAT>",
    "</OUTPUT_FORMAT>",
);
const TOOLS: LayoutPiece = tagged_section(Variable::Tools, "<TOOLS>", "</TOOLS>");
const EXAMPLES: LayoutPiece = tagged_section(Variable::Examples, "<EXAMPLES>", "</EXAMPLES>");
const CHAT_HISTORY: LayoutPiece =
    tagged_section(Variable::ChatHistory, "<CHAT_HISTORY>", "</CHAT_HISTORY>");
const CONTEXT: LayoutPiece = tagged_section(Variable::Context, "<CONTEXT>", "</CONTEXT>");
const STEPS: LayoutPiece = tagged_section(Variable::Steps, "<STEPS>", "</STEPS>");
const ASSISTANT_STEPS: LayoutPiece = tagged_section(
    Variable::Steps,
    "<START_OF_ASSISTANT_STEPS>",
    "<END_OF_ASSISTANT_STEPS>",
);
const INPUT: LayoutPiece = LayoutPiece::Section(Variable::Input, None);

const fn tagged_section(
    variable: Variable,
    open: &'static str,
    close: &'static str,
) -> LayoutPiece {
    LayoutPiece::Section(variable, Some(TagPair(open, close)))
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

/// The family of the first layout, which has delimiters of Llama 2.
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
/// use typed_prompt::compat::lightrag::{ADALFLOW, Sections};
///
/// assert_eq!(
///     ADALFLOW.to_text(&Sections { input: "Hi".into(), steps: "1. Read.".into(), ..Sections::default() })?,
///     "<START_OF_SYSTEM_PROMPT>\nYou are a helpful assistant.\n<END_OF_SYSTEM_PROMPT>\n\
///      <START_OF_USER_PROMPT>\nHi\n<START_OF_ASSISTANT_STEPS>\n1. Read.\n<END_OF_ASSISTANT_STEPS>\n<END_OF_USER_PROMPT>\n"
/// );
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub const ADALFLOW: Layout = Layout {
    tokens: const { &ControlTokenSet::new(&ADALFLOW_FAMILY) },
    indent: "",
    pieces: &[ADALFLOW_SYSTEM, adalflow_user(&[INPUT, ASSISTANT_STEPS])],
    guard: Guard::Neutralise,
};

const ADALFLOW_SYSTEM: LayoutPiece = LayoutPiece::Message(
    Role::System,
    Tags::Always(TagPair(
        "<START_OF_SYSTEM_PROMPT>",
        "<END_OF_SYSTEM_PROMPT>",
    )),
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

const fn adalflow_user(pieces: &'static [LayoutPiece]) -> LayoutPiece {
    let tag = TagPair("<START_OF_USER_PROMPT>", "<END_OF_USER_PROMPT>");
    LayoutPiece::Message(Role::User, Tags::Always(tag), pieces)
}

/// AdalFlow 0.2.0b1 to 1.0.4: the steps follow the user's prompt.
///
/// ```
/// use typed_prompt::compat::lightrag::{ADALFLOW_0_2, Sections};
///
/// let text = ADALFLOW_0_2.to_text(&Sections { steps: "1. Read.".into(), ..Sections::default() })?;
/// assert!(text.ends_with("<END_OF_USER_PROMPT>\n<START_OF_ASSISTANT_STEPS>\n1. Read.\n<END_OF_ASSISTANT_STEPS>\n"));
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub const ADALFLOW_0_2: Layout = Layout {
    pieces: &[ADALFLOW_SYSTEM, adalflow_user(&[INPUT]), ASSISTANT_STEPS],
    ..ADALFLOW
};

/// LightRAG 0.0.0a16 to 0.1.0b6.
///
/// ```
/// use typed_prompt::compat::lightrag::{LIGHTRAG, Sections};
///
/// assert_eq!(LIGHTRAG.to_text(&Sections::default())?, "<SYS>\nYou are a helpful assistant.\n</SYS>\nYou:\n");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub const LIGHTRAG: Layout = Layout {
    tokens: const { &ControlTokenSet::new(&LIGHTRAG_FAMILY) },
    indent: "",
    pieces: &[
        LayoutPiece::Message(
            Role::System,
            Tags::Always(SYS),
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
    ],
    guard: Guard::Neutralise,
};

const SYS: TagPair = TagPair("<SYS>", "</SYS>");
const LIGHTRAG_USER: LayoutPiece = LayoutPiece::Message(
    Role::User,
    Tags::IfFilled(TagPair("<User>", "</User>")),
    &[INPUT],
);
const YOU: LayoutPiece = LayoutPiece::Text("You:\n");

/// LightRAG 0.0.0a8 to a15: an empty system prompt is omitted.
///
/// ```
/// use typed_prompt::compat::lightrag::{LIGHTRAG_2024_07, Sections};
///
/// assert_eq!(LIGHTRAG_2024_07.to_text(&Sections::default())?, "You:\n");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub const LIGHTRAG_2024_07: Layout = Layout {
    pieces: &[SYSTEM_IF_FILLED, LIGHTRAG_USER, YOU],
    ..LIGHTRAG
};

/// LightRAG of June 2024 (0.0.0a1 to a7): the same after an empty line.
///
/// ```
/// use typed_prompt::compat::lightrag::{LIGHTRAG_2024_06, Sections};
///
/// assert_eq!(LIGHTRAG_2024_06.to_text(&Sections::default())?, "\nYou:\n");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub const LIGHTRAG_2024_06: Layout = Layout {
    pieces: &[
        LayoutPiece::Text("\n"),
        SYSTEM_IF_FILLED,
        LIGHTRAG_USER,
        YOU,
    ],
    ..LIGHTRAG
};

const SYSTEM_IF_FILLED: LayoutPiece = LayoutPiece::Message(
    Role::System,
    Tags::IfFilled(SYS),
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
/// use typed_prompt::compat::lightrag::{LIGHTRAG_2024_05, Sections};
///
/// let ask = Sections { task: "Sum up.".into(), context: "A page.".into(), ..Sections::default() };
/// assert_eq!(LIGHTRAG_2024_05.to_text(&ask)?, " Sum up.\n <CONTEXT>\n A page.\n </CONTEXT>\n");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
///
/// An input or an output format is an error: the layout does not contain it.
pub const LIGHTRAG_2024_05: Layout = Layout {
    indent: " ",
    pieces: &[LayoutPiece::Message(
        Role::System,
        Tags::None,
        &[TASK, TOOLS, EXAMPLES, CHAT_HISTORY, CONTEXT, STEPS],
    )],
    ..LIGHTRAG
};

/// The first LightRAG, of 16 May 2024: one text with delimiters of Llama 2, and the input in its middle.
///
/// ```
/// use typed_prompt::compat::lightrag::{LIGHTRAG_2024_05_16, Sections};
///
/// let ask = Sections { task: "Sum up.".into(), input: "This page.".into(), ..Sections::default() };
/// assert_eq!(
///     LIGHTRAG_2024_05_16.to_text(&ask)?,
///     "\n<<SYS>>Sum up.\n<</SYS>>\n---------------------\nUser query: This page.\nYou:\n"
/// );
/// # Ok::<(), typed_prompt::Error>(())
/// ```
///
/// An input (`query_str`) is required: the original writes a missing one as `None`, and here it is an error. A format of the
/// input or of the output is an error too.
pub const LIGHTRAG_2024_05_16: Layout = Layout {
    tokens: const { &ControlTokenSet::new(&FIRST_FAMILY) },
    pieces: &[
        LayoutPiece::Text("\n<<SYS>>"),
        LayoutPiece::Message(Role::System, Tags::None, &[TASK, TOOLS, EXAMPLES]),
        LayoutPiece::Text("<</SYS>>\n---------------------\n"),
        CHAT_HISTORY,
        LayoutPiece::Required("User query: ", Variable::Query),
        CONTEXT,
        LayoutPiece::Section(Variable::Steps, None),
        YOU,
    ],
    ..LIGHTRAG
};
