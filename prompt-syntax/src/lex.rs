//! From text to tokens: one lexer for each dialect, and one for the words inside a tag.

pub(crate) mod angle;
pub(crate) mod brace;
pub(crate) mod expr;
#[cfg(feature = "jinja")]
pub(crate) mod jinja;
pub(crate) mod role;
mod string;
mod tail;

pub(crate) use tail::trimmed;

use crate::token::{Token, TokenKind};
use crate::{Dialect, Error, Options, Span, Tag};

pub(crate) fn lex(text: &str, options: Options) -> Lexed {
    match options.dialect {
        Dialect::Angle => angle::lex(text, options.roles),
        Dialect::Brace => brace::lex(text, options.roles),
        #[cfg(feature = "jinja")]
        Dialect::Jinja => jinja::lex(text, options),
        #[cfg(not(feature = "jinja"))]
        Dialect::Jinja => {
            let problem = crate::problem::feature::missing("`syntax = \"jinja\"`", "jinja");
            let mut lexed = Lexed::default();
            let line = text.lines().next().unwrap_or_default();
            let error = problem.at(Span::new(0, line.len()));
            lexed.push(TokenKind::Error, text.len(), Some(error));
            lexed
        }
    }
}

/// What a lexer found. The spans of the tokens cover the text without gaps.
#[derive(Default)]
pub(crate) struct Lexed {
    pub(crate) tokens: Vec<Token>,
    pub(crate) tags: Vec<Tag>,
    pub(crate) errors: Vec<Error>,
    /// Where the last token ends.
    done: usize,
}

impl Lexed {
    /// Adds a token that begins where the last one ended, and what is wrong with it.
    fn push(&mut self, kind: TokenKind, end: usize, error: Option<Error>) {
        let span = Span::new(self.done, end);
        let reported = error.is_some();
        self.errors.extend(error);
        self.done = end;
        self.tokens.push(Token {
            kind,
            span,
            reported,
        });
    }

    /// Adds the text up to a place as it is.
    fn text_to(&mut self, text: &str, end: usize) {
        self.words_to(&text[self.done..end], end);
    }

    /// Adds words that the text up to a place stands for, joined with those right before them.
    fn words_to(&mut self, words: &str, end: usize) {
        if end == self.done {
            return;
        }
        if let Some(Token {
            kind: TokenKind::Text(before),
            span,
            ..
        }) = self.tokens.last_mut()
        {
            before.push_str(words);
            span.end = end;
            self.done = end;
        } else {
            self.push(TokenKind::Text(words.to_owned()), end, None);
        }
    }

    /// Adds the text before a tag. Backslashes right before the tag are halved; whether an odd one makes it text is the
    /// answer.
    fn escaped(&mut self, text: &str, tag: usize) -> bool {
        let before = &text[self.done..tag];
        if !before.ends_with('\\') {
            self.words_to(before, tag);
            return false;
        }
        let slashes = before.len() - before.trim_end_matches('\\').len();
        self.words_to(&before[..before.len() - slashes.div_ceil(2)], tag);
        slashes % 2 == 1
    }
}
