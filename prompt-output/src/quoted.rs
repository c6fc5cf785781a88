//! Strings in quotes, whatever quotes, and where they end.
//!
//! A model that forgets to escape leaves quotes inside its strings. So outside of correct JSON a
//! quote ends a string only if what follows goes on as JSON would: a comma and a key, a bracket
//! that leaves the rest in order, the end of the text. If no quote does so, the first one that
//! might have ended it did.

use std::borrow::Cow;

use prompt_syntax::Span;

use super::ahead::Closing;
use super::brackets::KeyRead;
use super::node::{End, Kind, Node};
use super::read::{Frame, Reader, Stop};
use super::repair::RepairKind;
use super::{block, escape};

/// The longest key without quotes, in bytes.
const BARE_KEY: usize = 120;

/// Whether a character opens a string.
pub(super) fn opens(letter: char) -> bool {
    matches!(letter, '"' | '\'' | '`' | '“' | '”' | '„' | '‘' | '’' | '«')
}

fn closes(open: char, letter: char) -> bool {
    match open {
        '"' => matches!(letter, '"' | '”'),
        '“' | '”' | '„' => matches!(letter, '”' | '“' | '"'),
        '‘' | '’' => matches!(letter, '’' | '‘'),
        '«' => letter == '»',
        open => letter == open,
    }
}

/// Whether a character that closes what another opens may begin with a byte.
fn may_close(open: char, byte: u8) -> bool {
    match byte {
        b'"' | b'\'' | b'`' => closes(open, char::from(byte)),
        // As `»` begins, and all other such quotes.
        0xC2 => open == '«',
        0xE2 => !matches!(open, '\'' | '`' | '«'),
        _ => false,
    }
}

/// A string as it stands in the text.
pub(super) struct Quoted {
    /// What is inside the quotes.
    pub start: usize,
    pub end: usize,
    pub ends: End,
    pub escaped: bool,
}

impl<'t> Reader<'t, '_> {
    /// A string where a value stands.
    pub(super) fn string(&mut self) -> Result<Node<'t>, Stop> {
        let start = self.at;
        if !self.strict
            && let Some(block) = block::find(&self.text[start..self.end])
        {
            self.desk.look(block.seen);
            self.at = start + block.length;
            self.spend(block.length)?;
            self.mark(RepairKind::OtherQuotes, Span::new(start, start + 3))?;
            let end = if block.cut { End::Cut } else { End::Sure };
            return Ok(self.node(start, end, Kind::Text(block.text)));
        }
        let quoted = self.quoted(Self::closes_value)?;
        let mut text = self.unescape(&quoted)?;
        let mut end = quoted.ends;
        while end == End::Sure && !self.strict && self.joined()? {
            let more = self.quoted(Self::closes_value)?;
            text.to_mut().push_str(&self.unescape(&more)?);
            end = more.ends;
        }
        Ok(self.node(start, end, Kind::Text(text)))
    }

    /// Steps over a `+` and to the string after it.
    fn joined(&mut self) -> Result<bool, Stop> {
        let plus = self.space_after(self.at).at;
        if !self.text[plus..self.end].starts_with('+') {
            return Ok(false);
        }
        let next = self.space_after(plus + 1).at;
        if !self.text[next..self.end].starts_with(['"', '\'', '`']) {
            return Ok(false);
        }
        self.mark(RepairKind::Joined, Span::new(plus, plus + 1))?;
        self.at = next;
        Ok(true)
    }

    /// A key, with or without quotes, up to where its colon should be.
    pub(super) fn key(&mut self) -> Result<KeyRead<'t>, Stop> {
        let start = self.at;
        let Some(first) = self.peek() else {
            return Ok(KeyRead::Cut);
        };
        if opens(first) {
            return self.quoted_key();
        }
        if self.strict {
            return Err(Stop::NotJson);
        }
        let rest = self.rest();
        let stops = |byte: &u8| {
            matches!(
                byte,
                b':' | b'{' | b'}' | b'[' | b']' | b',' | b'"' | b'\n' | b'='
            )
        };
        let near = &rest.as_bytes()[..rest.len().min(BARE_KEY + 1)];
        let length = match near.iter().position(stops) {
            Some(length) => length,
            None if rest.len() <= BARE_KEY => {
                // The text may end within a key, but not within a sentence.
                let word = !rest.trim().contains(char::is_whitespace);
                return Ok(if word { KeyRead::Cut } else { KeyRead::None });
            }
            _ => return Ok(KeyRead::None),
        };
        let text = rest[..length].trim();
        // Its opening quote may be all that is missing.
        let after = rest[length..].strip_prefix('"').unwrap_or(&rest[length..]);
        let colon = after.trim_start().starts_with(':') || after.starts_with("=>");
        if text.is_empty() || !colon {
            return Ok(KeyRead::None);
        }
        let span = Span::new(start, start + text.len());
        self.mark(RepairKind::UnquotedKey, span)?;
        self.at = self.end - after.len();
        Ok(KeyRead::Key {
            text: Cow::Borrowed(text),
            span,
            bare: true,
        })
    }

    fn quoted_key(&mut self) -> Result<KeyRead<'t>, Stop> {
        let start = self.at;
        let quoted = self.quoted(|reader, at, _| {
            let after = reader.space_after(at).at;
            match reader.text[after..reader.end].chars().next() {
                None | Some(':') => Closing::Sure,
                _ => Closing::Perhaps,
            }
        })?;
        if quoted.ends == End::Cut {
            return Ok(KeyRead::Cut);
        }
        let text = self.unescape(&quoted)?;
        let span = Span::new(start, self.at);
        Ok(KeyRead::Key {
            text,
            span,
            bare: false,
        })
    }

    /// Reads a string in quotes. `closing` judges a quote by the place after it.
    fn quoted(&mut self, closing: impl Fn(&Self, usize, bool) -> Closing) -> Result<Quoted, Stop> {
        let opening = self.at;
        let Some(open) = self.peek() else {
            return Err(Stop::NotJson);
        };
        if open != '"' {
            self.mark(
                RepairKind::OtherQuotes,
                Span::new(opening, opening + open.len_utf8()),
            )?;
        }
        let start = opening + open.len_utf8();
        let scan = self.scan(open, start, closing);
        let quoted = scan.quoted;
        self.spend(scan.seen - start)?;
        self.at = scan.next;
        let span = Span::new(opening, quoted.end);
        if scan.control {
            self.mark(RepairKind::RawControl, span)?;
        }
        if scan.inner {
            self.mark(RepairKind::UnescapedQuotes, span)?;
        }
        if scan.unclosed {
            self.mark(RepairKind::MissingClosingQuote, span)?;
        }
        Ok(quoted)
    }

    fn scan(
        &mut self,
        open: char,
        start: usize,
        closing: impl Fn(&Self, usize, bool) -> Closing,
    ) -> Scan {
        if self.strict && open == '"' {
            return self.scan_strictly(start);
        }
        let mut scan = Scan::new(start, self.end);
        let mut perhaps: Option<(usize, usize)> = None;
        let hopeless = self
            .hopeless
            .is_some_and(|(quote, from)| quote == open && from <= start);
        // A quote that opened inside the string: `said "hi", and`.
        let mut inner = false;
        let bytes = &self.text.as_bytes()[..self.end];
        let stops = |byte: &u8| matches!(byte, b'\\' | 0..b' ') || may_close(open, *byte);
        let mut unescaped = start;
        let mut at = start;
        while let Some(offset) = bytes[at..].iter().position(stops) {
            at += offset;
            let letter = self.text[at..].chars().next().unwrap_or_default();
            let next = at + letter.len_utf8();
            if letter == '\\' {
                scan.quoted.escaped = true;
                let escaped = self.text[next..self.end].chars().next();
                at = next + escaped.map_or(0, char::len_utf8);
                unescaped = at;
                continue;
            }
            scan.control |= letter < ' ';
            if !closes(open, letter) {
                at = next;
                continue;
            }
            if let Some(end) = self.unclosed_end(at, start, inner) {
                scan.unclosed = true;
                return scan.close(end, end);
            }
            match closing(self, next, inner) {
                Closing::Sure => {
                    let mut closed = scan.close(at, next);
                    if next == self.end {
                        closed.quoted.ends = End::Likely;
                    }
                    return closed;
                }
                Closing::Perhaps if hopeless => return scan.close(at, next),
                Closing::Perhaps => {
                    perhaps.get_or_insert((at, next));
                }
                Closing::No => {}
            }
            scan.inner = true;
            let previous = match self.text[..at].chars().next_back() {
                _ if at == unescaped && at > start => '\\',
                previous => previous.unwrap_or(open),
            };
            let opens = super::ahead::is_space(previous) || "([{=,:;".contains(previous);
            let follows = self.text[next..self.end].chars().next();
            inner = opens && follows.is_some_and(|letter| !super::ahead::is_space(letter));
            at = next;
        }
        scan.seen = self.end;
        scan.inner = false;
        self.unsure_end(scan, open, perhaps)
    }

    /// The end of a string for which no sure one was found.
    fn unsure_end(&mut self, mut scan: Scan, open: char, perhaps: Option<(usize, usize)>) -> Scan {
        let start = scan.quoted.start;
        if let Some((at, next)) = perhaps {
            self.hopeless = Some((open, start));
            return scan.close(at, next);
        }
        if let Some(end) = self.tail(start) {
            scan.unclosed = true;
            // Or the text breaks off within a string that has these brackets in it.
            self.dangling = true;
            return scan.close(end, end);
        }
        scan
    }

    /// Where a string that was never closed ends, if the whole text ends with just the brackets
    /// that are open: `{"a": "b}`.
    fn tail(&self, start: usize) -> Option<usize> {
        if !self.desk.whole || self.strict || self.frames.is_empty() {
            return None;
        }
        let rest = self.text[start..self.end].trim_end();
        let mut rest = rest.strip_suffix("```").unwrap_or(rest).trim_end();
        for frame in &self.frames {
            let bracket = match frame {
                Frame::Object { .. } => '}',
                Frame::List { .. } => ']',
            };
            rest = rest.strip_suffix(bracket)?.trim_end();
        }
        Some(start + rest.len())
    }

    /// The end of a string as JSON has it.
    fn scan_strictly(&self, start: usize) -> Scan {
        let mut scan = Scan::new(start, self.end);
        let bytes = &self.text.as_bytes()[..self.end];
        let mut at = start;
        while let Some(rest) = bytes.get(at..) {
            at += escape::plain(rest);
            match bytes.get(at) {
                Some(b'"') => return scan.close(at, at + 1),
                Some(b'\\') => {
                    scan.quoted.escaped = true;
                    at += 2;
                }
                Some(_) => {
                    scan.control = true;
                    at += 1;
                }
                None => break,
            }
        }
        scan.seen = self.end;
        scan
    }

    /// Where a string ends that was never closed, if the quote at a place opens the next key:
    /// `"a": "one, "b": "two"`.
    fn unclosed_end(&self, at: usize, start: usize, inner: bool) -> Option<usize> {
        if inner || !matches!(self.frames.last(), Some(Frame::Object { .. })) {
            return None;
        }
        let before = &self.text[start..at];
        let apart = before.trim_end_matches(super::ahead::is_space);
        let separated = apart.ends_with(',') || before[apart.len()..].contains('\n');
        if !separated {
            return None;
        }
        self.key_ahead(at).filter(|key| key.known && !key.cut)?;
        let body = apart.strip_suffix(',').unwrap_or(apart);
        Some(start + body.trim_end().len())
    }

    /// The text of a string, its escapes replaced.
    pub(super) fn unescape(&mut self, quoted: &Quoted) -> Result<Cow<'t, str>, Stop> {
        let body = &self.text[quoted.start..quoted.end];
        if !quoted.escaped {
            return Ok(Cow::Borrowed(body));
        }
        let (text, known) = escape::decode(body, quoted.ends == End::Cut);
        if !known {
            self.mark(
                RepairKind::UnknownEscape,
                Span::new(quoted.start, quoted.end),
            )?;
        }
        Ok(Cow::Owned(text))
    }
}

/// What looking for a string's end came to.
struct Scan {
    quoted: Quoted,
    /// Where reading goes on.
    next: usize,
    /// How far was looked.
    seen: usize,
    control: bool,
    inner: bool,
    unclosed: bool,
}

impl Scan {
    /// A string that goes to the end, until its end is found.
    fn new(start: usize, end: usize) -> Scan {
        let quoted = Quoted {
            start,
            end,
            ends: End::Cut,
            escaped: false,
        };
        Scan {
            quoted,
            next: end,
            seen: start,
            control: false,
            inner: false,
            unclosed: false,
        }
    }

    fn close(mut self, end: usize, next: usize) -> Scan {
        self.quoted.end = end;
        self.quoted.ends = End::Sure;
        self.seen = self.seen.max(next);
        self.next = next;
        self
    }
}
