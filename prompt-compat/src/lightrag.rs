//! LightRAG's prompt, which is AdalFlow's: a system prompt of sections, of which empty ones are omitted.
//!
//! Matched are the default templates of the Python packages `lightrag` and `adalflow` in all their releases, and two that
//! were only in the repository. A preset and the values of a call are Rust values, combined by struct update:
//!
//! ```
//! use typed_prompt::{Prompt, compat::lightrag::{self, Sections}, format};
//!
//! let preset = Sections {
//!     task: "Answer from the context.".into(),
//!     ..Sections::default()
//! };
//! let passages = ["The Louvre is in Paris."];
//! let ask = Sections {
//!     context: passages.into(),
//!     input: "Where is the Louvre?".into(),
//!     ..preset.clone()
//! };
//!
//! // Messages, which are not parsed from a text with tags:
//! let messages = ask.messages()?;
//! assert_eq!(messages[0].text(), "Answer from the context.\n<CONTEXT>\n['The Louvre is in Paris.']\n</CONTEXT>");
//! assert_eq!(messages[1].text(), "Where is the Louvre?");
//!
//! // One text, by AdalFlow's own template or in the format of a model:
//! assert!(lightrag::ADALFLOW.to_text(&ask)?.starts_with("<START_OF_SYSTEM_PROMPT>\nAnswer from the context.\n"));
//! assert!(ask.to_text(format::LLAMA3)?.ends_with("<|start_header_id|>assistant<|end_header_id|>\n\n"));
//! println!("{}", messages.preview());
//! # Ok::<(), typed_prompt::Error>(())
//! ```
//!
//! A section is written if Python takes its value for true: `""`, `0`, `false`, an empty list and `None` are omitted. Lists
//! and numbers are written as Python prints them. A fragment is a section too, with nested fragments at any depth.
//!
//! The default template differs between releases. Each version is a [`Layout`] of the same sections:
//!
//! | layout | releases that it matches |
//! | --- | --- |
//! | [`ADALFLOW`] | AdalFlow 1.0.5a1 to 1.1.3 |
//! | [`ADALFLOW_0_2`] | AdalFlow 0.2.0b1 to 1.0.4 |
//! | [`LIGHTRAG`] | LightRAG 0.0.0a16 to 0.1.0b6 |
//! | [`LIGHTRAG_2024_07`] | LightRAG 0.0.0a8 to a15 |
//! | [`LIGHTRAG_2024_06`] | LightRAG 0.0.0a1 to a7 |
//! | [`LIGHTRAG_2024_05`] | none: printed in the documents of 17 May 2024 |
//! | [`LIGHTRAG_2024_05_16`] | none: the first version, of 16 May 2024 |
//!
//! Values are data: the [`Guard`](prompt_core::Guard) breaks the layout's tags in them, so that no value ends a section or
//! begins a message.

mod layout;
mod releases;

pub use layout::Layout;
pub use releases::{
    ADALFLOW, ADALFLOW_0_2, LIGHTRAG, LIGHTRAG_2024_05, LIGHTRAG_2024_05_16, LIGHTRAG_2024_06,
    LIGHTRAG_2024_07,
};

use std::fmt;

use prompt_core::{
    Error, Messages, Origin, Prompt, PromptInfo, Reply, Result, Role, SlotInfo, Slots, Text, Writer,
};
use prompt_jinja::{ToValue, Value};

/// The values of the sections. Any of them may be missing.
///
/// ```
/// use typed_prompt::{Prompt, compat::lightrag::Sections};
///
/// let ask = Sections { input: "Hi".into(), ..Sections::default() };
/// assert_eq!(ask.messages()?[0].text(), "You are a helpful assistant.");
/// let names: Vec<&str> = Sections::INFO.slots.iter().map(|slot| slot.name).collect();
/// assert_eq!(names[..3], ["task_desc_str", "input_format_str", "output_format_str"]);
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sections {
    /// The task (`task_desc_str`); the default is a helpful assistant.
    pub task: Section,
    /// The format of the input (`input_format_str`).
    pub input_format: Section,
    /// The format of the output (`output_format_str`).
    pub output_format: Section,
    /// The tools that the model may use (`tools_str`).
    pub tools: Section,
    /// Few-shot examples (`examples_str`).
    pub examples: Section,
    /// Earlier turns (`chat_history_str`).
    pub chat_history: Section,
    /// Retrieved passages (`context_str`).
    pub context: Section,
    /// The question (`input_str`).
    pub input: Section,
    /// The steps that the model has taken (`steps_str`).
    pub steps: Section,
}

/// The slots, by AdalFlow's names.
const SLOTS: &[SlotInfo] = {
    macro_rules! slots {
        ($($role:ident $name:ident)*) => {
            &[$(SlotInfo::new(Some(Role::$role), stringify!($name), line!(), column!()),)*]
        };
    }
    slots! {
        System task_desc_str
        System input_format_str
        System output_format_str
        System tools_str
        System examples_str
        System chat_history_str
        System context_str
        User input_str
        User steps_str
    }
};

/// The messages of [`ADALFLOW`]: its system prompt, and the input with the steps.
#[diagnostic::do_not_recommend]
impl Prompt for Sections {
    type Output = String;
    const INFO: PromptInfo = PromptInfo::new("Sections")
        .with_doc("LightRAG's system prompt of sections.")
        .with_slots(Slots::new(SLOTS))
        .with_position(file!(), line!(), column!())
        .with_fingerprint(0x6c69_6768_7472_6167);

    fn render(&self, out: &mut Writer) {
        let messages = match ADALFLOW.message_texts(self) {
            Ok(messages) => messages,
            Err(error) => return out.fail(error),
        };
        for (role, text) in messages {
            if !text.is_empty() {
                out.role(role);
                out.push(&text);
            }
        }
    }

    fn parse_reply(reply: &Reply) -> Result<String> {
        Messages::parse_reply(reply)
    }
}

/// The value of one section.
///
/// ```
/// use typed_prompt::compat::lightrag::Section;
///
/// assert!(Section::from("0").is_filled());
/// assert!(!Section::from(0).is_filled());
/// assert_eq!(Section::from(["a", "b"]).to_string(), "['a', 'b']");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Section(SectionState);

#[derive(Clone, Debug, Default)]
enum SectionState {
    #[default]
    Missing,
    Text(Text),
    /// The value could not be written.
    Failed(Error),
}

impl Section {
    /// Whether the section is written: whether Python takes its value for true.
    pub fn is_filled(&self) -> bool {
        !matches!(self.0, SectionState::Missing)
    }

    /// The text, if the section is written.
    fn filled_text(&self) -> Result<Option<&Text>> {
        match &self.0 {
            SectionState::Missing => Ok(None),
            SectionState::Text(text) => Ok(Some(text)),
            SectionState::Failed(error) => Err(error.clone()),
        }
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            SectionState::Text(text) => f.write_str(text.as_str()),
            SectionState::Missing | SectionState::Failed(_) => Ok(()),
        }
    }
}

/// From strings, numbers, lists, maps, fragments, and an `Option` of any of them.
impl<T: ToValue> From<T> for Section {
    fn from(value: T) -> Section {
        fn section_state(value: &Value<'_>) -> Result<SectionState> {
            if !value.is_true()? {
                return Ok(SectionState::Missing);
            }
            Ok(SectionState::Text(value.to_text()?))
        }
        let value = value.to_value(Origin::Data(None));
        Section(section_state(&value).unwrap_or_else(SectionState::Failed))
    }
}
