//! Numbers in the notations that people and models use.

use crate::lookahead::{window_after, window_before};
use crate::name::{is_one_of, word_list};
use crate::prose::{COMPARISONS, is_negated};

/// A number that was read from a text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct ParsedNumber {
    pub value: Amount,
    /// Written as a JSON number.
    pub plain: bool,
    pub percent: bool,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Amount {
    Integer(i128),
    Float(f64),
    /// `1/5`: never a whole number.
    Fraction(f64),
}

/// Why no number could be taken from a text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum NumberError {
    None,
    /// Several different ones.
    Several,
    /// One, but part of a word, or of a larger number in words: `5k`, `3 million`.
    Unclear,
}

/// Words that change the value of the digits before them.
const SCALES: [&str; 37] = [
    "hundred",
    "hundreds",
    "thousand",
    "thousands",
    "million",
    "millions",
    "billion",
    "billions",
    "trillion",
    "trillions",
    "dozen",
    "dozens",
    "k",
    "mn",
    "bn",
    "mio",
    "mrd",
    "lakh",
    "lakhs",
    "crore",
    "crores",
    "squared",
    "cubed",
    "hundert",
    "tausend",
    "millionen",
    "milliarde",
    "milliarden",
    "mil",
    "mille",
    "mila",
    "millones",
    "milliard",
    "milliards",
    "milhões",
    "тысяч",
    "тысячи",
];

/// Reads a text that is exactly one number.
pub(crate) fn parse_number(text: &str) -> Option<ParsedNumber> {
    let text = text.trim();
    if let Some(value) = parse_json_number(text) {
        return Some(ParsedNumber {
            value,
            plain: true,
            percent: false,
        });
    }
    let plain = text.starts_with(|c: char| c == '-' || c.is_ascii_digit());
    let (negative, rest) = split_sign(text);
    let rest = rest
        .trim_start_matches(['$', '€', '£', '¥', '₹'])
        .trim_start();
    let (also, rest) = if rest.len() < text.len() {
        split_sign(rest)
    } else {
        (false, rest)
    };
    let unsigned = rest.strip_suffix('%').map(str::trim_end);
    let percent = unsigned.is_some();
    let body = unsigned
        .unwrap_or(rest)
        .trim_end_matches(['€', '$', '£'])
        .trim_end();
    let value = parse_fraction(body).or_else(|| parse_amount(body))?;
    let value = match value {
        _ if negative && also => return None,
        value if !(negative || also) => value,
        Amount::Integer(number) => Amount::Integer(-number),
        Amount::Float(number) => Amount::Float(-number),
        Amount::Fraction(number) => Amount::Fraction(-number),
    };
    let plain = plain && body.len() + usize::from(negative) == text.len() && is_json_notation(body);
    Some(ParsedNumber {
        value,
        plain,
        percent,
    })
}

/// Converts to a JSON number. Unlike serde_json's own parser, it returns the nearest float.
pub(crate) fn to_json_number(word: &str) -> Option<serde_json::Number> {
    let number = parse_number(word).filter(|number| number.plain && !number.percent)?;
    match number.value {
        Amount::Integer(whole) => match (u64::try_from(whole), i64::try_from(whole)) {
            (Ok(whole), _) => Some(whole.into()),
            (_, Ok(whole)) => Some(whole.into()),
            _ => serde_json::Number::from_f64(whole as f64),
        },
        Amount::Float(float) => serde_json::Number::from_f64(float),
        Amount::Fraction(_) => None,
    }
}

/// Reads a number in JSON notation, the common case.
pub(crate) fn parse_json_number(text: &str) -> Option<Amount> {
    let unsigned = text.strip_prefix('-').unwrap_or(text).as_bytes();
    let whole = count_digits(unsigned);
    if whole == 0 || whole > 1 && unsigned[0] == b'0' {
        return None;
    }
    if whole == unsigned.len() {
        let number = match whole {
            0..=18 => text.parse::<i64>().ok().map(i128::from),
            _ => text.parse().ok(),
        };
        return number.map(Amount::Integer);
    }
    let mut rest = &unsigned[whole..];
    if let [b'.', decimals @ ..] = rest {
        let length = count_digits(decimals);
        rest = decimals.get(length..).filter(|_| length > 0)?;
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let digits = match exponent {
            [b'+' | b'-', digits @ ..] => digits,
            digits => digits,
        };
        rest = digits.get(count_digits(digits)..)?;
        // A longer exponent exceeds the range of floats.
        if !(1..=3).contains(&digits.len()) {
            return None;
        }
    }
    if rest.is_empty() {
        parse_finite(text)
    } else {
        None
    }
}

fn count_digits(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count()
}

fn split_sign(text: &str) -> (bool, &str) {
    match text.strip_prefix(['-', '−']) {
        Some(rest) => (true, rest.trim_start()),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

fn is_json_notation(body: &str) -> bool {
    let whole = body.split(['.', 'e', 'E']).next().unwrap_or_default();
    !body.contains([',', '_', '/', '\u{a0}', '\u{202f}'])
        && !whole.is_empty()
        && !body.ends_with('.')
}

/// Digits with separators, a decimal point, an exponent.
fn parse_amount(body: &str) -> Option<Amount> {
    if !body.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    // The full stop of a sentence.
    let body = if body.len() > 1 {
        body.strip_suffix('.').unwrap_or(body)
    } else {
        body
    };
    let (digits, exponent) = match body.find(['e', 'E']) {
        Some(at) => (&body[..at], Some(&body[at + 1..])),
        None => (body, None),
    };
    let digits = remove_grouping(digits)?;
    let whole = digits.split('.').next().unwrap_or_default();
    if whole.len() > 1 && whole.starts_with('0') {
        // A code or a date, not an amount.
        return None;
    }
    match exponent {
        None if !digits.contains('.') => digits.parse().ok().map(Amount::Integer),
        None => parse_finite(&digits),
        Some(exponent) => {
            exponent.parse::<i32>().ok()?;
            parse_finite(&format!("{digits}e{exponent}"))
        }
    }
}

fn parse_finite(text: &str) -> Option<Amount> {
    text.parse::<f64>()
        .ok()
        .filter(|number| number.is_finite())
        .map(Amount::Float)
}

/// Removes digit grouping and makes the decimal separator a point. Ambiguous grouping has no result: `1,5` may be one and a half,
/// or not.
fn remove_grouping(text: &str) -> Option<String> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return (!text.is_empty()).then(|| text.to_owned());
    }
    let spaces = ['_', '\u{a0}', '\u{202f}', '\''];
    // Countries exchange the meaning of comma and point. Of both, the last one separates the decimals, since groups never
    // follow them; one alone is ambiguous unless it occurs twice.
    let (group, point) = match (text.rfind(','), text.rfind('.')) {
        (Some(comma), Some(dot)) if comma > dot => ('.', Some(',')),
        (Some(_), _) => (',', Some('.')),
        // Two points group, one separates.
        (None, Some(_)) if text.matches('.').count() > 1 => ('.', None),
        (None, _) => match text.chars().find(|letter| spaces.contains(letter)) {
            Some(space) => (space, Some('.')),
            None => (',', Some('.')),
        },
    };
    let (whole, decimals) = match point.and_then(|point| text.split_once(point)) {
        Some((whole, decimals)) => (whole, Some(decimals)),
        None => (text, None),
    };
    let groups: Vec<&str> = whole.split(group).collect();
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let (first, later) = groups.split_first()?;
    // Only groups of three digits are unambiguous: `12,34` may be two numbers.
    let grouped = later.iter().all(|part| part.len() == 3) && (1..=3).contains(&first.len());
    if !(later.is_empty() || grouped) || !groups.iter().all(|part| digits(part)) {
        return None;
    }
    let whole = groups.concat();
    match decimals {
        Some(decimals) if decimals.is_empty() || !digits(decimals) => None,
        Some(decimals) if whole.is_empty() => Some(format!("0.{decimals}")),
        Some(decimals) => Some(format!("{whole}.{decimals}")),
        None => Some(whole),
    }
}

fn parse_fraction(body: &str) -> Option<Amount> {
    let (above, below) = body.split_once('/')?;
    let read = |part: &str| part.trim().parse::<u32>().ok().map(f64::from);
    let (above, below) = (read(above)?, read(below)?);
    (below != 0.0).then(|| Amount::Fraction(above / below))
}

/// The only number in a text; it may occur more than once.
pub(crate) fn only_number(text: &str) -> Result<ParsedNumber, NumberError> {
    let mut found: Option<ParsedNumber> = None;
    let (mut rest, mut count, mut is_unclear) = (0, 0, false);
    while let Some(offset) = text[rest..].find(|c: char| c.is_ascii_digit()) {
        let (start, end) = number_extent(text, rest, rest + offset);
        let number =
            parse_number(text[start..end].trim_end_matches('.')).ok_or(NumberError::Unclear)?;
        count += 1;
        // Each occurrence inspects the text around it. A text that repeats its number this often is not an answer.
        if count > MAX_OCCURRENCES || is_part_of_word(text, start, end) {
            return Err(NumberError::Unclear);
        }
        match found {
            Some(other) if other.value != number.value => return Err(NumberError::Several),
            _ => found = Some(number),
        }
        // One unclear occurrence is enough to reject the text: another one may only quote it.
        is_unclear |=
            is_negated(text, start, end) || is_bound(text, start) || is_error_code(&text[..start]);
        rest = end;
    }
    match is_unclear {
        true => Err(NumberError::Unclear),
        false => found.ok_or(NumberError::None),
    }
}

/// The extent of the number around a digit: with its sign and currency before, and separators between digits.
fn number_extent(text: &str, from: usize, digit: usize) -> (usize, usize) {
    let bytes = text.as_bytes();
    let mut end = digit;
    while end < bytes.len() {
        let next_is_digit = bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
        match bytes[end] {
            b'0'..=b'9' => end += 1,
            // At the end of a number these signs are punctuation of the sentence.
            b'.' | b',' | b'/' | b'_' if next_is_digit => end += 1,
            b'e' | b'E' if next_is_digit || has_signed_exponent(&bytes[end..]) => end += 2,
            b'%' => {
                end += 1;
                break;
            }
            _ => break,
        }
    }
    let mut start = digit;
    let before = |start: usize| text[from..start].chars().next_back();
    while let Some(letter) = before(start) {
        let sign = matches!(letter, '-' | '−' | '+');
        if !(sign || matches!(letter, '$' | '€' | '£' | '¥' | '₹' | '.')) {
            break;
        }
        let at = start - letter.len_utf8();
        let word = |c: char| c.is_alphanumeric() || c == ')' || c == '.';
        if (sign || letter == '.') && before(at).is_some_and(word) {
            break;
        }
        start = at;
    }
    (start, end)
}

fn has_signed_exponent(bytes: &[u8]) -> bool {
    matches!(bytes.get(1), Some(b'+' | b'-')) && bytes.get(2).is_some_and(u8::is_ascii_digit)
}

/// Dashes that may be a minus sign, a range or a bullet.
fn is_dash(c: char) -> bool {
    matches!(c, '‐'..='―' | '－' | '﹣')
}

/// The greatest number of times that an answer names its number.
const MAX_OCCURRENCES: usize = 1000;

/// The longest text beside a number that is inspected, in bytes.
const MAX_CONTEXT: usize = 40;

/// Whether a number limits the answer and is not it (`at least 42`, `> 42`), is only an example (`e.g. 7`), or has a sign in words
/// (`minus 42`).
fn is_bound(text: &str, start: usize) -> bool {
    let before = window_before(&text[..start], MAX_CONTEXT);
    let line = before.rsplit('\n').next().unwrap_or_default();
    let lead = line.trim_end_matches(|c: char| c.is_whitespace() || "*_`\"'(".contains(c));
    let compares =
        lead.ends_with(['≥', '≤', '<', '≠']) || UNEQUAL.iter().any(|sign| lead.ends_with(sign));
    // Not the end of a tag, an arrow, or the sign of a quotation.
    let greater = lead.ends_with('>')
        && !lead.contains('<')
        && !lead.ends_with("->")
        && !lead.ends_with("=>")
        && (lead.len() > 1 || line.len() == 1);
    let mut words = lead.rsplit(|c: char| !c.is_alphanumeric() && c != '.');
    let mut word = || words.next().unwrap_or_default().to_lowercase();
    let (last, before) = (word(), word());
    let word = last.trim_matches('.');
    compares
        || greater
        || is_one_of(word, &COMPARISONS)
        || is_one_of(word, &["minus", "negative", "or", "menos", "moins", "meno"])
        || is_one_of(word, &["de", "di", "do", "als", "que"]) && is_one_of(&before, &MORE)
}

/// The first word of a limit of two words: `más de 3`, `mehr als 3`.
const MORE: [&str; 10] = word_list("más mas menos plus moins mais meno più mehr weniger");
/// Signs before a number that compare it.
const UNEQUAL: [&str; 11] = [
    ">=", "<=", "!=", "<>", "\\le", "\\leq", "\\ge", "\\geq", "\\ne", "\\neq", "\\sqrt{",
];
/// Signs after a number that compare it: `1.5 < x`.
const COMPARED: [&str; 7] = ["< ", "<=", "> ", ">=", "≤", "≥", "≠"];

/// Whether the text before a number is only a report of an error: `Error 404`.
fn is_error_code(before: &str) -> bool {
    let words = before
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let words: Vec<String> = words.take(4).map(str::to_lowercase).collect();
    let mut words = words.iter().map(String::as_str);
    matches!(words.next(), Some("error" | "errno" | "http" | "exception"))
        && words.all(|word| matches!(word, "code" | "status" | "error" | "http"))
}

fn is_part_of_word(text: &str, start: usize, end: usize) -> bool {
    let letter = |c: char| c.is_alphanumeric() || c == '_';
    let before = text[..start]
        .chars()
        .next_back()
        .is_some_and(|c| letter(c) || matches!(c, '-' | '/' | '±' | '√') || is_dash(c));
    // `sqrt(2)`, `-(2)`
    let is_argument = text[..start]
        .strip_suffix('(')
        .is_some_and(|name| name.ends_with(|c| letter(c) || matches!(c, '-' | '−')));
    let after = &text[end..];
    let mut next = String::new();
    let letters = after.trim_start_matches([' ', '-']).chars();
    for c in letters.take_while(|c| c.is_alphabetic()).take(10) {
        next.extend(c.to_lowercase());
    }
    before
        || is_argument
        || after.starts_with(letter)
        || after.starts_with(['+', '@'])
        || text[..start]
            .strip_suffix('.')
            .is_some_and(|name| name.ends_with(letter))
        || COMPARED
            .iter()
            .any(|sign| after.trim_start().starts_with(sign))
        || after.trim() == "-"
        || ["below zero", "and a half", "and a quarter", "and a third"]
            .iter()
            .any(|words| window_after(after, MAX_CONTEXT).contains(words))
        || SCALES.contains(&next.as_str())
}

#[cfg(test)]
mod tests {
    use super::Amount::{Float, Fraction, Integer};
    use super::*;

    #[test]
    fn notations() {
        for (text, value) in [
            ("12", Integer(12)),
            ("-5", Integer(-5)),
            ("−5", Integer(-5)),
            ("1,234,567", Integer(1_234_567)),
            ("1_000", Integer(1000)),
            ("$1,234.50", Float(1234.5)),
            ("-$5", Integer(-5)),
            ("$-5", Integer(-5)),
            ("5 €", Integer(5)),
            ("50%", Integer(50)),
            ("1.234,56", Float(1234.56)),
            ("1.234.567", Integer(1_234_567)),
            ("12.11.", Float(12.11)),
            (".5", Float(0.5)),
            ("1e3", Float(1000.0)),
            ("1/5", Fraction(0.2)),
        ] {
            assert_eq!(
                parse_number(text).map(|number| number.value),
                Some(value),
                "{text}"
            );
        }
    }

    #[test]
    fn text_that_is_not_clearly_a_number() {
        for text in [
            "", "-", "five", "1,5", "12,34", "1,234,5", "007", "1/0", "--5", "5k", "1e", ".",
        ] {
            assert_eq!(parse_number(text), None, "{text}");
        }
    }

    #[test]
    fn the_only_number_of_a_text() {
        for (text, value) in [
            ("The answer is 42.", Integer(42)),
            ("It is -3, so -3", Integer(-3)),
            ("about 1,234 users", Integer(1234)),
            ("**7**", Integer(7)),
            ("1 cup of butter", Integer(1)),
            (r"\boxed{42}", Integer(42)),
        ] {
            assert_eq!(
                only_number(text).map(|number| number.value),
                Ok(value),
                "{text}"
            );
        }
        for (text, why) in [
            ("none at all", NumberError::None),
            ("3 or 4", NumberError::Several),
            ("2024-01-05", NumberError::Unclear),
            ("from 5-10", NumberError::Unclear),
            ("5k", NumberError::Unclear),
            ("3 million", NumberError::Unclear),
            ("GPT4", NumberError::Unclear),
        ] {
            assert_eq!(only_number(text), Err(why), "{text}");
        }
    }
}
