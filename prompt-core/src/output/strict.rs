//! The notation of correct JSON, for the short way: brackets, strings, numbers, literals.

use std::borrow::Cow;

use crate::syntax::Span;

use super::escape;
use super::number::{self, Amount};
use super::straight::{Bail, Straight};

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
        loop {
            let start = self.at;
            let key = self.text().map_err(|_| Bail::Unsure)?;
            let span = Span::new(start, self.at);
            self.space();
            if self.peek()? != b':' {
                return Err(Bail::Unsure);
            }
            self.at += 1;
            self.space();
            entry(self, key, span)?;
            if self.ends(b'}')? {
                return Ok(());
            }
        }
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
            return Err(Bail::Inexact);
        }
        self.at += 1;
        self.space();
        Ok(())
    }

    pub(super) fn closes(&mut self, bracket: u8) -> Result<bool, Bail> {
        let closes = self.peek()? == bracket;
        self.at += usize::from(closes);
        Ok(closes)
    }

    /// Whether the bracket closes here; else a comma has to stand here.
    pub(super) fn ends(&mut self, bracket: u8) -> Result<bool, Bail> {
        self.space();
        if self.closes(bracket)? {
            return Ok(true);
        }
        if !self.closes(b',')? {
            return Err(Bail::Unsure);
        }
        self.space();
        Ok(false)
    }

    /// A string.
    pub(super) fn text(&mut self) -> Result<Cow<'t, str>, Bail> {
        if self.peek()? != b'"' {
            return Err(Bail::Inexact);
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
        if bytes.get(end) != Some(&b'"') {
            return Err(Bail::Unsure);
        }
        let (text, known) = escape::decode(&self.text[start..end], false);
        self.at = end + 1;
        if known {
            Ok(Cow::Owned(text))
        } else {
            Err(Bail::Unsure)
        }
    }

    pub(super) fn amount(&mut self) -> Result<Amount, Bail> {
        if !matches!(self.peek()?, b'-' | b'0'..=b'9') {
            return Err(Bail::Inexact);
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
        let start = self.at;
        match self.peek()? {
            b'n' => self.literal("null")?,
            b't' => self.literal("true")?,
            b'f' => self.literal("false")?,
            _ => self.amount().map(drop)?,
        }
        Ok(&self.text[start..self.at])
    }

    pub(super) fn literal(&mut self, word: &str) -> Result<(), Bail> {
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
            _ => Err(Bail::Unsure),
        }
    }

    pub(super) fn space(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let space = |b: &&u8| matches!(b, b' ' | b'\n' | b'\t' | b'\r');
        self.at += rest.iter().take_while(space).count();
    }

    pub(super) fn peek(&self) -> Result<u8, Bail> {
        self.text
            .as_bytes()
            .get(self.at)
            .copied()
            .ok_or(Bail::Unsure)
    }
}
