//! The lenient JSON reader: text → [`Node`], with everything it had to overlook.
//!
//! One code path serves two manners. In the **strict** manner nothing may be overlooked but the
//! end of the text, so correct JSON is always read as JSON says, whatever its strings hold. Only
//! what is not correct is read again in the **lenient** manner, where the end of a string or of a
//! word is decided by what follows it (`ahead.rs`).

use crate::lookahead::is_space;
use crate::name::Names;
use crate::repair::RepairKind;
use crate::string::is_opening_quote;
use prompt_syntax::Span;
use std::borrow::Cow;
use std::cell::Cell;

/// How deep values may be nested: as deep as serde_json itself reads.
const DEPTH: usize = 128;

/// Why a text could not be read from some place.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Stop {
    /// No JSON begins here.
    NotJson,
    /// It is nested deeper than anything may be; the place is where.
    TooDeep(usize),
    /// Enough time was spent on this text.
    Spent,
}

/// Something overlooked, at a place of the text being read.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    pub kind: RepairKind,
    pub span: Span,
}

/// What all readings of one answer share: the work left for them, and the nodes' numbers.
pub(crate) struct Desk<'s> {
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
    pub(crate) fn new(names: &'s Names, length: usize, whole: bool) -> Desk<'s> {
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
    pub(crate) fn look(&self, bytes: usize) {
        self.looks.set(self.looks.get().saturating_sub(bytes));
    }

    pub(crate) fn has_looked_enough(&self) -> bool {
        self.looks.get() == 0
    }
}

/// An open bracket, and how its content is written so far.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Frame {
    /// `bare`: its keys have no quotes.
    Object { bare: bool },
    /// `bare`: it holds words without quotes.
    List { bare: bool },
}

pub(crate) struct Reader<'t, 'd> {
    pub(crate) text: &'t str,
    pub(crate) at: usize,
    /// Where reading ends: the text's end, or a fence's.
    pub(crate) end: usize,
    pub(crate) desk: &'d Desk<'d>,
    pub(crate) strict: bool,
    pub(crate) frames: Vec<Frame>,
    pub(crate) marks: Vec<Mark>,
    /// A quote that no sure end was found for from here on, see `quoted.rs`.
    pub(crate) hopeless: Option<(char, usize)>,
    /// The text ended within an entry that nothing is left of, or within what may be a string.
    pub(crate) dangling: bool,
}

/// A value, and what had to be overlooked to read it.
pub(crate) struct Reading<'t> {
    pub node: Node<'t>,
    pub marks: Vec<Mark>,
    pub dangling: bool,
}

/// Reads the value that begins at a place: strictly, and else leniently.
pub(crate) fn parse_value<'t>(
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
    match (strict, parse_leniently(text, start, end, desk)) {
        // What is not closed may be so with a quote overlooked.
        (Some((_, early)), Ok(lenient)) if early || lenient.node.end == End::Sure => Ok(lenient),
        (Some((strict, _)), _) => Ok(strict),
        (None, lenient) => lenient,
    }
}

/// Reads the value that begins at a place, which is no correct JSON.
pub(crate) fn parse_leniently<'t>(
    text: &'t str,
    start: usize,
    end: usize,
    desk: &Desk<'_>,
) -> Result<Reading<'t>, Stop> {
    let mut reader = Reader::new(text, start, end, desk, false);
    reader.value().map(|node| reader.done(node))
}

impl<'t, 'd> Reader<'t, 'd> {
    pub(crate) fn new(
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

    pub(crate) fn done(self, node: Node<'t>) -> Reading<'t> {
        Reading {
            node,
            marks: self.marks,
            dangling: self.dangling,
        }
    }

    pub(crate) fn value(&mut self) -> Result<Node<'t>, Stop> {
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
            Some(quote) if is_opening_quote(quote) => self.string(),
            _ => self.word(),
        }
    }

    /// Whether the object that ends at a place goes on after it, so that its bracket was one too
    /// many: `{"a": {"b": 1}}, "c": 2}`.
    pub(crate) fn goes_on(&self, at: usize) -> bool {
        let comma = self.space_after(at).at;
        if !self.text[comma..self.end].starts_with(',') {
            return false;
        }
        let next = self.space_after(comma + 1).at;
        let key = self.key_ahead(next);
        key.is_some_and(|key| key.quoted && key.known && !key.cut)
    }

    /// Whether the innermost bracket stands in a list, or in an object.
    pub(crate) fn inside_list(&self) -> bool {
        let outer = &self.frames[..self.frames.len().saturating_sub(1)];
        outer
            .iter()
            .any(|frame| matches!(frame, Frame::List { .. }))
    }

    pub(crate) fn inside_object(&self) -> bool {
        let outer = &self.frames[..self.frames.len().saturating_sub(1)];
        outer
            .iter()
            .any(|frame| matches!(frame, Frame::Object { .. }))
    }

    pub(crate) fn open(&mut self, frame: Frame) -> Result<(), Stop> {
        if self.frames.len() == DEPTH {
            return Err(Stop::TooDeep(self.at));
        }
        self.frames.push(frame);
        self.at += 1;
        Ok(())
    }

    /// Remembers that the innermost bracket's content has no quotes.
    pub(crate) fn style(&mut self, is_bare: bool) {
        if let Some(Frame::Object { bare } | Frame::List { bare }) = self.frames.last_mut() {
            *bare |= is_bare;
        }
    }

    pub(crate) fn node(&self, start: usize, end: End, kind: Kind<'t>) -> Node<'t> {
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
    pub(crate) fn mark(&mut self, kind: RepairKind, span: Span) -> Result<(), Stop> {
        if self.strict {
            return Err(Stop::NotJson);
        }
        self.marks.push(Mark { kind, span });
        Ok(())
    }

    pub(crate) fn spend(&mut self, bytes: usize) -> Result<(), Stop> {
        if self.desk.has_looked_enough() {
            return Err(Stop::Spent);
        }
        let left = self.desk.work.get().checked_sub(bytes).ok_or(Stop::Spent)?;
        self.desk.work.set(left);
        Ok(())
    }

    pub(crate) fn skip_char(&mut self, kind: RepairKind) -> Result<(), Stop> {
        let start = self.at;
        self.at += self.peek().map_or(0, char::len_utf8);
        self.mark(kind, Span::new(start, self.at))
    }

    pub(crate) fn rest(&self) -> &'t str {
        &self.text[self.at..self.end]
    }

    pub(crate) fn peek(&self) -> Option<char> {
        match self.text.as_bytes()[self.at..self.end].first() {
            Some(byte) if byte.is_ascii() => Some(char::from(*byte)),
            Some(_) => self.rest().chars().next(),
            None => None,
        }
    }

    /// The character at the cursor, as a span.
    pub(crate) fn here(&self) -> Span {
        let length = self.peek().map_or(0, char::len_utf8);
        Span::new(self.at, self.at + length)
    }
}

/// A value in a text.
#[derive(Debug)]
pub(crate) struct Node<'t> {
    /// Tells the nodes of one parse apart.
    pub id: u32,
    pub span: Span,
    pub end: End,
    pub kind: Kind<'t>,
}

/// How sure it is that a value ends where it was taken to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    Sure,
    /// The text ends right after it, and more text could show that it goes on.
    Likely,
    /// The text ended before the value did.
    Cut,
}

#[derive(Debug)]
pub(crate) enum Kind<'t> {
    /// Not in quotes: a number, `true`, `null`, or a text without its quotes.
    Word(&'t str),
    /// In quotes of some sort, without them and unescaped.
    Text(Cow<'t, str>),
    List(Vec<Node<'t>>),
    Object(Vec<Entry<'t>>),
}

#[derive(Debug)]
pub(crate) struct Entry<'t> {
    pub key: Cow<'t, str>,
    pub key_span: Span,
    pub value: Node<'t>,
}

impl Node<'_> {
    /// Whether it holds other values.
    pub(crate) fn is_container(&self) -> bool {
        matches!(self.kind, Kind::List(_) | Kind::Object(_))
    }
}

impl Entry<'_> {
    /// Whether the key is in quotes.
    pub(crate) fn quoted(&self) -> bool {
        self.key_span.end - self.key_span.start > self.key.len()
    }
}

impl<'t> Reader<'t, '_> {
    pub(crate) fn object(&mut self) -> Result<Node<'t>, Stop> {
        let start = self.at;
        self.open(Frame::Object { bare: false })?;
        self.entries(start)
    }

    /// The entries of an object whose bracket is open, or was left out.
    pub(crate) fn entries(&mut self, start: usize) -> Result<Node<'t>, Stop> {
        let mut entries: Vec<Entry<'t>> = Vec::new();
        let mut end = End::Sure;
        loop {
            self.space()?;
            match self.peek() {
                None => {
                    end = End::Cut;
                    break;
                }
                Some('}') if self.frames.len() == 1 && self.goes_on(self.at + 1) => {
                    self.skip_char(RepairKind::ExtraBracket)?;
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
                Some(']') => self.skip_char(RepairKind::ExtraBracket)?,
                // The next object of a list, this one not closed.
                Some('{') if self.inside_list() && !entries.is_empty() => {
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
                self.mark(RepairKind::MissingColon, Span::new(self.at, self.at + 2))?;
                self.at += 2;
            }
            None => return Ok(Step::End),
            Some(next) if !bare && !self.strict && self.is_key(&key, next) => {
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
        Ok(Step::Entry(Entry {
            key,
            key_span,
            value,
        }))
    }

    /// Whether a word in quotes is a key without its colon, by what comes next.
    fn is_key(&self, word: &str, next: char) -> bool {
        let names = self.desk.names;
        let value = matches!(next, '"' | '\'' | '“' | '{' | '[' | '-' | '0'..='9');
        names.knows(word) || names.open && value
    }

    pub(crate) fn list(&mut self) -> Result<Node<'t>, Stop> {
        let start = self.at;
        self.open(Frame::List { bare: false })?;
        self.items(start)
    }

    /// The items of a list whose bracket is open, or was left out.
    pub(crate) fn items(&mut self, start: usize) -> Result<Node<'t>, Stop> {
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
                Some('}') => self.skip_char(RepairKind::ExtraBracket)?,
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
    pub(crate) fn separator(&mut self, between: Separated) -> Result<(), Stop> {
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
            Some('{') if between == Separated::Entries && self.inside_list() => Ok(()),
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
            let quoted = letter == '"' && is_space(previous);
            // The first character is always skipped, so that reading goes on.
            if offset > 0
                && (matches!(letter, '}' | ']')
                    || (border && self.key_ahead(self.space_after(at).at).is_some())
                    || (quoted && self.key_ahead(at).is_some_and(|key| key.known)))
            {
                self.desk.look(offset);
                self.at = at;
                return self.mark(RepairKind::StrayText, Span::new(start, at));
            }
            previous = letter;
        }
        self.desk.look(self.end - start);
        self.at = self.end;
        self.mark(RepairKind::StrayText, Span::new(start, self.end))
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
pub(crate) enum KeyRead<'t> {
    Key {
        text: Cow<'t, str>,
        span: Span,
        bare: bool,
    },
    None,
    /// The text ended within it.
    Cut,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Separated {
    Entries,
    Items,
}
