//! Byte ranges in a template, and values with a span.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, Range};

use crate::problem::Problem;

/// A range of bytes in the text that was parsed.
///
/// ```
/// use prompt_syntax::Span;
///
/// assert_eq!(Span::new(2, 5).of("a <b> c"), "<b>");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
}

impl Span {
    /// A span from `start` up to `end`.
    pub const fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    /// The smallest span that holds both.
    pub fn to(self, other: Span) -> Span {
        Span::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// The text under the span; empty where it lies outside `text` or splits a character.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or_default()
    }

    /// The same as a range.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// A value, and where it was written. Two of them are equal when their values are.
///
/// ```
/// use prompt_syntax::{Span, Spanned};
///
/// let a = Spanned::new("name", Span::new(1, 5));
/// assert_eq!(a, Spanned::new("name", Span::new(7, 11)));
/// assert_eq!(a.len(), 4);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it was written.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// A value at its place.
    pub fn new(value: T, span: Span) -> Spanned<T> {
        Spanned { value, span }
    }
}

impl<T> Deref for Spanned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

// A tree is compared with another for what it says; where that was written is no part of it.
impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Spanned<T>) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Spanned<T> {}

impl<T: Hash> Hash for Spanned<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value.hash(state);
    }
}

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
