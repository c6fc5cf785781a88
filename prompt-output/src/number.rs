//! Numbers of JSON values.

pub(crate) use prompt_base::number::{Amount, ParsedNumber, parse_json_number, parse_number};
use serde_json::Number;

/// Converts a number in JSON notation. Unlike serde_json's own parser, it returns the nearest float.
pub(crate) fn to_json_number(word: &str) -> Option<Number> {
    amount_to_json(parse_json_number(word)?)
}

/// The nearest finite float of a number in JSON notation.
pub(crate) fn nearest_number(word: &str) -> Option<Number> {
    let float: f64 = word.parse().ok()?;
    Number::from_f64(float.clamp(f64::MIN, f64::MAX))
}

/// Whether a word is a number beyond the range of floats, such as `1e400`.
pub(crate) fn exceeds_floats(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit())
        && word.parse().is_ok_and(|float: f64| float.is_infinite())
}

/// Converts an amount. A whole number of more than 64 bits has no result, since a float would lose digits.
pub(crate) fn amount_to_json(amount: Amount) -> Option<Number> {
    match amount {
        Amount::Integer(whole) => match (u64::try_from(whole), i64::try_from(whole)) {
            (Ok(whole), _) => Some(whole.into()),
            (_, Ok(whole)) => Some(whole.into()),
            _ => None,
        },
        Amount::Float(float) | Amount::Fraction(float) => Number::from_f64(float),
    }
}
