//! Everything that is said of a mistake in a prompt: one function for each message, one file for each subject.
//!
//! The compiler, the parser and the templates of run time find mistakes; what is said of them stands here and nowhere else:
//! the message, a few words beside the mark, and what to type. [`Problem`] can be made in no other place.
//!
//! ```
//! use prompt_syntax::{Dialect, Span, problem};
//!
//! let form = problem::field::Form::Derive;
//! let problem = problem::field::unused(form, "tone", Dialect::Jinja, "the template");
//! assert_eq!(problem.message(), "no slot uses the field `tone`");
//! assert_eq!(
//!     problem.help(),
//!     Some("write `{{ tone }}` in the template, or mark the field `#[prompt(skip)]`"),
//! );
//! assert_eq!(problem.at(Span::new(0, 4)).span.end, 4);
//! ```
//!
//! Texts are lower-case and without a final stop; names stand in backticks; labels are a few words; a help begins with a verb
//! and can be typed in. Where a message is one of the compiler's numbered errors (`docs/errors.md`), its function or its file
//! says the number.

pub mod answer;
pub mod attribute;
pub mod block;
pub mod call;
pub mod examples;
pub mod expr;
pub mod feature;
pub mod field;
pub mod file;
pub mod format;
pub mod fragment;
pub mod front_matter;
pub mod function;
pub mod item;
#[cfg(feature = "jinja")]
pub mod jinja;
pub mod name;
pub mod role;
pub mod slot;
#[cfg(feature = "jinja")]
pub mod subset;
pub mod tag;
pub mod template;
pub mod tools;
pub mod types;
pub mod value;
pub mod word;

use std::fmt;

use crate::suggest::closest;
use crate::{Error, Span};

/// What is said of a mistake. [`Problem::at`] gives it a place in a template; in an attribute the place is a token's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    message: String,
    label: Option<String>,
    help: Option<String>,
    pub(crate) related: Vec<(Span, String)>,
}

impl Problem {
    fn new(message: impl Into<String>) -> Problem {
        Problem {
            message: message.into(),
            label: None,
            help: None,
            related: Vec::new(),
        }
    }

    fn labelled(mut self, label: impl Into<String>) -> Problem {
        self.label = Some(label.into());
        self
    }

    fn helped(mut self, help: impl Into<String>) -> Problem {
        self.help = Some(help.into());
        self
    }

    fn related_to(mut self, span: Span, label: impl Into<String>) -> Problem {
        self.related.push((span, label.into()));
        self
    }

    /// The problem at its place.
    pub fn at(self, span: Span) -> Error {
        Error {
            span,
            problem: self,
        }
    }

    /// What is wrong.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// A few words beside the mark.
    pub fn label(&self) -> Option<&str> {
        self.label.as_deref()
    }

    /// What to type, beginning with a verb.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// Other places that matter, each with a few words.
    pub fn related(&self) -> &[(Span, String)] {
        &self.related
    }
}

/// The message and the help, as rustc shows them where there is no drawing.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, "\n  = help: {help}"),
            None => Ok(()),
        }
    }
}

/// The name that was meant, or all there are.
fn meant(name: &str, known: &[&str]) -> String {
    match closest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            // Of a name that was cut off, all that begin with it.
            let longer: Vec<&str> = known
                .iter()
                .copied()
                .filter(|known| name.len() > 2 && known.starts_with(name))
                .collect();
            match longer[..] {
                [only] => format!("did you mean `{only}`?"),
                [] => format!("write one of {}", listed(known)),
                _ => format!("write one of {}", listed(&longer)),
            }
        }
    }
}

/// Names, each in backticks.
fn listed(names: &[&str]) -> String {
    format!("`{}`", names.join("`, `"))
}

/// How many arguments are given.
fn given(count: usize) -> String {
    match count {
        0 => "none given".to_owned(),
        count => format!("{count} given"),
    }
}
