//! The text of a template, from wherever it comes, and the way back from its bytes to the place where they were written.

mod file;
mod token;

use std::cell::OnceCell;

use proc_macro2::Span;
use prompt_syntax::snippet;
use syn::LitStr;

use self::file::read;
use self::token::Token;
use crate::errors::Errors;
use crate::front_matter;
use crate::locate::Cooked;

/// A template's text. Its pieces are lines of a doc comment, or the whole of a literal or a file.
pub(crate) struct SourceText {
    pub(crate) value: String,
    pieces: Vec<Piece>,
    /// What rustc marks instead of a literal of many lines.
    key: Option<Span>,
    /// The file whose changes change the prompt, relative to the package.
    pub(crate) tracked: Option<String>,
}

struct Piece {
    /// Where the piece begins in the value.
    start: usize,
    cooked: Cooked,
    token: Token,
}

impl SourceText {
    /// The value of a string literal.
    pub(crate) fn literal(literal: &LitStr) -> SourceText {
        let token = Token::written(literal);
        let cooked =
            Cooked::read(&token.text).unwrap_or_else(|| Cooked::verbatim(&literal.value(), 0));
        SourceText {
            value: literal.value(),
            pieces: vec![Piece {
                start: 0,
                cooked,
                token,
            }],
            key: None,
            tracked: None,
        }
    }

    /// The same, with rustc marking its key where the literal itself would fill the screen.
    pub(crate) fn marked_at(mut self, key: Span) -> SourceText {
        let is_long = |piece: &Piece| piece.token.text.contains('\n');
        self.key = self.pieces.iter().any(is_long).then_some(key);
        self
    }

    /// The lines of a doc comment.
    pub(crate) fn doc(lines: &[LitStr]) -> SourceText {
        let mut source = SourceText {
            value: String::new(),
            pieces: Vec::new(),
            key: None,
            tracked: None,
        };
        for (index, line) in lines.iter().enumerate() {
            if index > 0 {
                source.value.push('\n');
            }
            let token = Token::written(line);
            let value = line.value();
            let words = value.strip_prefix(' ').unwrap_or(&value);
            let indent = value.len() - words.len();
            let start = source.value.len();
            let cooked = if token.text.starts_with("//") || token.text.starts_with("/*") {
                Cooked::verbatim(words, "///".len() + indent)
            } else {
                // `#[doc = "…"]`: the literal's own characters, less the first one if that was a space.
                Cooked::read(&token.text).map_or_else(
                    || Cooked::verbatim(words, 0),
                    |cooked| cooked.without_first(indent),
                )
            };
            source.value.push_str(words);
            source.pieces.push(Piece {
                start,
                cooked,
                token,
            });
        }
        source
    }

    /// The template of a file beside the sources: what stands behind its front matter. `None` if it cannot be read, which is
    /// reported.
    pub(crate) fn file(path: &LitStr, errors: &mut Errors) -> Option<SourceText> {
        let mut source = SourceText::whole_file(path, errors)?;
        let bytes = front_matter::length(&source.value);
        source.value.drain(..bytes);
        source.pieces = source
            .pieces
            .into_iter()
            .map(|piece| Piece {
                cooked: piece.cooked.without_first(bytes),
                ..piece
            })
            .collect();
        Some(source)
    }

    /// The whole text of a file.
    pub(crate) fn whole_file(path: &LitStr, errors: &mut Errors) -> Option<SourceText> {
        let name = path.value();
        let bytes = match read(&name) {
            Ok(bytes) => bytes,
            Err((message, help)) => {
                errors.push_help(path.span(), message, help);
                return None;
            }
        };
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
                let line = good.iter().filter(|byte| **byte == b'\n').count() + 1;
                let at = good.len();
                let message = format!(
                    "the template file `{name}` is not UTF-8: line {line}, byte {at} of the file"
                );
                errors.push_help(path.span(), message, "save it as UTF-8");
                return None;
            }
        };
        let cooked = Cooked::file(&text);
        let value = cooked.value.clone();
        let token = Token {
            text: text.clone(),
            span: path.span(),
            file: Some(name.clone()),
            line: 1,
            column: 0,
            whole: OnceCell::from(Some((text, 0))),
        };
        Some(SourceText {
            value,
            pieces: vec![Piece {
                start: 0,
                cooked,
                token,
            }],
            key: None,
            tracked: Some(name),
        })
    }

    /// Where rustc points for an error of these bytes.
    pub(crate) fn span(&self, at: prompt_syntax::Span) -> Span {
        self.key.unwrap_or_else(|| {
            self.piece(at.start)
                .map_or_else(Span::call_site, |piece| piece.token.span)
        })
    }

    /// The file, line and column of these bytes; both are counted from 1.
    pub(crate) fn place(&self, at: prompt_syntax::Span) -> (String, usize, usize) {
        let Some((piece, written)) = self.written(at) else {
            return (String::new(), 1, 1);
        };
        let token = &piece.token;
        let before = &token.text[..written.start];
        let lines = before.matches('\n').count();
        let column = match before.rfind('\n') {
            Some(line) => before[line + 1..].chars().count(),
            None => token.column + before.chars().count(),
        };
        (
            token.file.clone().unwrap_or_default(),
            token.line + lines,
            column + 1,
        )
    }

    /// Reports an error of the template.
    pub(crate) fn report(&self, error: &prompt_syntax::Error, errors: &mut Errors) {
        let mut message = error.message.clone();
        if let Some(drawing) = self.draw(
            error.span,
            error.label.as_deref().unwrap_or_default(),
            &error.related,
        ) {
            message = format!("{message}\n{drawing}");
        }
        if let Some(help) = &error.help {
            let help = self.as_typed(help);
            message = format!("{message}\n  = help: {help}");
        }
        errors.push(self.span(error.span), message);
    }

    /// What a help says to write, with the escapes that a `"…"` literal needs.
    fn as_typed(&self, help: &str) -> String {
        let escaped = self
            .pieces
            .first()
            .is_some_and(|piece| self.tracked.is_none() && piece.token.text.starts_with('"'));
        let mut typed = String::with_capacity(help.len());
        for (index, words) in help.split('`').enumerate() {
            if index > 0 {
                typed.push('`');
            }
            // Every second piece stands in backticks. Attributes are no part of the template.
            let in_template = index % 2 == 1 && !words.starts_with("#[") && !words.contains(" = ");
            if escaped && in_template {
                typed.push_str(&words.replace('\\', r"\\").replace('"', r#"\""#));
            } else {
                typed.push_str(words);
            }
        }
        typed
    }

    /// The place with its line and a mark under the words.
    pub(crate) fn draw(
        &self,
        at: prompt_syntax::Span,
        label: &str,
        related: &[(prompt_syntax::Span, String)],
    ) -> Option<String> {
        let (piece, written) = self.written(at)?;
        let token = &piece.token;
        let found = |span: prompt_syntax::Span| {
            let (other, written) = self.written(span)?;
            let offset = match (token.whole(), other.token.whole()) {
                (Some(_), Some((_, offset))) => *offset,
                _ if std::ptr::eq(piece, other) => 0,
                _ => return None,
            };
            Some(prompt_syntax::Span::new(
                offset + written.start,
                offset + written.end,
            ))
        };
        let related: Vec<_> = related
            .iter()
            .filter_map(|(span, label)| Some((found(*span)?, label.clone())))
            .collect();
        let (text, offset, line, column) = match token.whole() {
            Some((whole, offset)) => (whole, *offset, 1, 0),
            None => (&token.text, 0, token.line, token.column),
        };
        let source = snippet::Source {
            name: token.file.as_deref(),
            text,
            line,
            column,
        };
        let span = prompt_syntax::Span::new(offset + written.start, offset + written.end);
        Some(snippet::draw(&source, span, label, &related))
    }

    fn piece(&self, at: usize) -> Option<&Piece> {
        self.pieces
            .iter()
            .rev()
            .find(|piece| piece.start <= at)
            .or(self.pieces.first())
    }

    fn written(&self, at: prompt_syntax::Span) -> Option<(&Piece, std::ops::Range<usize>)> {
        let piece = self.piece(at.start)?;
        let end = at
            .end
            .min(piece.start + piece.cooked.value.len())
            .max(at.start);
        let span = prompt_syntax::Span::new(at.start - piece.start, end - piece.start);
        Some((piece, piece.cooked.written(span)))
    }

    /// The only literal that the text comes from, as it was written.
    pub(crate) fn single_literal(&self) -> Option<(&str, &Cooked, Span)> {
        match &self.pieces[..] {
            [piece] if self.tracked.is_none() && !piece.token.text.starts_with('/') => {
                Some((&piece.token.text, &piece.cooked, piece.token.span))
            }
            _ => None,
        }
    }
}
