//! A part of a text that keeps the origin of its bytes.

use std::borrow::Cow;
use std::ops::{Deref, Range};

use crate::python::is_whitespace;
use crate::{Origin, Text};

/// A part of a text, which keeps the origin of its bytes when it is trimmed.
#[derive(Clone, Copy)]
pub(crate) struct TextSlice<'a> {
    text: &'a Text,
    start: usize,
    end: usize,
    /// Whether white space at the end is taken away, also where there was none.
    closed: bool,
}

impl<'a> TextSlice<'a> {
    pub(crate) fn new(text: &'a Text) -> TextSlice<'a> {
        TextSlice {
            text,
            start: 0,
            end: text.as_str().len(),
            closed: false,
        }
    }

    pub(crate) fn as_str(self) -> &'a str {
        &self.text.as_str()[self.start..self.end]
    }

    pub(crate) fn text(self) -> &'a Text {
        self.text
    }

    /// Its pieces, cut where their source changes.
    pub(crate) fn pieces(self) -> impl Iterator<Item = (&'a str, Origin)> {
        let mut at = 0;
        self.text.pieces().filter_map(move |(piece, source)| {
            let start = self.start.clamp(at, at + piece.len()) - at;
            let end = self.end.clamp(at, at + piece.len()) - at;
            at += piece.len();
            (start < end).then(|| (&piece[start..end], source))
        })
    }

    pub(crate) fn is_closed(self) -> bool {
        self.closed
    }

    /// `str.strip()`.
    pub(crate) fn strip(self) -> TextSlice<'a> {
        self.trim_start(is_whitespace).strip_end()
    }

    /// `str.lstrip()`.
    pub(crate) fn strip_start(self) -> TextSlice<'a> {
        self.trim_start(is_whitespace)
    }

    /// `str.rstrip()`.
    pub(crate) fn strip_end(self) -> TextSlice<'a> {
        TextSlice {
            closed: true,
            ..self.trim_end(is_whitespace)
        }
    }

    /// `str.strip('\n')`.
    pub(crate) fn strip_lines(self) -> TextSlice<'a> {
        self.trim_start(is_line).trim_end(is_line)
    }

    /// `str.lstrip('\n')`.
    pub(crate) fn strip_lines_start(self) -> TextSlice<'a> {
        self.trim_start(is_line)
    }

    /// `str.rstrip('\n')`.
    pub(crate) fn strip_lines_end(self) -> TextSlice<'a> {
        self.trim_end(is_line)
    }

    fn trim_start(self, take: impl Fn(char) -> bool) -> TextSlice<'a> {
        TextSlice {
            start: self.end - self.as_str().trim_start_matches(take).len(),
            ..self
        }
    }

    fn trim_end(self, take: impl Fn(char) -> bool) -> TextSlice<'a> {
        TextSlice {
            end: self.start + self.as_str().trim_end_matches(take).len(),
            ..self
        }
    }

    /// With what was taken off the end.
    pub(crate) fn whole_end(self) -> TextSlice<'a> {
        TextSlice {
            end: self.text.as_str().len(),
            ..self
        }
    }

    /// A part of it.
    pub(crate) fn part(self, range: Range<usize>) -> TextSlice<'a> {
        let closed = self.closed && range.end == self.end - self.start;
        TextSlice {
            start: self.start + range.start,
            end: self.start + range.end,
            closed,
            ..self
        }
    }

    /// The text before the first `token`; everything, if there is none.
    pub(crate) fn before(self, token: &str) -> TextSlice<'a> {
        self.part(0..self.as_str().find(token).unwrap_or(self.as_str().len()))
    }

    /// The text after the first `token`; everything, if there is none.
    pub(crate) fn after(self, token: &str) -> TextSlice<'a> {
        let len = self.as_str().len();
        self.part(self.as_str().find(token).map_or(0, |at| at + token.len())..len)
    }

    /// The text after the last `token`; everything, if there is none.
    pub(crate) fn after_last(self, token: &str) -> TextSlice<'a> {
        let len = self.as_str().len();
        self.part(self.as_str().rfind(token).map_or(0, |at| at + token.len())..len)
    }
}

fn is_line(letter: char) -> bool {
    letter == '\n'
}

impl Deref for TextSlice<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl<'a> From<&'a Cow<'_, Text>> for TextSlice<'a> {
    fn from(text: &'a Cow<'_, Text>) -> TextSlice<'a> {
        TextSlice::new(text)
    }
}

impl Text {
    /// The source of the whole text, if it has only one.
    pub(crate) fn source(&self) -> Option<Origin> {
        match self.data() {
            [] => Some(Origin::Template),
            [data] if data.range == (0..self.as_str().len()) => Some(Origin::Data(data.slot)),
            _ => None,
        }
    }
}
