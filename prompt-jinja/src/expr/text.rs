//! Strings with the ranges of their bytes that are data.

use std::fmt;
use std::ops::{Deref, Range};
use std::rc::Rc;

use prompt_core::{DataSpan, Origin, Text, Writer};

/// A string with the ranges of its bytes that came from data. A borrowed string stays borrowed, and a clone copies nothing.
///
/// ```
/// use typed_prompt::{jinja::Str, message::Origin};
///
/// let name = Str::new("Ada", Origin::Data(Some("name")));
/// assert_eq!(&*name, "Ada");
/// ```
#[derive(Clone)]
pub struct Str<'a> {
    text: Chars<'a>,
    origin: TextOrigin,
}

#[derive(Clone)]
enum Chars<'a> {
    Borrowed(&'a str),
    Shared(Rc<str>),
}

/// The origin of a string.
#[derive(Clone)]
enum TextOrigin {
    One(Origin),
    /// The ranges of data in a string that is partly template text.
    Mixed(Rc<[DataSpan]>),
}

impl<'a> Str<'a> {
    /// Text of one source.
    pub fn new(text: &'a str, source: Origin) -> Str<'a> {
        Str {
            text: Chars::Borrowed(text),
            origin: TextOrigin::One(source),
        }
    }

    /// Text made at run time, of one source.
    pub(crate) fn from_shared(text: impl Into<Rc<str>>, source: Origin) -> Str<'a> {
        Str {
            text: Chars::Shared(text.into()),
            origin: TextOrigin::One(source),
        }
    }

    /// The same text, borrowed from nothing.
    pub(crate) fn to_static(&self) -> Str<'static> {
        let text = match &self.text {
            Chars::Borrowed(text) => Rc::from(*text),
            Chars::Shared(text) => text.clone(),
        };
        Str {
            text: Chars::Shared(text),
            origin: self.origin.clone(),
        }
    }

    /// The origin of the whole string: data if any part of it is data.
    pub(crate) fn source(&self) -> Origin {
        match &self.origin {
            TextOrigin::One(source) => *source,
            TextOrigin::Mixed(data) => data
                .first()
                .map_or(Origin::Template, |data| Origin::Data(data.slot)),
        }
    }

    pub(crate) fn has_one_source(&self) -> bool {
        matches!(self.origin, TextOrigin::One(_))
    }

    /// A range of the text. It must lie on character borders.
    pub(crate) fn slice(&self, range: Range<usize>) -> Str<'a> {
        if range == (0..self.len()) {
            return self.clone();
        }
        let origin = match &self.origin {
            TextOrigin::One(source) => TextOrigin::One(*source),
            TextOrigin::Mixed(_) => {
                let mut out = Text::new();
                self.push_range(range, &mut out);
                return Str::from(out);
            }
        };
        let text = match &self.text {
            Chars::Borrowed(text) => Chars::Borrowed(&text[range]),
            Chars::Shared(text) => Chars::Shared(text[range].into()),
        };
        Str { text, origin }
    }

    /// The text after a change that loses all positions: all of it is of one source.
    pub(crate) fn with_content(&self, text: impl Into<Rc<str>>) -> Str<'a> {
        Str::from_shared(text, self.source())
    }

    /// The text so many times.
    pub(crate) fn repeat_text(&self, times: usize) -> Str<'a> {
        match &self.origin {
            TextOrigin::One(source) => Str::from_shared(self.repeat(times), *source),
            TextOrigin::Mixed(_) => {
                let mut out = Text::new();
                (0..times).for_each(|_| self.push_to(&mut out));
                Str::from(out)
            }
        }
    }

    /// The text after a change of each character on its own.
    pub(crate) fn map_pieces(&self, change: impl Fn(&str) -> String) -> Str<'a> {
        match &self.origin {
            TextOrigin::One(source) => Str::from_shared(change(self), *source),
            TextOrigin::Mixed(_) => {
                let mut out = Text::new();
                for (piece, source) in self.to_text().pieces() {
                    out.push_from(source, &change(piece));
                }
                Str::from(out)
            }
        }
    }

    /// The same, with data of no slot as data of this one.
    pub(crate) fn tag_slot(mut self, slot: &'static str) -> Str<'a> {
        match &mut self.origin {
            TextOrigin::One(Origin::Data(of @ None)) => *of = Some(slot),
            TextOrigin::One(_) => {}
            TextOrigin::Mixed(data) => {
                let named = data.iter().map(|data| DataSpan {
                    slot: data.slot.or(Some(slot)),
                    ..data.clone()
                });
                *data = named.collect();
            }
        }
        self
    }

    pub(crate) fn to_text(&self) -> Text {
        let mut out = Text::new();
        self.push_to(&mut out);
        out
    }

    /// Appends the string with its origins.
    pub(crate) fn push_to(&self, out: &mut Text) {
        self.push_range(0..self.len(), out);
    }

    /// Appends a range of the string with its origins. Nothing else of the string is copied.
    pub(crate) fn push_range(&self, range: Range<usize>, out: &mut Text) {
        match &self.origin {
            TextOrigin::One(source) => out.push_from(*source, &self[range]),
            TextOrigin::Mixed(data) => {
                let mut at = range.start;
                let first = data.partition_point(|data| data.range.end <= at);
                for data in &data[first..] {
                    if data.range.start >= range.end {
                        break;
                    }
                    let (start, end) = (data.range.start.max(at), data.range.end.min(range.end));
                    out.push_from(Origin::Template, &self[at..start]);
                    out.push_data(data.slot, &self[start..end]);
                    at = end;
                }
                out.push_from(Origin::Template, &self[at..range.end]);
            }
        }
    }

    /// Writes it into a prompt.
    pub(crate) fn write_to(&self, out: &mut Writer) {
        match &self.origin {
            TextOrigin::One(source) => out.text_from(*source, self),
            TextOrigin::Mixed(_) => out.push(&self.to_text()),
        }
    }
}

impl From<Text> for Str<'_> {
    fn from(text: Text) -> Self {
        let (text, data) = text.into_parts();
        let origin = match &data[..] {
            [] => TextOrigin::One(Origin::Template),
            [one] if one.range == (0..text.len()) => TextOrigin::One(Origin::Data(one.slot)),
            _ => TextOrigin::Mixed(data.into()),
        };
        Str {
            text: Chars::Shared(text.into()),
            origin,
        }
    }
}

impl Deref for Str<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match &self.text {
            Chars::Borrowed(text) => text,
            Chars::Shared(text) => text,
        }
    }
}

impl fmt::Debug for Str<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
