use std::fmt;

use crate::Span;

/// What is wrong in a template, where, and what to type instead.
///
/// ```
/// use prompt_syntax::{Error, Span};
///
/// let error = Error::new(Span::new(4, 9), "this block is never closed")
///     .label("opened here")
///     .help("add `</if>`");
/// assert_eq!(error.help.as_deref(), Some("add `</if>`"));
/// assert_eq!(error.to_string(), "this block is never closed");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The words to mark.
    pub span: Span,
    /// What is wrong: lower-case, without a final stop.
    pub message: String,
    /// A few words beside the mark.
    pub label: Option<String>,
    /// What to type, beginning with a verb.
    pub help: Option<String>,
    /// Other places that matter, each with a few words.
    pub related: Vec<(Span, String)>,
}

impl Error {
    /// An error at a place.
    pub fn new(span: Span, message: impl Into<String>) -> Error {
        Error {
            span,
            message: message.into(),
            label: None,
            help: None,
            related: Vec::new(),
        }
    }

    /// Adds a few words beside the mark.
    pub fn label(mut self, label: impl Into<String>) -> Error {
        self.label = Some(label.into());
        self
    }

    /// Adds what to type.
    pub fn help(mut self, help: impl Into<String>) -> Error {
        self.help = Some(help.into());
        self
    }

    /// Adds another place.
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Error {
        self.related.push((span, label.into()));
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
