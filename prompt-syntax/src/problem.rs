//! The messages about mistakes in a prompt: one function for each message, one file for each subject.
//!
//! The macros, the parser and run-time templates detect mistakes, and call these functions. [`Problem`] consists of a message, a
//! label and a help. Only this module and the module `problem` of the crate of another dialect construct it, so that all callers use the same
//! messages.
//!
//! ```
//! use prompt_base::Span;
//! use prompt_syntax::problem;
//!
//! let form = problem::field::MacroKind::Derive;
//! let problem = problem::field::unused_field(form, "tone", "{{ tone }}", "the template");
//! assert_eq!(problem.message(), "no slot uses the field `tone`");
//! assert_eq!(
//!     problem.help(),
//!     Some("write `{{ tone }}` in the template, or mark the field `#[prompt(skip)]`"),
//! );
//! assert_eq!(problem.at(Span::new(0, 4)).span.end, 4);
//! ```
//!
//! Messages are lowercase without a final period, with names in backticks; labels have a few words; a help starts with a verb
//! and contains code to type. If the message belongs to a numbered error (`docs/errors.md`), the doc comment of the function or of
//! the file contains the number.

pub mod answer;
pub mod attribute;
pub mod block;
pub mod call;
pub mod compare;
pub(crate) mod error;
pub mod examples;
pub mod expr;
pub mod feature;
pub mod field;
pub mod file;
pub mod format;
pub mod fragment;
pub mod front_matter;
pub mod fstring;
pub mod function;
pub mod item;
pub mod label;
pub mod literal;
pub mod name;
pub mod partial;
pub mod role;
pub mod slot;
pub mod tag;
pub mod template;
pub mod tools;
pub mod types;
pub mod value;
pub mod word;

use std::fmt;

use self::error::Error;
use crate::{Dialect, Role};
use prompt_base::Span;
use prompt_base::suggest::closest;

/// The maximum number of errors of one template: a binary file would have thousands.
pub const MAX_ERRORS: usize = 100;

/// The description of a mistake. [`Problem::at`] adds a span in a template; in an attribute, the caller reports it at a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    message: String,
    label: Option<String>,
    help: Option<String>,
    pub(crate) related: Vec<(Span, String)>,
    /// The text that may be literal, if the author did not mean a slot.
    pub(crate) pasted: Option<Box<PossiblyPasted>>,
}

/// Text of a prompt that was perhaps pasted and not written for this template language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PossiblyPasted {
    /// As it was written: `<thinking>`.
    pub(crate) written: String,
    /// The slot that it looks like, for a name in scope.
    pub(crate) slot: Option<String>,
    /// The dialect that reads it as that slot.
    pub(crate) dialect: Option<Dialect>,
    /// Whether it is most likely a mistake, such as a misspelt name, and not text.
    pub(crate) misspelt: bool,
    /// Whether it is a block's tag that cannot be parsed.
    pub(crate) block: bool,
}

impl Problem {
    /// A problem with its message alone.
    pub fn new(message: impl Into<String>) -> Problem {
        Problem {
            message: message.into(),
            label: None,
            help: None,
            related: Vec::new(),
            pasted: None,
        }
    }

    /// Notes that the text may be literal.
    fn possibly_pasted(
        self,
        written: &str,
        slot: Option<String>,
        dialect: Option<Dialect>,
    ) -> Problem {
        let pasted = PossiblyPasted {
            written: written.to_owned(),
            slot,
            dialect,
            misspelt: false,
            block: false,
        };
        Problem {
            pasted: Some(Box::new(pasted)),
            ..self
        }
    }

    /// Notes that a block's tag that cannot be parsed may be literal.
    fn pasted_block(self, written: &str) -> Problem {
        let mut problem = self.possibly_pasted(written, None, None);
        if let Some(pasted) = &mut problem.pasted {
            pasted.block = true;
        }
        problem
    }

    /// The same with this label.
    #[must_use]
    pub fn with_label(mut self, label: impl Into<String>) -> Problem {
        self.label = Some(label.into());
        self
    }

    /// The same with this help.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Problem {
        self.help = Some(help.into());
        self
    }

    /// The same with another span that it is about.
    #[must_use]
    pub fn related_to(mut self, span: Span, label: impl Into<String>) -> Problem {
        self.related.push((span, label.into()));
        self
    }

    /// Returns the problem as an error at a span of the template.
    pub fn at(self, span: Span) -> Error {
        Error {
            span,
            problem: self,
        }
    }

    /// The message: what is wrong.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The label next to the underlined span.
    pub fn label(&self) -> Option<&str> {
        self.label.as_deref()
    }

    /// The help: what to type, starting with a verb.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// Related spans, each with a label.
    pub fn related(&self) -> &[(Span, String)] {
        &self.related
    }
}

/// Writes the message and the help, which rustc prints if there is no snippet.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, "\n  = help: {help}"),
            None => Ok(()),
        }
    }
}

/// The names of keys in other libraries, and the keys here. [`Role::from_any_library`] has those of roles.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("bot", "assistant"),
    ("dialect", "syntax"),
    ("engine", "syntax"),
    ("exclude", "skip"),
    ("ignore", "skip"),
    ("instructions", "system"),
    ("language", "syntax"),
    ("path", "file"),
    ("prompt", "user"),
    ("response", "output"),
    ("returns", "output"),
    ("text", "user"),
];

/// The name here for the name of a role or key in another library.
pub(crate) fn own_name(name: &str) -> Option<&'static str> {
    let mut others = OTHER_NAMES.iter();
    let key = others.find(|(other, _)| *other == name);
    let role = || Role::from_any_library(name).map(Role::name);
    key.map(|(_, own)| *own)
        .or_else(role)
        .filter(|own| *own != name)
}

/// The help for an unknown name: the key that another library's name means, the closest known name, or all of them.
pub fn suggest_name(name: &str, known: &[&str]) -> String {
    let names = || known.iter().copied();
    let mut near: Vec<&str> = match own_name(name).filter(|key| known.contains(key)) {
        Some(key) => vec![key],
        // `system_prompt`, and both parts of `output_format`.
        None => {
            let parts = name.split('_');
            parts
                .filter_map(|part| names().find(|key| *key == part))
                .collect()
        }
    };
    if near.is_empty() {
        near.extend(closest(name, names()));
    }
    if near.is_empty() {
        // An incomplete name: all names that start with it.
        near.extend(names().filter(|known| name.len() > 2 && known.starts_with(name)));
    }
    match near[..] {
        [only] => format!("did you mean `{only}`?"),
        [] => format!("write one of {}", list_names(known)),
        _ => format!("write one of {}", list_names(&near)),
    }
}

/// Returns the names, each in backticks.
pub fn list_names(names: &[&str]) -> String {
    format!("`{}`", names.join("`, `"))
}

/// Returns the number of given arguments as a label.
pub fn count_given(count: usize) -> String {
    match count {
        0 => "none given".to_owned(),
        count => format!("{count} given"),
    }
}
