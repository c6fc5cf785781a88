use std::borrow::Cow;
use std::ops::{Deref, Range};

use crate::python::is_whitespace;
use crate::{Source, Text};

/// A stretch of a text that still knows where it lies in it, so that what is data stays known after a trim.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a> {
    text: &'a Text,
    start: usize,
    end: usize,
    /// Whether white space at the end is taken away, also where there was none.
    closed: bool,
}

impl<'a> Words<'a> {
    pub(crate) fn new(text: &'a Text) -> Words<'a> {
        Words {
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

    /// The words cut where their source changes.
    pub(crate) fn pieces(self) -> impl Iterator<Item = (&'a str, Source)> {
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
    pub(crate) fn strip(self) -> Words<'a> {
        self.trim_start(is_whitespace).strip_end()
    }

    /// `str.lstrip()`.
    pub(crate) fn strip_start(self) -> Words<'a> {
        self.trim_start(is_whitespace)
    }

    /// `str.rstrip()`.
    pub(crate) fn strip_end(self) -> Words<'a> {
        Words {
            closed: true,
            ..self.trim_end(is_whitespace)
        }
    }

    /// `str.strip('\n')`.
    pub(crate) fn strip_lines(self) -> Words<'a> {
        self.trim_start(is_line).trim_end(is_line)
    }

    /// `str.lstrip('\n')`.
    pub(crate) fn strip_lines_start(self) -> Words<'a> {
        self.trim_start(is_line)
    }

    /// `str.rstrip('\n')`.
    pub(crate) fn strip_lines_end(self) -> Words<'a> {
        self.trim_end(is_line)
    }

    fn trim_start(self, take: fn(char) -> bool) -> Words<'a> {
        Words {
            start: self.end - self.as_str().trim_start_matches(take).len(),
            ..self
        }
    }

    fn trim_end(self, take: fn(char) -> bool) -> Words<'a> {
        Words {
            end: self.start + self.as_str().trim_end_matches(take).len(),
            ..self
        }
    }

    /// With what was taken off the end.
    pub(crate) fn whole_end(self) -> Words<'a> {
        Words {
            end: self.text.as_str().len(),
            ..self
        }
    }

    /// A range of these words.
    pub(crate) fn part(self, range: Range<usize>) -> Words<'a> {
        let closed = self.closed && range.end == self.end - self.start;
        Words {
            start: self.start + range.start,
            end: self.start + range.end,
            closed,
            ..self
        }
    }

    /// What stands before the first `mark`; everything, if there is none.
    pub(crate) fn before(self, mark: &str) -> Words<'a> {
        self.part(0..self.as_str().find(mark).unwrap_or(self.as_str().len()))
    }

    /// What stands after the first `mark`; everything, if there is none.
    pub(crate) fn after(self, mark: &str) -> Words<'a> {
        let len = self.as_str().len();
        self.part(self.as_str().find(mark).map_or(0, |at| at + mark.len())..len)
    }

    /// What stands after the last `mark`; everything, if there is none.
    pub(crate) fn after_last(self, mark: &str) -> Words<'a> {
        let len = self.as_str().len();
        self.part(self.as_str().rfind(mark).map_or(0, |at| at + mark.len())..len)
    }
}

fn is_line(letter: char) -> bool {
    letter == '\n'
}

impl Deref for Words<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl<'a> From<&'a Cow<'_, Text>> for Words<'a> {
    fn from(text: &'a Cow<'_, Text>) -> Words<'a> {
        Words::new(text)
    }
}

impl Text {
    /// Whose words all of it is, if they are one's.
    pub(crate) fn source(&self) -> Option<Source> {
        match self.data() {
            [] => Some(Source::Template),
            [data] if data.range == (0..self.as_str().len()) => Some(Source::Data(data.slot)),
            _ => None,
        }
    }
}
