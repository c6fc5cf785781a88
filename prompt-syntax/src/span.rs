//! Byte ranges in a template, and values with a span.

use std::hash::{Hash, Hasher};
use std::ops::{Deref, Range};

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
