//! `{name}` as Python's `str.format` and LangChain's f-string templates read it: `{{` and `}}` are braces, and a brace alone is an error.

use super::Lexed;
use crate::lex::LexTokenKind;
use crate::name::{is_hyphenated, name_len};
use crate::notation::text_until;
use crate::problem::fstring as problem;
use crate::{Dialect, Error};
use prompt_base::Span;

pub(crate) fn lex(text: &str, roles: bool) -> Lexed {
    let mut lexed = Lexed::new(Dialect::Fstring);
    let mut lone = Vec::new();
    let mut at = 0;
    while let Some(found) = text[at..].find(['{', '}', '<']) {
        let start = at + found;
        let rest = &text[start..];
        at = if rest.starts_with('<') {
            let tag = roles.then(|| lexed.role_tag(text, start));
            match tag.flatten() {
                Some(tag) if !lexed.push_before_tag(text, start) => {
                    lexed.push(tag.kind, start + tag.len, tag.error);
                    start + tag.len
                }
                _ => start + 1,
            }
        } else if rest.starts_with("{{") || rest.starts_with("}}") {
            lexed.push_text_until(text, start);
            lexed.push_literal_until(&rest[..1], start + 2);
            start + 2
        } else {
            lexed.push_text_until(text, start);
            push_field(&mut lexed, text, start, &mut lone)
        };
    }
    lexed.push_text_until(text, text.len());
    join_lone(text, &mut lexed.errors, &lone);
    lexed
}

/// How many braces are marked beside the first.
const MARKED: usize = 4;

/// Joins the errors about braces that are not doubled, such as those of JSON.
fn join_lone(text: &str, errors: &mut Vec<Error>, lone: &[Span]) {
    let [first, others @ ..] = lone else {
        return;
    };
    if others.is_empty() {
        return;
    }
    errors.retain(|error| {
        let found = lone.binary_search_by_key(&error.span.start, |span| span.start);
        found.is_err()
    });
    let rest = &text[first.start..];
    let tag = text_until(rest, "%}").filter(|_| rest.starts_with("{%"));
    let (mut joined, first) = match tag {
        Some(tag) => {
            // A tag of Jinja may contain braces: `{% set a = {'x': 1} %}`.
            let span = Span::new(first.start, first.start + tag.len() + "%}".len());
            (problem::jinja_tag(span.of(text)), span)
        }
        None => (problem::lone_braces(), *first),
    };
    let others = others.iter().filter(|other| other.start >= first.end);
    for span in others.take(MARKED) {
        joined = joined.related_to(*span, "and this");
    }
    errors.push(joined.at(first));
}

/// Adds the replacement field that begins here, or an error about the brace. `lone` receives the spans of braces that name no field.
/// Returns the end.
fn push_field(lexed: &mut Lexed, text: &str, start: usize, lone: &mut Vec<Span>) -> usize {
    let rest = &text[start..];
    if rest.starts_with('}') {
        let span = Span::new(start, start + 1);
        lone.push(span);
        let error = problem::lone_closing().at(span);
        lexed.push(LexTokenKind::Error, span.end, Some(error));
        return span.end;
    }
    let inside = start + 1;
    let name = Span::new(inside, inside + name_len(&text[inside..]));
    if name.end > name.start && text[name.end..].starts_with('}') {
        lexed.push(LexTokenKind::Slot(name), name.end + 1, None);
        return name.end + 1;
    }
    // A field ends on its line, and does not contain the beginning of another one.
    let line = &text[inside..];
    let line = &line[..line.find(['\n', '\r', '{', '}']).unwrap_or(line.len())];
    let close = inside + line.len();
    let (end, problem) = match text[close..].starts_with('}') {
        true if is_hyphenated(line) => (close + 1, problem::hyphen_in_name(line)),
        true => (close + 1, problem::unsupported_field(line)),
        false => (inside, problem::lone_opening()),
    };
    // A name, alone or with what Python allows after it; `{type: text}` is code, and so may `{}` and `{0}` be.
    let words = line.trim();
    let after = words[name_len(words)..].trim_start();
    let is_field = after.len() < words.len()
        && (after.is_empty() || after.starts_with(['!', ':', '.', '[']))
        && !after.starts_with(": ");
    if end == inside || !(is_field || is_hyphenated(line)) {
        lone.push(Span::new(start, end));
    }
    lexed.push(
        LexTokenKind::Error,
        end,
        Some(problem.at(Span::new(start, end))),
    );
    end
}
