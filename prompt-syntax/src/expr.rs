//! Words to expressions: what stands in a slot, a condition, the head of a block.

#[cfg(feature = "jinja")]
pub(crate) mod jinja;
mod plain;

use crate::block::LoopHead;
use crate::problem::expr::{self as problem, Meant};
use crate::token::Word;
use crate::{Dialect, Error, Expr, Span, Spanned};

/// More filters, signs and parentheses inside each other than anyone writes. Each makes the tree deeper, and so costs
/// stack in whoever walks it.
pub(crate) const OPERATORS: usize = 128;

/// Reads what fills a slot.
pub(crate) fn slot(text: &str, span: Span, dialect: Dialect) -> Result<Expr, Error> {
    match dialect {
        #[cfg(feature = "jinja")]
        Dialect::Jinja => jinja::slot(text, span),
        _ => plain::slot(text, span),
    }
}

/// Reads what decides a condition.
pub(crate) fn condition(text: &str, span: Span, dialect: Dialect) -> Result<Expr, Error> {
    match dialect {
        #[cfg(feature = "jinja")]
        Dialect::Jinja => jinja::condition(text, span),
        _ => plain::condition(text, span),
    }
}

/// Reads what a loop goes over, as far as it can be read, and what is wrong with it.
pub(crate) fn loop_head(
    text: &str,
    span: Span,
    dialect: Dialect,
) -> (Option<LoopHead>, Option<Error>) {
    match dialect {
        #[cfg(feature = "jinja")]
        Dialect::Jinja => jinja::loop_head(text, span),
        _ => plain::loop_head(text, span, dialect),
    }
}

/// The words of one tag, and how far they are read.
pub(crate) struct Cursor<'a> {
    pub(crate) text: &'a str,
    pub(crate) span: Span,
    pub(crate) words: Vec<Spanned<Word>>,
    pub(crate) at: usize,
    /// How many operators the tree is deep, at most.
    pub(crate) operators: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str, span: Span, words: Vec<Spanned<Word>>) -> Cursor<'a> {
        Cursor {
            text,
            span,
            words,
            at: 0,
            operators: 0,
        }
    }

    /// Counts what makes the tree deeper.
    pub(crate) fn count(&mut self) -> Result<(), Error> {
        self.operators += 1;
        if self.operators <= OPERATORS {
            return Ok(());
        }
        Err(problem::too_many_operators(OPERATORS).at(self.here()))
    }

    pub(crate) fn name(&mut self, what: &str) -> Result<Spanned<String>, Error> {
        self.name_or(what, Meant::Expected)
    }

    /// The same, where another help is better.
    pub(crate) fn name_or(
        &mut self,
        what: &str,
        meant: Meant<'_>,
    ) -> Result<Spanned<String>, Error> {
        match self.words.get(self.at) {
            Some(Spanned {
                value: Word::Name(name),
                span,
            }) => {
                self.at += 1;
                Ok(Spanned::new(name.clone(), *span))
            }
            _ => Err(self.unexpected(what, meant)),
        }
    }

    pub(crate) fn is_next(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Word::Sign(s)) if *s == sign)
    }

    pub(crate) fn eat(&mut self, sign: &str) -> bool {
        let found = self.is_next(sign);
        self.at += usize::from(found);
        found
    }

    pub(crate) fn eat_name(&mut self, name: &str) -> bool {
        let found = matches!(self.peek(), Some(Word::Name(n)) if n == name);
        self.at += usize::from(found);
        found
    }

    /// Whether the word that many places on is this sign.
    #[cfg(feature = "jinja")]
    pub(crate) fn is_sign(&self, on: usize, sign: &str) -> bool {
        let word = self.words.get(self.at + on).map(|word| &word.value);
        matches!(word, Some(Word::Sign(s)) if *s == sign)
    }

    /// Whether the word that many places on is this name.
    #[cfg(feature = "jinja")]
    pub(crate) fn is_name(&self, on: usize, name: &str) -> bool {
        let word = self.words.get(self.at + on).map(|word| &word.value);
        matches!(word, Some(Word::Name(n)) if n == name)
    }

    pub(crate) fn peek(&self) -> Option<&Word> {
        self.words.get(self.at).map(|word| &word.value)
    }

    /// The next word's place, or the end.
    pub(crate) fn here(&self) -> Span {
        let end = Span::new(self.span.end, self.span.end);
        self.words.get(self.at).map_or(end, |word| word.span)
    }

    /// The place of the word just read.
    pub(crate) fn before(&self) -> Span {
        self.words[..self.at]
            .last()
            .map_or(self.here(), |word| word.span)
    }

    /// What stands here where something else is expected.
    pub(crate) fn unexpected(&self, expected: &str, meant: Meant<'_>) -> Error {
        problem::unexpected(&self.found(), expected, meant).at(self.here())
    }

    /// What stands here where nothing more is expected, or an end.
    pub(crate) fn left_over(&self, expected: &str, meant: Meant<'_>) -> Error {
        problem::left_over(&self.found(), expected, meant).at(self.here())
    }

    fn found(&self) -> String {
        match self.peek() {
            Some(word) => format!("{} stands", word.describe()),
            None if self.words.is_empty() => "nothing stands".into(),
            None => "it ends".into(),
        }
    }
}
