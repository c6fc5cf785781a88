//! The lenient JSON reader: text → [`Node`], with everything it had to overlook.
//!
//! One code path serves two manners. In the **strict** manner nothing may be overlooked but the
//! end of the text, so correct JSON is always read as JSON says, whatever its strings hold. Only
//! what is not correct is read again in the **lenient** manner, where the end of a string or of a
//! word is decided by what follows it (`ahead.rs`).

use std::borrow::Cow;
use std::cell::Cell;

use crate::syntax::Span;

use super::name::Names;
use super::node::{End, Entry, Kind, Node};
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
    pub next: Cell<u32>,
}

impl<'s> Desk<'s> {
    pub(super) fn new(names: &'s Names, length: usize) -> Desk<'s> {
        Desk { names, work: Cell::new(64 * 1024 + 24 * length), next: Cell::new(0) }
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
    /// The text ended within an entry that nothing is left of.
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
    match reader.value() {
        Err(Stop::NotJson) => {}
        node => return node.map(|node| reader.done(node)),
    }
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
        Reader { text, at: start, end, desk, strict, frames, marks, hopeless, dangling }
    }

    pub(super) fn done(self, node: Node<'t>) -> Reading<'t> {
        Reading { node, marks: self.marks, dangling: self.dangling }
    }

    pub(super) fn value(&mut self) -> Result<Node<'t>, Stop> {
        self.spend(1)?;
        let start = self.at;
        match self.peek() {
            Some('{' | '[') => {
                let marks = self.marks.len();
                let frames = self.frames.len();
                match if self.peek() == Some('{') { self.object() } else { self.list() } {
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

    fn object(&mut self) -> Result<Node<'t>, Stop> {
        let start = self.at;
        self.open(Frame::Object { bare: false })?;
        self.entries(start)
    }

    /// The entries of an object whose bracket is open, or was left out.
    pub(super) fn entries(&mut self, start: usize) -> Result<Node<'t>, Stop> {
        let mut entries: Vec<Entry<'t>> = Vec::new();
        let mut end = End::Sure;
        loop {
            self.space()?;
            match self.peek() {
                None => {
                    end = End::Cut;
                    break;
                }
                Some('}') => {
                    self.at += 1;
                    break;
                }
                Some(',') => self.skip_char(RepairKind::ExtraComma)?,
                Some(']') if self.inside_list() => {
                    self.mark(RepairKind::MissingBracket, self.here())?;
                    break;
                }
                Some(_) => match self.entry(entries.is_empty())? {
                    Step::Entry(entry) => entries.push(entry),
                    Step::Skipped => {}
                    Step::End => {
                        self.at = self.end;
                        self.dangling = true;
                    }
                    Step::Nothing if entries.is_empty() => return Err(Stop::NotJson),
                    Step::Nothing => self.stray()?,
                },
            }
        }
        self.frames.pop();
        Ok(self.node(start, end, Kind::Object(entries)))
    }

    /// A key, its value and the comma after it.
    fn entry(&mut self, first: bool) -> Result<Step<'t>, Stop> {
        let before = self.at;
        let (key, key_span, bare) = match self.key()? {
            KeyRead::Key { text, span, bare } => (text, span, bare),
            KeyRead::Cut => return Ok(Step::End),
            KeyRead::None => {
                self.at = before;
                return Ok(Step::Nothing);
            }
        };
        if first {
            self.style(bare);
        }
        self.space()?;
        match self.peek() {
            Some(':') => self.at += 1,
            Some('=') if self.rest().starts_with("=>") => {
                self.mark(RepairKind::MissingColon, Span { start: self.at, end: self.at + 2 })?;
                self.at += 2;
            }
            None => return Ok(Step::End),
            Some(_) if !bare && !self.strict && self.desk.names.knows(&key) => {
                self.mark(RepairKind::MissingColon, self.here())?;
            }
            Some(_) => {
                self.at = before;
                return Ok(Step::Nothing);
            }
        }
        self.space()?;
        match self.peek() {
            None => return Ok(Step::End),
            Some(',' | '}') => {
                self.mark(RepairKind::MissingValue, key_span)?;
                return Ok(Step::Skipped);
            }
            Some(_) => {}
        }
        let value = self.value()?;
        if let Kind::Word("") = value.kind {
            self.mark(RepairKind::MissingValue, key_span)?;
            return Ok(Step::Skipped);
        }
        self.separator(Separated::Entries)?;
        Ok(Step::Entry(Entry { key, key_span, value }))
    }

    fn list(&mut self) -> Result<Node<'t>, Stop> {
        let start = self.at;
        self.open(Frame::List { bare: false })?;
        self.items(start)
    }

    /// The items of a list whose bracket is open, or was left out.
    pub(super) fn items(&mut self, start: usize) -> Result<Node<'t>, Stop> {
        let mut items = Vec::new();
        let mut end = End::Sure;
        loop {
            self.space()?;
            match self.peek() {
                None => {
                    end = End::Cut;
                    break;
                }
                Some(']') => {
                    self.at += 1;
                    break;
                }
                Some(',') => self.skip_char(RepairKind::ExtraComma)?,
                Some('}') if self.inside_object() => {
                    self.mark(RepairKind::MissingBracket, self.here())?;
                    break;
                }
                Some(_) => {
                    let before = self.at;
                    let item = self.value()?;
                    if self.at == before {
                        self.skip_char(RepairKind::StrayText)?;
                        continue;
                    }
                    match item.kind {
                        Kind::Word("..." | "…") => self.mark(RepairKind::Ellipsis, item.span)?,
                        _ => items.push(item),
                    }
                    self.separator(Separated::Items)?;
                }
            }
        }
        self.frames.pop();
        Ok(self.node(start, end, Kind::List(items)))
    }

    /// What stands between two values: a comma, or less.
    fn separator(&mut self, between: Separated) -> Result<(), Stop> {
        self.space()?;
        match self.peek() {
            Some(',') => {
                let comma = self.here();
                self.at += 1;
                self.space()?;
                if matches!(self.peek(), Some('}' | ']')) {
                    self.mark(RepairKind::ExtraComma, comma)?;
                }
                Ok(())
            }
            None | Some('}' | ']') => Ok(()),
            Some(_) if between == Separated::Items => {
                self.mark(RepairKind::MissingComma, self.here())
            }
            Some(_) if self.key_ahead(self.at).is_some() => {
                self.mark(RepairKind::MissingComma, self.here())
            }
            Some(_) => self.stray(),
        }
    }

    /// Skips what is no key, up to the next key or bracket, or the end.
    fn stray(&mut self) -> Result<(), Stop> {
        let start = self.at;
        let mut previous = ' ';
        for (offset, letter) in self.rest().char_indices() {
            let at = start + offset;
            let border = matches!(previous, '\n' | ',');
            // The first character is always skipped, so that reading goes on.
            if offset > 0
                && (matches!(letter, '}' | ']')
                    || (border && self.key_ahead(self.space_after(at).at).is_some()))
            {
                self.at = at;
                return self.mark(RepairKind::StrayText, Span { start, end: at });
            }
            previous = letter;
        }
        self.at = self.end;
        self.mark(RepairKind::StrayText, Span { start, end: self.end })
    }

    /// Whether the innermost bracket stands in a list, or in an object.
    pub(super) fn inside_list(&self) -> bool {
        let outer = &self.frames[..self.frames.len().saturating_sub(1)];
        outer.iter().any(|frame| matches!(frame, Frame::List { .. }))
    }

    pub(super) fn inside_object(&self) -> bool {
        let outer = &self.frames[..self.frames.len().saturating_sub(1)];
        outer.iter().any(|frame| matches!(frame, Frame::Object { .. }))
    }

    fn open(&mut self, frame: Frame) -> Result<(), Stop> {
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
        Node { id, span: Span { start, end: self.at }, end, kind }
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
        let left = self.desk.work.get().checked_sub(bytes).ok_or(Stop::Spent)?;
        self.desk.work.set(left);
        Ok(())
    }

    fn skip_char(&mut self, kind: RepairKind) -> Result<(), Stop> {
        let start = self.at;
        self.at += self.peek().map_or(0, char::len_utf8);
        self.mark(kind, Span { start, end: self.at })
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..self.end]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The character at the cursor, as a span.
    fn here(&self) -> Span {
        let length = self.peek().map_or(0, char::len_utf8);
        Span { start: self.at, end: self.at + length }
    }
}

/// What reading an entry of an object came to.
enum Step<'t> {
    Entry(Entry<'t>),
    /// A key without a value.
    Skipped,
    /// There is no key here; nothing was consumed.
    Nothing,
    /// The text ended within the entry.
    End,
}

/// What reading a key came to.
pub(super) enum KeyRead<'t> {
    Key { text: Cow<'t, str>, span: Span, bare: bool },
    None,
    /// The text ended within it.
    Cut,
}

#[derive(Clone, Copy, PartialEq)]
enum Separated {
    Entries,
    Items,
}
