//! The lenient JSON reader: text → [`Node`], with everything it had to overlook.
//!
//! One code path serves two manners. In the **strict** manner nothing may be overlooked but the
//! end of the text, so correct JSON is always read as JSON says, whatever its strings hold. Only
//! what is not correct is read again in the **lenient** manner, where the end of a string or of a
//! word is decided by what follows it (`ahead.rs`).

use std::cell::Cell;

use prompt_syntax::Span;

use super::name::Names;
use super::node::{End, Kind, Node};
use super::repair::RepairKind;

/// How deep values may be nested: as deep as serde_json itself reads.
const DEPTH: usize = 128;

/// Why a text could not be read from some place.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Stop {
    /// No JSON begins here.
    NotJson,
    /// It is nested deeper than anything may be; the place is where.
    TooDeep(usize),
    /// Enough time was spent on this text.
    Spent,
}

/// Something overlooked, at a place of the text being read.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub kind: RepairKind,
    pub span: Span,
}

/// What all readings of one answer share: the work left for them, and the nodes' numbers.
pub(super) struct Desk<'s> {
    pub names: &'s Names,
    /// Bytes that may still be looked at. A text can be read from many places, and a bad one would
    /// otherwise be read to its end from each.
    pub work: Cell<usize>,
    /// Bytes that may still be looked at beyond where reading stands, to judge what it has come to.
    pub looks: Cell<usize>,
    pub next: Cell<u32>,
    /// No more text will come.
    pub whole: bool,
}

impl<'s> Desk<'s> {
    pub(super) fn new(names: &'s Names, length: usize, whole: bool) -> Desk<'s> {
        Desk {
            names,
            work: Cell::new(64 * 1024 + 10 * length),
            looks: Cell::new(256 * 1024 + 32 * length),
            next: Cell::new(0),
            whole,
        }
    }
}

impl Desk<'_> {
    /// Counts bytes that were looked at. When there are too many, nothing more is read.
    pub(super) fn look(&self, bytes: usize) {
        self.looks.set(self.looks.get().saturating_sub(bytes));
    }

    pub(super) fn has_looked_enough(&self) -> bool {
        self.looks.get() == 0
    }
}

/// An open bracket, and how its content is written so far.
#[derive(Clone, Copy, Debug)]
pub(super) enum Frame {
    /// `bare`: its keys have no quotes.
    Object { bare: bool },
    /// `bare`: it holds words without quotes.
    List { bare: bool },
}

pub(super) struct Reader<'t, 'd> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    /// Where reading ends: the text's end, or a fence's.
    pub(super) end: usize,
    pub(super) desk: &'d Desk<'d>,
    pub(super) strict: bool,
    pub(super) frames: Vec<Frame>,
    pub(super) marks: Vec<Mark>,
    /// A quote that no sure end was found for from here on, see `quoted.rs`.
    pub(super) hopeless: Option<(char, usize)>,
    /// The text ended within an entry that nothing is left of, or within what may be a string.
    pub(super) dangling: bool,
}

/// A value, and what had to be overlooked to read it.
pub(super) struct Reading<'t> {
    pub node: Node<'t>,
    pub marks: Vec<Mark>,
    pub dangling: bool,
}

/// Reads the value that begins at a place: strictly, and else leniently.
pub(super) fn read<'t>(
    text: &'t str,
    start: usize,
    end: usize,
    desk: &Desk<'_>,
) -> Result<Reading<'t>, Stop> {
    let mut reader = Reader::new(text, start, end, desk, true);
    let strict = match reader.value() {
        Err(Stop::NotJson) => None,
        Err(stop) => return Err(stop),
        Ok(node) => {
            let early = node.end == End::Sure && reader.goes_on(node.span.end);
            let cut = node.end == End::Cut && desk.whole;
            let reading = reader.done(node);
            if !early && !cut {
                return Ok(reading);
            }
            Some((reading, early))
        }
    };
    match (strict, leniently(text, start, end, desk)) {
        // What is not closed may be so with a quote overlooked.
        (Some((_, early)), Ok(lenient)) if early || lenient.node.end == End::Sure => Ok(lenient),
        (Some((strict, _)), _) => Ok(strict),
        (None, lenient) => lenient,
    }
}

/// Reads the value that begins at a place, which is no correct JSON.
pub(super) fn leniently<'t>(
    text: &'t str,
    start: usize,
    end: usize,
    desk: &Desk<'_>,
) -> Result<Reading<'t>, Stop> {
    let mut reader = Reader::new(text, start, end, desk, false);
    reader.value().map(|node| reader.done(node))
}

impl<'t, 'd> Reader<'t, 'd> {
    pub(super) fn new(
        text: &'t str,
        start: usize,
        end: usize,
        desk: &'d Desk<'d>,
        strict: bool,
    ) -> Reader<'t, 'd> {
        let (frames, marks) = (Vec::new(), Vec::new());
        let (hopeless, dangling) = (None, false);
        Reader {
            text,
            at: start,
            end,
            desk,
            strict,
            frames,
            marks,
            hopeless,
            dangling,
        }
    }

    pub(super) fn done(self, node: Node<'t>) -> Reading<'t> {
        Reading {
            node,
            marks: self.marks,
            dangling: self.dangling,
        }
    }

    pub(super) fn value(&mut self) -> Result<Node<'t>, Stop> {
        self.spend(1)?;
        let start = self.at;
        match self.peek() {
            Some('{' | '[') => {
                let marks = self.marks.len();
                let frames = self.frames.len();
                match if self.peek() == Some('{') {
                    self.object()
                } else {
                    self.list()
                } {
                    // A text without quotes may begin with a bracket: `{{name}} of …`.
                    Err(Stop::NotJson) if !self.strict && frames > 0 => {
                        self.marks.truncate(marks);
                        self.frames.truncate(frames);
                        self.at = start;
                        self.word()
                    }
                    read => read,
                }
            }
            Some(quote) if super::quoted::opens(quote) => self.string(),
            _ => self.word(),
        }
    }

    /// Whether the object that ends at a place goes on after it, so that its bracket was one too
    /// many: `{"a": {"b": 1}}, "c": 2}`.
    pub(super) fn goes_on(&self, at: usize) -> bool {
        let comma = self.space_after(at).at;
        if !self.text[comma..self.end].starts_with(',') {
            return false;
        }
        let next = self.space_after(comma + 1).at;
        let key = self.key_ahead(next);
        key.is_some_and(|key| key.quoted && key.known && !key.cut)
    }

    /// Whether the innermost bracket stands in a list, or in an object.
    pub(super) fn inside_list(&self) -> bool {
        let outer = &self.frames[..self.frames.len().saturating_sub(1)];
        outer
            .iter()
            .any(|frame| matches!(frame, Frame::List { .. }))
    }

    pub(super) fn inside_object(&self) -> bool {
        let outer = &self.frames[..self.frames.len().saturating_sub(1)];
        outer
            .iter()
            .any(|frame| matches!(frame, Frame::Object { .. }))
    }

    pub(super) fn open(&mut self, frame: Frame) -> Result<(), Stop> {
        if self.frames.len() == DEPTH {
            return Err(Stop::TooDeep(self.at));
        }
        self.frames.push(frame);
        self.at += 1;
        Ok(())
    }

    /// Remembers that the innermost bracket's content has no quotes.
    pub(super) fn style(&mut self, is_bare: bool) {
        if let Some(Frame::Object { bare } | Frame::List { bare }) = self.frames.last_mut() {
            *bare |= is_bare;
        }
    }

    pub(super) fn node(&self, start: usize, end: End, kind: Kind<'t>) -> Node<'t> {
        let id = self.desk.next.get();
        self.desk.next.set(id + 1);
        Node {
            id,
            span: Span::new(start, self.at),
            end,
            kind,
        }
    }

    /// Notes something overlooked; the strict manner overlooks nothing.
    pub(super) fn mark(&mut self, kind: RepairKind, span: Span) -> Result<(), Stop> {
        if self.strict {
            return Err(Stop::NotJson);
        }
        self.marks.push(Mark { kind, span });
        Ok(())
    }

    pub(super) fn spend(&mut self, bytes: usize) -> Result<(), Stop> {
        if self.desk.has_looked_enough() {
            return Err(Stop::Spent);
        }
        let left = self.desk.work.get().checked_sub(bytes).ok_or(Stop::Spent)?;
        self.desk.work.set(left);
        Ok(())
    }

    pub(super) fn skip_char(&mut self, kind: RepairKind) -> Result<(), Stop> {
        let start = self.at;
        self.at += self.peek().map_or(0, char::len_utf8);
        self.mark(kind, Span::new(start, self.at))
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..self.end]
    }

    pub(super) fn peek(&self) -> Option<char> {
        match self.text.as_bytes()[self.at..self.end].first() {
            Some(byte) if byte.is_ascii() => Some(char::from(*byte)),
            Some(_) => self.rest().chars().next(),
            None => None,
        }
    }

    /// The character at the cursor, as a span.
    pub(super) fn here(&self) -> Span {
        let length = self.peek().map_or(0, char::len_utf8);
        Span::new(self.at, self.at + length)
    }
}
