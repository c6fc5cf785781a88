//! The words inside a slot or a block's tag.

use super::name_len;
use crate::token::Word;
use crate::{Error, Span, Spanned};

const SIGNS: [&str; 8] = ["??", "::", ".", ",", "(", ")", "|", ":"];

pub(crate) fn words(text: &str, span: Span) -> Result<Vec<Spanned<Word>>, Error> {
    let mut words = Vec::new();
    let mut at = span.start;
    while let Some(c) = text[at..span.end].chars().next() {
        let rest = &text[at..span.end];
        let (word, len) = if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        } else if name_len(rest) > 0 {
            let len = name_len(rest);
            (Word::Name(rest[..len].to_owned()), len)
        } else if c == '"' || c == '\'' {
            string(rest, at, c)?
        } else if c.is_ascii_digit()
            || (c == '-' && rest[1..].starts_with(|c: char| c.is_ascii_digit()))
        {
            number(rest, at)?
        } else if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
            (Word::Sign(sign), sign.len())
        } else {
            let place = Span::new(at, at + c.len_utf8());
            return Err(Error::new(place, format!("`{c}` has no meaning here"))
                .label("not expected")
                .help("write a field, `.`, `|`, `??`, a text in quotes or a number"));
        };
        words.push(Spanned::new(word, Span::new(at, at + len)));
        at += len;
    }
    Ok(words)
}

fn string(rest: &str, at: usize, quote: char) -> Result<(Word, usize), Error> {
    let mut value = String::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((index, c)) = chars.next() {
        if c == quote {
            return Ok((Word::Str(value), index + 1));
        }
        if c != '\\' {
            value.push(c);
            continue;
        }
        let place = |end: usize| Span::new(at + index, at + end);
        match chars.next() {
            Some((_, 'n')) => value.push('\n'),
            Some((_, 't')) => value.push('\t'),
            Some((_, 'r')) => value.push('\r'),
            Some((_, c @ ('\\' | '"' | '\''))) => value.push(c),
            Some((_, 'u')) => {
                let code = &rest[index + 2..];
                let end = code.find('}').filter(|_| code.starts_with('{'));
                let parsed = end
                    .and_then(|end| u32::from_str_radix(&code[1..end], 16).ok())
                    .and_then(char::from_u32);
                let (Some(c), Some(end)) = (parsed, end) else {
                    return Err(
                        Error::new(place(index + 2), "this escape names no character")
                            .label("not a code point")
                            .help("write it as `\\u{1F600}`"),
                    );
                };
                value.push(c);
                for _ in 0..=code[..end].chars().count() {
                    chars.next();
                }
            }
            Some((next, c)) => {
                let end = next + c.len_utf8();
                return Err(Error::new(place(end), format!("unknown escape `\\{c}`"))
                    .label("not an escape")
                    .help(format!("write `\\\\{c}` for a backslash")));
            }
            None => break,
        }
    }
    Err(
        Error::new(Span::new(at, at + rest.len()), "this text is never closed")
            .label("opened here")
            .help(format!("add `{quote}`")),
    )
}

fn number(rest: &str, at: usize) -> Result<(Word, usize), Error> {
    let sign = usize::from(rest.starts_with('-'));
    let digits = |from: usize| rest[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut len = sign + digits(sign);
    let fraction = if rest[len..].starts_with('.') {
        digits(len + 1)
    } else {
        0
    };
    if fraction > 0 {
        len += 1 + fraction;
    }
    let written = &rest[..len];
    let word = if fraction > 0 {
        written.parse().ok().map(Word::Float)
    } else {
        written.parse().ok().map(Word::Int)
    };
    let word = word.ok_or_else(|| {
        Error::new(Span::new(at, at + len), "this number is too large")
            .label("more than 64 bits")
            .help("write a smaller number")
    })?;
    Ok((word, len))
}
