//! The tokens inside a Jinja tag: names, strings, numbers and operators, as in Jinja2.

use super::blank::{is_space, line_break, normalize_breaks};
use super::tag::string_end;
use crate::problem::subset;
use prompt_base::Span;
use prompt_syntax::dialect::{TagToken, continues_name, name_len, number_len};
use prompt_syntax::problem::word as problem;
use prompt_syntax::{Error, Spanned};

/// The longer ones first.
const SIGNS: [&str; 26] = [
    "**", "//", "==", "!=", ">=", "<=", "+", "-", "*", "/", "%", "~", "[", "]", "(", ")", "{", "}",
    "=", ".", ":", "|", ",", ">", "<", ";",
];

/// Splits the span of the text into tokens.
pub(crate) fn split_tokens(text: &str, span: Span) -> Result<Vec<Spanned<TagToken>>, Error> {
    let mut words: Vec<Spanned<TagToken>> = Vec::new();
    let mut at = span.start;
    while let Some(c) = text[at..span.end].chars().next() {
        let rest = &text[at..span.end];
        if is_space(c) {
            at += c.len_utf8();
            continue;
        }
        let (word, len) = if let len @ 1.. = name_len(rest) {
            (TagToken::Name(rest[..len].to_owned()), len)
        } else if matches!(c, '"' | '\'') {
            read_quoted(text, at, span.end)?
        } else if c.is_ascii_digit() {
            read_number(rest, at, text[..at].ends_with('.'))?
        } else if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign))
            && !["||", "===", "!==", "<>", "=>"]
                .into_iter()
                .any(|wrong| rest.starts_with(wrong))
        {
            (TagToken::Sign(sign), sign.len())
        } else {
            return Err(meaningless_sign_error(text, at, span.end));
        };
        words.push(Spanned::new(word, Span::new(at, at + len)));
        at += len;
    }
    Ok(words)
}

/// Returns the error for a sign without a meaning.
fn meaningless_sign_error(text: &str, at: usize, end: usize) -> Error {
    let rest = &text[at..end];
    let c = rest.chars().next().unwrap_or_default();
    let several = ["===", "!==", "&&", "||", "<>", "=>", "??", "?.", "?:"]
        .into_iter()
        .find(|sign| rest.starts_with(sign));
    let sign = several.map_or(c.to_string(), str::to_owned);
    let span = Span::new(at, at + sign.len());
    let after = rest[sign.len()..].trim();
    crate::problem::tag::meaningless_sign(&sign, after).at(span)
}

fn read_quoted(text: &str, at: usize, limit: usize) -> Result<(TagToken, usize), Error> {
    let Some(end) = string_end(text, at).filter(|end| *end <= limit) else {
        return Err(problem::unclosed_text(&text[at..=at]).at(Span::new(at, at + 1)));
    };
    let mut value = String::with_capacity(end - at - 2);
    let mut done = at + 1;
    while let Some(found) = text[done..end - 1].find('\\') {
        let slash = done + found;
        value.push_str(&normalize_breaks(&text[done..slash]));
        let (c, len) = read_escape(&text[slash..end - 1], slash)?;
        value.push_str(&c);
        done = slash + len;
    }
    value.push_str(&normalize_breaks(&text[done..end - 1]));
    Ok((TagToken::Str(value), end - at))
}

/// The character of the escape at the start of the text, and the length of the escape. An escape that Python does not define is literal text.
fn read_escape(rest: &str, at: usize) -> Result<(String, usize), Error> {
    let after = &rest[1..];
    let c = after.chars().next().unwrap_or_default();
    let one = |value: char| Ok((value.to_string(), 2));
    match c {
        'n' => one('\n'),
        't' => one('\t'),
        'r' => one('\r'),
        'a' => one('\u{7}'),
        'b' => one('\u{8}'),
        'f' => one('\u{c}'),
        'v' => one('\u{b}'),
        '\\' | '"' | '\'' => one(c),
        '\n' => Ok((String::new(), 2)),
        '\r' => Ok((String::new(), 1 + line_break(after))),
        '0'..='7' => {
            let len = after
                .bytes()
                .take(3)
                .take_while(|byte| matches!(byte, b'0'..=b'7'))
                .count();
            code_point(rest, at, 8, 1, len)
        }
        'x' => code_point(rest, at, 16, 2, 2),
        'u' => code_point(rest, at, 16, 2, 4),
        'U' => code_point(rest, at, 16, 2, 8),
        'N' => Err(subset::named_character().at(Span::new(at, at + 2))),
        c if c.is_ascii() => Ok((rest[..2].to_owned(), 2)),
        c => {
            let span = Span::new(at, at + 1 + c.len_utf8());
            Err(problem::unknown_escape(&c.to_string()).at(span))
        }
    }
}

/// The character with the number of `len` digits that begins at `from`.
fn code_point(
    rest: &str,
    at: usize,
    radix: u32,
    from: usize,
    len: usize,
) -> Result<(String, usize), Error> {
    let digits = rest.get(from..from + len).unwrap_or_default();
    let plain = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = u32::from_str_radix(digits, radix).ok().filter(|_| plain);
    match number.and_then(char::from_u32) {
        Some(c) => Ok((c.to_string(), from + len)),
        None => Err(problem::no_character(Some(len)).at(Span::new(at, at + from))),
    }
}

/// `12`, `1_000`, `0xff`, `1.5`, `1e-3`. After a dot a number is whole: `a.1.5` is two items.
fn read_number(rest: &str, at: usize, after_dot: bool) -> Result<(TagToken, usize), Error> {
    let float = if after_dot { None } else { float_len(rest) };
    let (len, word) = match float {
        Some(len) => {
            let value = rest[..len].replace('_', "").parse().ok();
            let value = value.filter(|value: &f64| value.is_finite());
            (len, value.map(TagToken::Float))
        }
        None => {
            let (len, radix) = int_len(rest);
            let digits = if radix == 10 {
                &rest[..len]
            } else {
                &rest[2..len]
            };
            let value = i64::from_str_radix(&digits.replace('_', ""), radix).ok();
            (len, value.map(TagToken::Int))
        }
    };
    let span = Span::new(at, at + len);
    let word = word.ok_or_else(|| problem::large_number().at(span))?;
    let glued = &rest[len..][..rest[len..]
        .find(|c| !continues_name(c))
        .unwrap_or(rest.len() - len)];
    if !glued.is_empty() && !matches!(glued, "if" | "else" | "and" | "or" | "in" | "is" | "not") {
        let span = Span::new(at, at + len + glued.len());
        let zero = rest.starts_with('0') && glued.bytes().all(|byte| byte.is_ascii_digit());
        let problem = match zero {
            true => crate::problem::tag::begins_with_zero(glued),
            false => problem::begins_with_digit(&rest[..len]),
        };
        return Err(problem.at(span));
    }
    Ok((word, len))
}

/// The length of digits with single `_` between them.
fn digits_len(text: &str, is_digit: impl Fn(u8) -> bool) -> usize {
    let bytes = text.as_bytes();
    let mut len = 0;
    while let Some(byte) = bytes.get(len) {
        let after = bytes.get(len + 1);
        if is_digit(*byte) {
            len += 1;
        } else if *byte == b'_' && len > 0 && after.is_some_and(|byte| is_digit(*byte)) {
            len += 2;
        } else {
            break;
        }
    }
    len
}

fn float_len(text: &str) -> Option<usize> {
    let digits = |from: usize| digits_len(&text[from..], |byte| byte.is_ascii_digit());
    let whole = digits(0);
    let len = number_len(text, whole, digits);
    (len > whole).then_some(len)
}

/// The length and the radix of a whole number.
fn int_len(text: &str) -> (usize, u32) {
    let radix = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => 16,
        [b'0', b'o' | b'O', ..] => 8,
        [b'0', b'b' | b'B', ..] => 2,
        _ => 10,
    };
    if radix != 10 {
        // An `_` may follow the `x` too.
        let rest = &text[2..];
        let from = usize::from(rest.starts_with('_'));
        let len = digits_len(&rest[from..], |byte| (byte as char).is_digit(radix));
        if len > 0 {
            return (2 + from + len, radix);
        }
    }
    let zero = text.starts_with('0');
    let len = digits_len(text, |byte| {
        byte.is_ascii_digit() && (!zero || byte == b'0')
    });
    (len, 10)
}
