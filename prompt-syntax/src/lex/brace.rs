//! `{name}` and `{input:name}` are slots, `{{name}}` is the text `{name}`; every other brace is text.

use super::{Lexed, angle, name_len};
use crate::token::TokenKind;
use crate::{Error, Span};

pub(crate) fn lex(text: &str, roles: bool) -> Lexed {
    let mut lexed = Lexed::default();
    let (mut done, mut at) = (0, 0);
    while let Some(found) = text[at..].find(if roles { &['{', '<'][..] } else { &['{'][..] }) {
        let start = at + found;
        if text.as_bytes()[start] == b'<' {
            match angle::role_tag(text, start) {
                Some((kind, end)) => {
                    let words = angle::text_before(&mut lexed, text, done, start);
                    if words.escaped {
                        lexed.push_text("<", Span::new(start, start + 1));
                        at = start + 1;
                    } else {
                        lexed.push(kind, Span::new(start, end));
                        at = end;
                    }
                    done = at;
                }
                None => at = start + 1,
            }
            continue;
        }
        match shape(text, start) {
            Shape::Slot { inner, end } => {
                lexed.push_text(&text[done..start], Span::new(done, start));
                lexed.push(TokenKind::Slot(inner), Span::new(start, end));
                (done, at) = (end, end);
            }
            Shape::Escaped { words, end } => {
                lexed.push_text(&text[done..start], Span::new(done, start));
                lexed.push_text(words, Span::new(start, end));
                (done, at) = (end, end);
            }
            Shape::Unclosed { end } => {
                lexed.push_text(&text[done..start], Span::new(done, start));
                lexed.fail(unclosed(text, start, end), Span::new(start, end));
                (done, at) = (end, end);
            }
            Shape::Text => at = start + 1,
        }
    }
    lexed.push_text(&text[done..], Span::new(done, text.len()));
    lexed
}

/// What begins at an opening brace.
pub(crate) enum Shape<'a> {
    Slot { inner: Span, end: usize },
    Escaped { words: &'a str, end: usize },
    Unclosed { end: usize },
    Text,
}

pub(crate) fn shape(text: &str, start: usize) -> Shape<'_> {
    let inside = start + 1;
    if text[inside..].starts_with('{') {
        if let Shape::Slot { end, .. } = shape_single(text, inside)
            && text[end..].starts_with('}')
        {
            return Shape::Escaped {
                words: &text[inside..end],
                end: end + 1,
            };
        }
        // `{{{name}}` and the like: the outer brace is text, the next one is looked at on its own.
        return Shape::Text;
    }
    shape_single(text, start)
}

pub(crate) fn shape_single(text: &str, start: usize) -> Shape<'_> {
    let inside = start + 1;
    let rest = &text[inside..];
    let input = rest.starts_with("input:");
    let name = inside + if input { "input:".len() } else { 0 };
    let end = name + name_len(&text[name..]);
    if end > name && text[end..].starts_with('}') {
        return Shape::Slot {
            inner: Span::new(inside, end),
            end: end + 1,
        };
    }
    if input {
        Shape::Unclosed { end }
    } else {
        Shape::Text
    }
}

fn unclosed(text: &str, start: usize, end: usize) -> Error {
    let name = &text[start + 1 + "input:".len()..end];
    let span = Span::new(start, end);
    if name.is_empty() {
        Error::new(span, "this slot names no field")
            .label("a name is missing after `input:`")
            .help("write `{input:name}` with the name of a field")
    } else {
        Error::new(span, "this slot is never closed")
            .label("opened here")
            .help(format!("write `{{input:{name}}}`"))
    }
}
