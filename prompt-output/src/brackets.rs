//! Objects and lists in a text: what stands between their brackets, or without them.

use std::borrow::Cow;

use prompt_syntax::Span;

use super::ahead::is_space;
use super::node::{End, Entry, Kind, Node};
use super::read::{Frame, Reader, Stop};
use super::repair::RepairKind;

impl<'t> Reader<'t, '_> {
    pub(super) fn object(&mut self) -> Result<Node<'t>, Stop> {
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

    pub(super) fn list(&mut self) -> Result<Node<'t>, Stop> {
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
    pub(super) fn separator(&mut self, between: Separated) -> Result<(), Stop> {
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
pub(super) enum KeyRead<'t> {
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
pub(super) enum Separated {
    Entries,
    Items,
}
