//! From text to tokens: one lexer for each dialect, and one for the words inside a slot.

pub(crate) mod angle;
pub(crate) mod brace;
pub(crate) mod expr;
pub(crate) mod jinja;

use crate::token::{Token, TokenKind};
use crate::{Dialect, Error, Options, Span, Tag};

/// What a lexer found.
#[derive(Default)]
pub(crate) struct Lexed {
    pub(crate) tokens: Vec<Token>,
    pub(crate) tags: Vec<Tag>,
    pub(crate) errors: Vec<Error>,
}

impl Lexed {
    pub(crate) fn push(&mut self, kind: TokenKind, span: Span) {
        self.tokens.push(Token { kind, span });
    }

    /// Adds words, joined with those right before them.
    pub(crate) fn push_text(&mut self, words: &str, span: Span) {
        if span.start == span.end {
            return;
        }
        if let Some(Token {
            kind: TokenKind::Text(text),
            span: before,
        }) = self.tokens.last_mut()
            && before.end == span.start
        {
            text.push_str(words);
            before.end = span.end;
            return;
        }
        self.push(TokenKind::Text(words.to_owned()), span);
    }

    /// Adds an error, and what it makes unreadable.
    pub(crate) fn fail(&mut self, error: Error, span: Span) {
        self.push(TokenKind::Error, span);
        self.errors.push(error);
    }
}

pub(crate) fn lex(text: &str, options: Options) -> Lexed {
    match options.dialect {
        Dialect::Angle => angle::lex(text, options.roles),
        Dialect::Brace => brace::lex(text, options.roles),
        Dialect::Jinja => jinja::lex(text),
    }
}

/// The length of the identifier at the start of the text; 0 if there is none.
pub(crate) fn name_len(text: &str) -> usize {
    let mut chars = text.char_indices();
    match chars.next() {
        Some((_, first)) if first == '_' || is_name_start(first) => {}
        _ => return 0,
    }
    chars
        .find(|(_, c)| !is_name_continue(*c))
        .map_or(text.len(), |(index, _)| index)
}

// Rust's identifiers are those of UAX 31 (XID). Letters and digits of the standard library come close enough without a
// table: a name that Rust does not take can be no field, and so ends as an unknown slot.
fn is_name_start(c: char) -> bool {
    c.is_alphabetic()
}

fn is_name_continue(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// How many backslashes stand right before a place.
pub(crate) fn backslashes_before(text: &str, from: usize, at: usize) -> usize {
    text.as_bytes()[from..at]
        .iter()
        .rev()
        .take_while(|byte| **byte == b'\\')
        .count()
}
