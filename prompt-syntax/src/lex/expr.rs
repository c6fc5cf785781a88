//! The words inside a tag: names, texts, numbers and signs, the same in every dialect.

use super::string;
use crate::problem::word as problem;
use crate::token::Word;
use crate::unicode::{continues_name, name_len};
use crate::{Dialect, Error, Span, Spanned};

const SIGNS: [&str; 8] = ["??", "::", ".", ",", "(", ")", "|", ":"];

/// Splits the span of the text into words.
pub(crate) fn words(text: &str, span: Span) -> Result<Vec<Spanned<Word>>, Error> {
    let mut words: Vec<Spanned<Word>> = Vec::new();
    let mut at = span.start;
    while let Some(c) = text[at..span.end].chars().next() {
        let rest = &text[at..span.end];
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let (word, len) = if let len @ 1.. = name_len(rest) {
            (Word::Name(rest[..len].to_owned()), len)
        } else if matches!(c, '"' | '\'') && !text[..at].ends_with(continues_name) {
            quoted(text, at, span.end)?
        } else if rest
            .trim_start_matches('-')
            .starts_with(|c: char| c.is_ascii_digit())
            && !rest.starts_with("--")
        {
            number(rest, at)?
        } else if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign))
            && !rest.starts_with("||")
        {
            (Word::Sign(sign), sign.len())
        } else {
            return Err(meaningless(text, at, span, &words));
        };
        words.push(Spanned::new(word, Span::new(at, at + len)));
        at += len;
    }
    Ok(words)
}

/// Says what a sign without a meaning should be.
fn meaningless(text: &str, at: usize, span: Span, words: &[Spanned<Word>]) -> Error {
    let rest = &text[at..span.end];
    let c = rest.chars().next().unwrap_or_default();
    let before = words.last().filter(|word| word.span.end == at);
    let joins_names = rest[c.len_utf8()..].starts_with(continues_name);
    let two = ["==", "!=", "<=", "&&", "||"]
        .into_iter()
        .find(|sign| rest.starts_with(sign));
    let sign = match two {
        Some(sign) => sign.to_owned(),
        None => c.to_string(),
    };
    let place = Span::new(at, at + sign.len());
    if c == '#'
        && let Some(Spanned {
            value: Word::Name(raw),
            span: word,
        }) = before
        && raw == "r"
    {
        let name = &rest[1..=name_len(&rest[1..])];
        return problem::raw_name(name).at(word.to(place));
    }
    let in_name = joins_names && before.is_some();
    problem::meaningless(Dialect::Angle, &sign, "", in_name).at(place)
}

fn quoted(text: &str, at: usize, limit: usize) -> Result<(Word, usize), Error> {
    let Some(end) = string::end(text, at).ok().filter(|end| *end <= limit) else {
        return Err(problem::unclosed_text(&text[at..=at]).at(Span::new(at, at + 1)));
    };
    let inside = &text[at + 1..end - 1];
    let mut value = String::with_capacity(inside.len());
    let mut rest = inside;
    while let Some(slash) = rest.find('\\') {
        value.push_str(&rest[..slash]);
        let place = end - 1 - (rest.len() - slash);
        let (c, len) = escape(&rest[slash..], place)?;
        value.push(c);
        rest = &rest[slash + len..];
    }
    value.push_str(rest);
    Ok((Word::Str(value), end - at))
}

/// The character of the escape at the start of the text, and the escape's length.
fn escape(rest: &str, at: usize) -> Result<(char, usize), Error> {
    let c = rest[1..].chars().next().unwrap_or_default();
    let value = match c {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        '\\' | '"' | '\'' => c,
        'u' => return code_point(rest, at),
        _ => {
            let shown = c.escape_debug().to_string();
            let place = Span::new(at, at + 1 + c.len_utf8().min(rest.len() - 1));
            return Err(problem::unknown_escape(&shown).at(place));
        }
    };
    Ok((value, 2))
}

/// `\u{1F600}`
fn code_point(rest: &str, at: usize) -> Result<(char, usize), Error> {
    let digits = rest.strip_prefix("\\u{").map_or("", |code| {
        &code[..code
            .find(|c: char| !c.is_ascii_hexdigit())
            .unwrap_or(code.len())]
    });
    let len = "\\u{".len() + digits.len();
    let value = u32::from_str_radix(digits, 16)
        .ok()
        .and_then(char::from_u32);
    match value {
        Some(c) if rest[len..].starts_with('}') => Ok((c, len + 1)),
        _ => {
            let place = Span::new(at, at + if digits.is_empty() { 2 } else { len });
            Err(problem::no_character(None).at(place))
        }
    }
}

/// `12`, `-1.5`, `1e-3`
fn number(rest: &str, at: usize) -> Result<(Word, usize), Error> {
    let digits = |from: usize| {
        rest.as_bytes()[from..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count()
    };
    let sign = usize::from(rest.starts_with('-'));
    let whole = sign + digits(sign);
    let mut len = whole;
    if rest[len..].starts_with('.') && digits(len + 1) > 0 {
        len += 1 + digits(len + 1);
    }
    if rest[len..].starts_with(['e', 'E']) {
        let exponent = len + 1 + usize::from(rest[len + 1..].starts_with(['+', '-']));
        if digits(exponent) > 0 {
            len = exponent + digits(exponent);
        }
    }
    let written = &rest[..len];
    let word = if len == whole {
        written.parse().ok().map(Word::Int)
    } else {
        let value = written.parse().ok().filter(|value: &f64| value.is_finite());
        value.map(Word::Float)
    };
    let place = Span::new(at, at + len);
    let word = word.ok_or_else(|| problem::large_number().at(place))?;
    if rest[len..].starts_with(continues_name) {
        let end = len
            + rest[len..]
                .find(|c| !continues_name(c))
                .unwrap_or(rest.len() - len);
        return Err(problem::begins_with_digit(written).at(Span::new(at, at + end)));
    }
    Ok((word, len))
}
