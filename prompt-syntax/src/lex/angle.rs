//! `<input:name>`, `<name>`, `<docs | join(", ")>`, `<if x>…</if>`, `<for x in xs>…</for>`; all else is text.

use std::collections::HashMap;

use super::{Lexed, backslashes_before, name_len};
use crate::token::TokenKind;
use crate::{Error, Role, Span, Spanned, Tag};

pub(crate) fn lex(text: &str, roles: bool) -> Lexed {
    let mut lexed = Lexed::default();
    let closers = closers(text);
    let (mut done, mut at) = (0, 0);
    while let Some(found) = text[at..].find('<') {
        let start = at + found;
        let Some(shape) = shape(text, start, roles) else {
            at = start + 1;
            continue;
        };
        let before = text_before(&mut lexed, text, done, start);
        (done, at) = (start, shape.end);
        if before.escaped {
            at = start + 1;
            continue;
        }
        let span = Span::new(start, shape.end);
        match shape.kind {
            TokenKind::Slot(inner) if is_tag_pair(text, inner, &closers) => {
                let name = Spanned::new(inner.of(text).to_owned(), inner);
                let close = closers[inner.of(text)];
                lexed.tags.push(Tag { name, close });
                lexed.push_text(span.of(text), span);
            }
            kind => lexed.push(kind, span),
        }
        lexed.errors.extend(shape.error);
        done = shape.end;
    }
    lexed.push_text(&text[done..], Span::new(done, text.len()));
    lexed
}

/// What came before a delimiter.
pub(crate) struct Before {
    /// Whether a backslash makes the delimiter text.
    pub(crate) escaped: bool,
}

/// Adds the words before a delimiter. Backslashes right before it are halved; an odd one makes it text.
pub(crate) fn text_before(lexed: &mut Lexed, text: &str, done: usize, start: usize) -> Before {
    let slashes = backslashes_before(text, done, start);
    let kept = start - slashes.div_ceil(2);
    // The span takes in the dropped backslashes, so that spans cover the whole text.
    if start > done {
        let words = &text[done..kept];
        lexed.push_text(words, Span::new(done, start));
    }
    Before {
        escaped: slashes % 2 == 1,
    }
}

/// A role tag, where roles are structure.
pub(crate) fn role_tag(text: &str, start: usize) -> Option<(TokenKind, usize)> {
    let close = text[start + 1..].starts_with('/');
    let name = start + 1 + usize::from(close);
    let end = name + name_len(&text[name..]);
    if !text[end..].starts_with('>') {
        return None;
    }
    let role = Role::from_name(&text[name..end])?;
    let kind = if close {
        TokenKind::EndRole(role)
    } else {
        TokenKind::Role(role)
    };
    Some((kind, end + 1))
}

/// Something that begins at a `<` and is no text.
pub(crate) struct Shape {
    kind: TokenKind,
    /// A wrong tag still opens its block, so that what closes that is no second error.
    error: Option<Error>,
    pub(crate) end: usize,
}

impl Shape {
    fn token(kind: TokenKind, end: usize) -> Option<Shape> {
        Some(Shape {
            kind,
            error: None,
            end,
        })
    }

    fn error(error: Error) -> Option<Shape> {
        Shape::wrong(TokenKind::Error, error)
    }

    fn wrong(kind: TokenKind, error: Error) -> Option<Shape> {
        let end = error.span.end;
        Some(Shape {
            kind,
            error: Some(error),
            end,
        })
    }
}

pub(crate) fn shape(text: &str, start: usize, roles: bool) -> Option<Shape> {
    if roles && let Some((kind, end)) = role_tag(text, start) {
        return Shape::token(kind, end);
    }
    let inside = start + 1;
    let rest = &text[inside..];
    if rest.starts_with("/if>") {
        return Shape::token(TokenKind::EndIf, inside + "/if>".len());
    }
    if rest.starts_with("/for>") {
        return Shape::token(TokenKind::EndFor, inside + "/for>".len());
    }
    let word = &rest[..name_len(rest)];
    match word {
        "" => None,
        "if" | "for" => block(text, start, word),
        "else" => otherwise(text, start),
        "input" if rest["input".len()..].starts_with(':') => slot(text, start, "input:".len()),
        // `<<SYS>>`: another format's own words.
        _ if text[..start].ends_with('<') && rest[word.len()..].starts_with(">>") => None,
        _ => slot(text, start, 0),
    }
}

fn block(text: &str, start: usize, word: &str) -> Option<Shape> {
    let head = start + 1 + word.len();
    let kind = |span| {
        if word == "if" {
            TokenKind::If(span)
        } else {
            TokenKind::For(span)
        }
    };
    match text[head..].chars().next() {
        Some('>') => Shape::token(kind(Span::new(head, head)), head + 1),
        Some(c) if c.is_whitespace() => tag(text, start, head, kind),
        _ => None,
    }
}

/// A tag with words in it, which the parser reads.
fn tag(text: &str, start: usize, head: usize, kind: impl Fn(Span) -> TokenKind) -> Option<Shape> {
    let end = match head_until(text, start, head) {
        Ok(end) => end,
        Err(error) => {
            let inner = trimmed(text, head, error.span.end.max(head));
            return Shape::wrong(kind(inner), error);
        }
    };
    let inner = trimmed(text, head, end);
    // White space before the `>` is what a comparison would leave: `<if count > 3>`.
    if inner.end == end {
        return Shape::token(kind(inner), end + 1);
    }
    let words = &text[start..inner.end];
    let error = Error::new(Span::new(start, end + 1), "a condition compares nothing")
        .label("the tag ends here")
        .help(format!(
            "write `{words}>`; for a comparison give a `bool` field"
        ));
    Shape::wrong(kind(inner), error)
}

fn otherwise(text: &str, start: usize) -> Option<Shape> {
    let head = start + 1 + "else".len();
    let rest = &text[head..];
    if rest.starts_with('>') {
        return Shape::token(TokenKind::Else, head + 1);
    }
    let condition = rest.trim_start_matches([' ', '\t']);
    if condition.len() < rest.len()
        && name_len(condition) == "if".len()
        && condition.starts_with("if")
    {
        let head = text.len() - condition.len() + "if".len();
        return tag(text, start, head, TokenKind::ElseIf);
    }
    None
}

fn slot(text: &str, start: usize, prefix: usize) -> Option<Shape> {
    let inside = start + 1;
    let mut at = inside + prefix;
    let name = name_len(&text[at..]);
    at += name;
    while name > 0 && text[at..].starts_with('.') {
        match name_len(&text[at + 1..]) {
            0 => break,
            more => at += 1 + more,
        }
    }
    let rest = &text[at..];
    if rest.starts_with('>') && (name > 0 || prefix > 0) {
        if name == 0 {
            return Shape::error(nameless(Span::new(start, at + 1)));
        }
        return Shape::token(TokenKind::Slot(Span::new(inside, at)), at + 1);
    }
    let sign = rest.trim_start_matches([' ', '\t']);
    let filtered = sign.starts_with("??") || (sign.starts_with('|') && !sign.starts_with("||"));
    if prefix == 0 && !filtered {
        return None;
    }
    head_until(text, start, at).map_or_else(Shape::error, |end| {
        Shape::token(TokenKind::Slot(trimmed(text, inside, end)), end + 1)
    })
}

/// Finds the `>` that closes what `start` opens: on the same line, outside of quotes, before another `<`.
fn head_until(text: &str, start: usize, from: usize) -> Result<usize, Error> {
    let mut quote: Option<(char, usize)> = None;
    let mut parentheses = 0usize;
    let mut escaped = false;
    let mut end = text.len();
    for (index, c) in text[from..].char_indices() {
        let at = from + index;
        match quote {
            _ if c == '\n' || c == '\r' => {
                end = at;
                break;
            }
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some((mark, _)) if c == mark => quote = None,
            Some(_) => {}
            None if c == '>' => return Ok(at),
            None if c == '<' => {
                end = at;
                break;
            }
            None if c == '"' || c == '\'' => quote = Some((c, at)),
            None if c == '(' => parentheses += 1,
            None if c == ')' => parentheses = parentheses.saturating_sub(1),
            None => {}
        }
    }
    let opening = text[start..from].trim_end();
    // Outside of an argument a quote is more likely one of the text after a forgotten `>`.
    if let Some((_, at)) = quote.filter(|_| parentheses > 0 || text[from..end].contains("??")) {
        return Err(Error::new(Span::new(at, end), "this text is never closed")
            .label("opened here")
            .help("add a quote of the same kind before the end of the line"));
    }
    let end = quote.map_or(end, |(_, at)| at);
    let end = start + text[start..end].trim_end().len();
    let what = if opening.starts_with("<if")
        || opening.starts_with("<for")
        || opening.starts_with("<else")
    {
        "tag"
    } else {
        "slot"
    };
    Err(Error::new(
        Span::new(start, end),
        format!("this {what} is never closed"),
    )
    .label("opened here")
    .help(format!("add `>`; write `\\{opening}` to keep it as text")))
}

fn nameless(span: Span) -> Error {
    Error::new(span, "this slot names no field")
        .label("a name is missing after `input:`")
        .help("write `<input:name>` with the name of a field")
}

fn trimmed(text: &str, start: usize, end: usize) -> Span {
    let words = &text[start..end];
    let start = end - words.trim_start().len();
    Span::new(start.min(end), start + text[start..end].trim_end().len())
}

/// The names of all `</name>` of the text, each with its first place.
fn closers(text: &str) -> HashMap<&str, Span> {
    let mut closers = HashMap::new();
    for (start, _) in text.match_indices("</") {
        let name = start + 2;
        let end = name + name_len(&text[name..]);
        if end > name && text[end..].starts_with('>') {
            closers
                .entry(&text[name..end])
                .or_insert(Span::new(start, end + 1));
        }
    }
    closers
}

fn is_tag_pair(text: &str, inner: Span, closers: &HashMap<&str, Span>) -> bool {
    // `input:name`, `a.b` and filters are no names of closers, so they never match.
    closers.contains_key(inner.of(text))
}
