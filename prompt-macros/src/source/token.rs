//! A literal as it was written, and where.

use std::cell::OnceCell;

use proc_macro2::Span;

use crate::locate::Cooked;
use crate::quoted::Quoted;

/// The characters that a piece was written with.
pub(super) struct Token {
    pub(super) text: String,
    pub(super) span: Span,
    pub(super) file: Option<String>,
    /// Counted from 1.
    pub(super) line: usize,
    /// Counted from 0.
    pub(super) column: usize,
    /// The whole source file, and where the token begins in it, if it can be found there. Read for an error only.
    pub(super) whole: OnceCell<Option<(String, usize)>>,
}

impl Token {
    pub(super) fn written(literal: &Quoted) -> Token {
        let span = literal.span();
        let text = span
            .source_text()
            .filter(|text| is_of(text, literal))
            .unwrap_or_else(|| literal.token().to_string());
        let mut token = Token {
            text,
            span,
            file: None,
            line: 1,
            column: 0,
            whole: OnceCell::new(),
        };
        if proc_macro::is_available() {
            let place = span.unwrap().start();
            (token.file, token.line, token.column) =
                (Some(place.file()), place.line(), place.column() - 1);
        }
        token
    }

    pub(super) fn whole(&self) -> Option<&(String, usize)> {
        let find = || {
            if !proc_macro::is_available() {
                return None;
            }
            let whole = std::fs::read_to_string(self.span.unwrap().local_file()?).ok()?;
            // rustc counts without the byte order mark, and with the line breaks of Unix.
            let whole = whole
                .strip_prefix('\u{feff}')
                .unwrap_or(&whole)
                .replace("\r\n", "\n");
            let offset = offset(&whole, self.line, self.column)?;
            whole[offset..]
                .starts_with(&self.text)
                .then_some((whole, offset))
        };
        self.whole.get_or_init(find).as_ref()
    }
}

/// Whether the characters under a literal's span are that literal: those of a macro's argument may be others.
fn is_of(text: &str, literal: &Quoted) -> bool {
    text.starts_with("//")
        || text.starts_with("/*")
        || text == literal.token().to_string()
        || Cooked::read(text).is_some_and(|cooked| cooked.value == literal.value())
}

/// The byte at a line, counted from 1, and a column, counted from 0.
fn offset(text: &str, line: usize, column: usize) -> Option<usize> {
    let mut start = 0;
    for _ in 1..line {
        start += text[start..].find('\n')? + 1;
    }
    let rest = text[start..].split('\n').next()?;
    let column = rest
        .char_indices()
        .map(|(at, _)| at)
        .chain([rest.len()])
        .nth(column)?;
    Some(start + column)
}
