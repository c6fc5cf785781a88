//! LightRAG's prompt, which is AdalFlow's: a system prompt of sections that are dropped where they are empty.
//!
//! A preset and the values of a call are Rust values, put together by struct update:
//!
//! ```
//! use prompt_compat::lightrag::{self, Sections};
//! use prompt_core::{Prompt, format};
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
//! // Real messages, not a text that is cut apart at its tags:
//! let messages = ask.messages();
//! assert_eq!(messages[0].text(), "Answer from the context.\n<CONTEXT>\n['The Louvre is in Paris.']\n</CONTEXT>");
//! assert_eq!(messages[1].text(), "Where is the Louvre?");
//!
//! // The one text of AdalFlow's own template, or of any model:
//! assert!(lightrag::ADALFLOW.text(&ask)?.starts_with("<START_OF_SYSTEM_PROMPT>\nAnswer from the context.\n"));
//! assert!(ask.to_text(format::LLAMA3)?.ends_with("<|start_header_id|>assistant<|end_header_id|>\n\n"));
//! println!("{}", messages.preview());
//! # Ok::<(), prompt_core::Error>(())
//! ```
//!
//! A section is there if Python would take its value for true: `""`, `0`, `false`, an empty list and a missing `Option` are not.
//! Lists and numbers are written as Python writes them. A fragment is a section too, with fragments in it at any depth.
//!
//! The default template changed with the releases. Each is a [`Layout`] of the same sections:
//!
//! | layout | releases |
//! | --- | --- |
//! | [`ADALFLOW`] | AdalFlow 1.0.5a1 to 1.1.3 |
//! | [`ADALFLOW_0_2`] | AdalFlow 0.2.0b1 to 1.0.4 |
//! | [`LIGHTRAG`] | LightRAG 0.0.0a16 to 0.1.0b6 |
//! | [`LIGHTRAG_2024_07`] | LightRAG 0.0.0a8 to a15 |
//! | [`LIGHTRAG_2024_06`] | LightRAG 0.0.0a1 to a7 |
//! | [`LIGHTRAG_2024_05`] | none: what the documents printed on 17 May 2024 |
//! | [`LIGHTRAG_2024_05_16`] | none: the first one, of the day before |
//!
//! What a section holds is data: a tag of the layout in it is broken up ([`Guard`](prompt_core::Guard)), and cannot end a section or
//! begin a message.

mod layout;
mod releases;
mod section;

pub use layout::Layout;
pub use releases::{
    ADALFLOW, ADALFLOW_0_2, LIGHTRAG, LIGHTRAG_2024_05, LIGHTRAG_2024_05_16, LIGHTRAG_2024_06,
    LIGHTRAG_2024_07,
};
pub use section::Section;

use prompt_core::{Fingerprint, Messages, Prompt, PromptInfo, Reply, Result, Slots, Writer};

/// The values of the sections. Any of them may be missing.
///
/// ```
/// use prompt_compat::lightrag::Sections;
/// use prompt_core::Prompt;
///
/// let ask = Sections { input: "Hi".into(), ..Sections::default() };
/// assert_eq!(ask.messages()[0].text(), "You are a helpful assistant.");
/// let names: Vec<&str> = Sections::INFO.slots.iter().map(|slot| slot.name).collect();
/// assert_eq!(names[..3], ["task_desc_str", "input_format_str", "output_format_str"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sections {
    /// What the model is to do (`task_desc_str`); without it, it is a helpful assistant.
    pub task: Section,
    /// How the input is written (`input_format_str`).
    pub input_format: Section,
    /// How the output is to be written (`output_format_str`).
    pub output_format: Section,
    /// The tools that the model may use (`tools_str`).
    pub tools: Section,
    /// Worked examples (`examples_str`).
    pub examples: Section,
    /// What was said before (`chat_history_str`).
    pub chat_history: Section,
    /// What was retrieved (`context_str`).
    pub context: Section,
    /// What is asked (`input_str`).
    pub input: Section,
    /// What the model has done so far (`steps_str`).
    pub steps: Section,
}

/// The slots, as AdalFlow calls them.
const SLOTS: Slots = {
    macro_rules! slots {
        ($($role:ident $name:ident)*) => {
            Slots::of(concat!($(stringify!($role), " ", stringify!($name), " ", line!(), " ", column!(), "\n",)*))
        };
    }
    slots! {
        system task_desc_str
        system input_format_str
        system output_format_str
        system tools_str
        system examples_str
        system chat_history_str
        system context_str
        user input_str
        user steps_str
    }
};

/// The messages of [`ADALFLOW`]: its system prompt, and the input with the steps.
#[diagnostic::do_not_recommend]
impl Prompt for Sections {
    type Output = String;
    const INFO: PromptInfo = PromptInfo {
        name: "Sections",
        doc: "LightRAG's system prompt of sections.",
        model: None,
        slots: SLOTS,
        file: file!(),
        line: line!(),
        column: column!(),
        fingerprint: Fingerprint(0x6c69_6768_7472_6167),
    };

    fn render(&self, out: &mut Writer) {
        let messages = match ADALFLOW.messages(self) {
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

    fn read(reply: &Reply) -> Result<String> {
        Messages::read(reply)
    }
}
