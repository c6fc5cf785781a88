//! A problem together with its span in the template.

use std::fmt;
use std::ops::Deref;

use crate::Span;
use crate::problem::Problem;

/// A [`Problem`] and the words of the template that have it.
///
/// ```
/// use prompt_syntax::{Dialect, Options, Span, parse};
///
/// let parsed = parse("<if a>yes", Options::message(Dialect::Angle));
/// let error = &parsed.errors[0];
/// assert_eq!((error.span, error.message()), (Span::new(0, 6), "this block is never closed"));
/// assert_eq!(error.help(), Some("add `</if>`, or write `\\<if a>` to keep it as text"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The words to mark.
    pub span: Span,
    /// What is said of them.
    pub problem: Problem,
}

impl Error {
    /// The same in a longer text, which has that many bytes before it.
    pub fn moved(mut self, by: usize) -> Error {
        let moved = |span: Span| Span::new(span.start + by, span.end + by);
        self.span = moved(self.span);
        for (span, _) in &mut self.problem.related {
            *span = moved(*span);
        }
        self
    }
}

impl Deref for Error {
    type Target = Problem;

    fn deref(&self) -> &Problem {
        &self.problem
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl std::error::Error for Error {}
