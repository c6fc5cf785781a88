//! The notation of correct JSON, for the short way: brackets, strings, numbers, literals.

use std::borrow::Cow;

use super::{Bail, Straight};
use crate::escape;
use crate::number::{self, Amount};
use prompt_syntax::Span;

impl<'t> Straight<'_, 't> {
    /// Reads `{…}`. Each entry's key, and where it stands, are given to a function that reads the value.
    pub(super) fn entries(
        &mut self,
        mut entry: impl FnMut(&mut Self, Cow<'t, str>, Span) -> Result<(), Bail>,
    ) -> Result<(), Bail> {
        self.open(b'{')?;
        if self.closes(b'}')? {
            return Ok(());
        }
        for index in 0.. {
            let (key, span) = self.key(index == 0)?;
            entry(self, key, span)?;
            if self.ends(b'}')? {
                break;
            }
        }
        Ok(())
    }

    /// A key and its colon.
    fn key(&mut self, first: bool) -> Result<(Cow<'t, str>, Span), Bail> {
        if self.lenient.is_some() {
            return self.key_leniently(first);
        }
        let start = self.at;
        let key = match self.text() {
            Err(Bail::Mismatch) => return Err(self.slip()),
            key => key?,
        };
        let span = Span::new(start, self.at);
        self.space();
        if self.peek()? != b':' {
            return Err(self.slip());
        }
        self.at += 1;
        self.space();
        Ok((key, span))
    }

    /// Reads `[…]`. Each item's place is given to a function that reads it.
    pub(super) fn items(
        &mut self,
        mut item: impl FnMut(&mut Self, usize) -> Result<(), Bail>,
    ) -> Result<(), Bail> {
        self.open(b'[')?;
        if self.closes(b']')? {
            return Ok(());
        }
        for index in 0.. {
            item(self, index)?;
            if self.ends(b']')? {
                break;
            }
        }
        Ok(())
    }

    pub(super) fn open(&mut self, bracket: u8) -> Result<(), Bail> {
        if self.peek()? != bracket {
            return Err(Bail::Mismatch);
        }
        if self.lenient.is_some() {
            return self.open_leniently(bracket);
        }
        self.at += 1;
        self.space();
        Ok(())
    }

    fn closes(&mut self, bracket: u8) -> Result<bool, Bail> {
        if self.lenient.is_some() {
            return self.closes_leniently(bracket);
        }
        let closes = self.peek()? == bracket;
        self.at += usize::from(closes);
        Ok(closes)
    }

    /// Whether the bracket closes here; else a comma has to stand here.
    fn ends(&mut self, bracket: u8) -> Result<bool, Bail> {
        if self.lenient.is_some() {
            return self.ends_leniently(bracket);
        }
        self.space();
        if self.closes(bracket)? {
            return Ok(true);
        }
        if self.peek()? != b',' {
            return Err(self.slip());
        }
        self.at += 1;
        self.space();
        match self.peek()? {
            b'}' | b']' | b',' => Err(Bail::Slip),
            _ => Ok(false),
        }
    }

    /// A string.
    pub(super) fn text(&mut self) -> Result<Cow<'t, str>, Bail> {
        if self.peek()? != b'"' {
            return Err(Bail::Mismatch);
        }
        if self.lenient.is_some() {
            return self.text_leniently();
        }
        let bytes = self.text.as_bytes();
        let start = self.at + 1;
        let mut end = start + escape::plain(&bytes[start..]);
        if bytes.get(end) == Some(&b'"') {
            self.at = end + 1;
            return Ok(Cow::Borrowed(&self.text[start..end]));
        }
        while bytes.get(end) == Some(&b'\\') {
            end += 2;
            end += escape::plain(bytes.get(end..).ok_or(Bail::Unsure)?);
        }
        match bytes.get(end) {
            Some(b'"') => {}
            Some(_) => return Err(Bail::Slip),
            None => return Err(Bail::Unsure),
        }
        let (text, known) = escape::decode(&self.text[start..end], false);
        self.at = end + 1;
        if known {
            Ok(Cow::Owned(text))
        } else {
            Err(Bail::Slip)
        }
    }

    pub(super) fn amount(&mut self) -> Result<Amount, Bail> {
        if self.lenient.is_some() {
            return number::plain(self.word()?).ok_or(Bail::Inexact);
        }
        if !matches!(self.peek()?, b'-' | b'0'..=b'9') {
            return Err(Bail::Mismatch);
        }
        let rest = &self.text[self.at..];
        let part = |b: &u8| matches!(b, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E');
        let length = rest.bytes().take_while(part).count();
        self.at += length;
        self.is_apart()?;
        number::plain(&rest[..length]).ok_or(Bail::Unsure)
    }

    /// A number or a literal.
    pub(super) fn word(&mut self) -> Result<&'t str, Bail> {
        if self.lenient.is_some() {
            return self.word_leniently();
        }
        let start = self.at;
        let read = match self.peek()? {
            b'{' | b'[' => return Err(Bail::Mismatch),
            b'n' => self.literal("null"),
            b't' => self.literal("true"),
            b'f' => self.literal("false"),
            _ => self.amount().map(drop),
        };
        match read {
            Err(Bail::Inexact | Bail::Mismatch) => Err(self.slip()),
            read => read.map(|()| &self.text[start..self.at]),
        }
    }

    pub(super) fn literal(&mut self, word: &str) -> Result<(), Bail> {
        if self.lenient.is_some() {
            return match self.word()? == word {
                true => Ok(()),
                false => Err(Bail::Inexact),
            };
        }
        if !self.text[self.at..].starts_with(word) {
            return Err(Bail::Inexact);
        }
        self.at += word.len();
        self.is_apart()
    }

    /// Whether a word ends here.
    pub(super) fn is_apart(&self) -> Result<(), Bail> {
        match self.peek()? {
            b',' | b'}' | b']' | b' ' | b'\n' | b'\t' | b'\r' => Ok(()),
            _ => Err(self.slip()),
        }
    }

    /// What stands here is no JSON, unless it is white space that JSON does not know.
    fn slip(&self) -> Bail {
        match self.text.as_bytes().get(self.at) {
            Some(b'!'..=b'~') => Bail::Slip,
            _ => Bail::Unsure,
        }
    }

    pub(super) fn space(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let space = |b: &&u8| matches!(b, b' ' | b'\n' | b'\t' | b'\r');
        self.at += rest.iter().take_while(space).count();
    }

    /// The next byte; a quote for all kinds of quotes.
    pub(super) fn peek(&self) -> Result<u8, Bail> {
        match self.text.as_bytes().get(self.at) {
            Some(b'\'' | b'`' | 0x80..) if self.lenient.is_some() && self.opens_leniently() => {
                Ok(b'"')
            }
            Some(byte) => Ok(*byte),
            None => Err(Bail::Unsure),
        }
    }
}
