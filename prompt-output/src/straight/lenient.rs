//! The short way through JSON with slips: single quotes, keys without quotes, commas too many, comments.
//!
//! Strings, keys, words and what stands between them are read by the lenient [`Reader`] itself, with the same brackets
//! around, so they end where they do on the long way. What is left to it is each text that is not in order: a bracket or
//! a value missing, a string of whose end the reader is not sure.

use std::borrow::Cow;

use super::{Bail, Straight};
use crate::brackets::{KeyRead, Separated};
use crate::node::{End, Kind};
use crate::quoted::opens;
use crate::read::{Frame, Reader, Stop};
use crate::repair::RepairKind;
use prompt_syntax::Span;

impl<'t, 'c> Straight<'c, 't> {
    /// Lets the reader read on from here. What it is not sure of is left to the long way.
    fn reading<T>(
        &mut self,
        read: impl FnOnce(&mut Reader<'t, 'c>) -> Result<T, Stop>,
    ) -> Result<T, Bail> {
        let reader = self.lenient.as_mut().ok_or(Bail::Unsure)?;
        reader.at = self.at;
        let read = read(reader);
        self.at = reader.at;
        match read {
            Ok(read) if !reader.dangling && reader.hopeless.is_none() => Ok(read),
            _ => Err(Bail::Unsure),
        }
    }

    pub(super) fn open_leniently(&mut self, bracket: u8) -> Result<(), Bail> {
        self.reading(|reader| {
            let bare = false;
            reader.open(match bracket {
                b'{' => Frame::Object { bare },
                _ => Frame::List { bare },
            })
        })
    }

    /// Whether the bracket closes here, after commas too many.
    pub(super) fn closes_leniently(&mut self, bracket: u8) -> Result<bool, Bail> {
        let closing = char::from(bracket);
        let closes = self.reading(|reader| {
            loop {
                reader.space()?;
                match reader.peek() {
                    Some('}') if reader.frames.len() == 1 && reader.goes_on(reader.at + 1) => break,
                    Some(next) if next == closing => {
                        reader.at += 1;
                        reader.frames.pop();
                        return Ok(Some(true));
                    }
                    Some(',') => reader.skip_char(RepairKind::ExtraComma)?,
                    None | Some('}' | ']') => break,
                    Some(_) => return Ok(Some(false)),
                }
            }
            Ok(None)
        })?;
        closes.ok_or(Bail::Unsure)
    }

    pub(super) fn ends_leniently(&mut self, bracket: u8) -> Result<bool, Bail> {
        let between = match bracket {
            b'}' => Separated::Entries,
            _ => Separated::Items,
        };
        self.reading(|reader| reader.separator(between))?;
        self.closes_leniently(bracket)
    }

    /// A key and its colon, with a value after it.
    pub(super) fn key_leniently(&mut self, first: bool) -> Result<(Cow<'t, str>, Span), Bail> {
        let key = self.reading(|reader| {
            let KeyRead::Key { text, span, bare } = reader.key()? else {
                return Ok(None);
            };
            if first {
                reader.style(bare);
            }
            reader.space()?;
            if reader.peek() != Some(':') {
                return Ok(None);
            }
            reader.at += 1;
            reader.space()?;
            let has_value = !matches!(reader.peek(), None | Some(',' | '}'));
            Ok(has_value.then_some((text, span)))
        })?;
        key.ok_or(Bail::Unsure)
    }

    pub(super) fn text_leniently(&mut self) -> Result<Cow<'t, str>, Bail> {
        let node = self.reading(Reader::string)?;
        match node.kind {
            Kind::Text(text) if node.end == End::Sure => Ok(text),
            _ => Err(Bail::Unsure),
        }
    }

    pub(super) fn word_leniently(&mut self) -> Result<&'t str, Bail> {
        let node = self.reading(Reader::word)?;
        match node.kind {
            Kind::Word("" | "..." | "…") => Err(Bail::Unsure),
            Kind::Word(word) if node.end == End::Sure => Ok(word),
            _ => Err(Bail::Unsure),
        }
    }

    /// Whether a string begins here.
    pub(super) fn opens_leniently(&self) -> bool {
        self.text[self.at..].starts_with(opens)
    }
}
