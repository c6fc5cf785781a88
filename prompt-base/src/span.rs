//! A range of bytes in a text.

use std::ops::Range;

/// A range of bytes in a text.
///
/// ```
/// use prompt_base::Span;
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

    /// The smallest span that contains both.
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
