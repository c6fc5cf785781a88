//! Numbers in the notations that people and models use.
//!
//! One grammar decides, and a text that contains anything else is not a number, so that a sign, a scale or a limit is never lost:
//!
//! ```text
//! number   = [sign] [currency] [sign] amount [currency] ["%"]     (one sign, one currency)
//! amount   = digits ["." digits] [exponent] | "." digits [exponent] | digits "/" digits
//! digits   = plain, or in groups of three with one separator: `,` `_` `'` or a space that does not break
//! sign     = "-" | "\u{2212}" | "+"
//! currency = "$" | "€" | "£" | "¥" | "₹"
//! ```
//!
//! A full stop after the amount is allowed. Where both separators occur (`1.234,56`), or a point twice (`1.234.567`), the last one
//! decides. `1,5` may be two numbers or one and a half, and is not a number.

/// A number that was parsed from a text.
///
/// ```
/// use prompt_base::number::{Amount, parse_number};
///
/// assert_eq!(parse_number("$1,234.50").unwrap().amount, Amount::Float(1234.5));
/// assert_eq!(parse_number("-5").unwrap().amount, Amount::Integer(-5));
/// assert!(parse_number("50%").unwrap().is_percent);
/// assert!(["(5)", "5 M", "> 3", "1,5", "5 apples"].iter().all(|text| parse_number(text).is_none()));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ParsedNumber {
    /// The amount, before a percent sign is applied.
    pub amount: Amount,
    /// It is written as a JSON number.
    pub is_json: bool,
    /// A percent sign follows it.
    pub is_percent: bool,
}

/// The amount of a [`ParsedNumber`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Amount {
    /// A whole number.
    Integer(i128),
    /// A number with a decimal point or an exponent.
    Float(f64),
    /// `1/5`, which is never a whole number.
    Fraction(f64),
}

impl Amount {
    fn negated(self) -> Amount {
        match self {
            Amount::Integer(number) => Amount::Integer(-number),
            Amount::Float(number) => Amount::Float(-number),
            Amount::Fraction(number) => Amount::Fraction(-number),
        }
    }
}

const CURRENCIES: [char; 5] = ['$', '€', '£', '¥', '₹'];

/// Parses a text that is exactly one number, with white space around it.
pub fn parse_number(text: &str) -> Option<ParsedNumber> {
    let text = text.trim();
    if let Some(amount) = parse_json_number(text) {
        return Some(ParsedNumber {
            amount,
            is_json: true,
            is_percent: false,
        });
    }
    let (sign, rest) = split_sign(text);
    let unmarked = rest.strip_prefix(CURRENCIES).map(str::trim_start);
    let has_currency = unmarked.is_some();
    let (inner_sign, rest) = match unmarked {
        Some(rest) => split_sign(rest),
        None => (None, rest),
    };
    let unsigned = rest.strip_suffix('%').map(str::trim_end);
    let is_percent = unsigned.is_some();
    let body = unsigned.unwrap_or(rest);
    let body = match body.strip_suffix(CURRENCIES) {
        Some(body) if !has_currency => body.trim_end(),
        _ => body,
    };
    let amount = parse_fraction(body).or_else(|| parse_amount(body))?;
    let amount = match (sign, inner_sign) {
        (Some(_), Some(_)) => return None,
        (Some('+') | None, Some('+') | None) => amount,
        _ => amount.negated(),
    };
    Some(ParsedNumber {
        amount,
        is_json: false,
        is_percent,
    })
}

/// Parses a number in JSON notation. There is none if it exceeds the range of floats.
pub fn parse_json_number(text: &str) -> Option<Amount> {
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
        if digits.is_empty() {
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

/// The sign at the beginning of a text. A space after it could make it the sign of a list.
fn split_sign(text: &str) -> (Option<char>, &str) {
    let mut letters = text.chars();
    match letters.next() {
        Some(sign @ ('-' | '−' | '+')) => (Some(sign), letters.as_str()),
        _ => (None, text),
    }
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
        // A code or a date, and not an amount.
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

#[cfg(test)]
mod tests {
    use super::Amount::{Float, Fraction, Integer};
    use super::*;

    #[test]
    fn notations() {
        for (text, amount) in [
            ("12", Integer(12)),
            ("-5", Integer(-5)),
            ("−5", Integer(-5)),
            ("+5", Integer(5)),
            ("1,234,567", Integer(1_234_567)),
            ("1_000", Integer(1000)),
            ("$1,234.50", Float(1234.5)),
            ("-$5", Integer(-5)),
            ("$-5", Integer(-5)),
            ("5 €", Integer(5)),
            ("50%", Integer(50)),
            ("1.234,56", Float(1234.56)),
            ("1.234.567", Integer(1_234_567)),
            ("42.", Integer(42)),
            (".5", Float(0.5)),
            ("1e3", Float(1000.0)),
            ("1/5", Fraction(0.2)),
        ] {
            let parsed = parse_number(text).map(|number| number.amount);
            assert_eq!(parsed, Some(amount), "{text}");
        }
    }

    #[test]
    fn a_text_with_anything_else_is_not_a_number() {
        for text in [
            "",
            "-",
            "five",
            "1,5",
            "12,34",
            "1,234,5",
            "007",
            "1/0",
            "--5",
            "-$-5",
            "$5$",
            "5k",
            "1e",
            ".",
            "(5)",
            "($1,200)",
            "$(5)",
            "– 5",
            "—5",
            "⁻5",
            "5−",
            "5-",
            "neg 5",
            "minus 5",
            "- 5",
            "5 M",
            "5 million",
            "5 thou",
            "5 万",
            "5‰",
            "5 percent",
            "5 bps",
            "7¢",
            "> 3",
            ">3",
            "~3",
            "± 3",
            "4/5 stars",
            "3 or 4",
            "2024-01-05",
            "1e999",
            "５",
        ] {
            assert_eq!(parse_number(text), None, "{text}");
        }
    }
}
