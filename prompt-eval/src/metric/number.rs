//! Numeric answers.

use super::Metric;
use crate::DataError;

/// 1 if the last number of the answer is the correct one.
///
/// ```
/// use typed_prompt::eval::metric::{Metric, Numeric};
///
/// assert_eq!(Numeric::new().score("3 + 4 makes 7, so it is $1,007.00.", "1007"), 1.0);
/// assert_eq!(Numeric::new().score("about 3.14", "3.14159"), 0.0);
/// assert_eq!(Numeric::within(0.01).score("about 3.14", "3.14159"), 1.0);
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Numeric {
    tolerance: f64,
}

impl Numeric {
    /// Compares the exact number.
    pub fn new() -> Numeric {
        Numeric::default()
    }

    /// Allows a relative difference.
    pub fn within(tolerance: f64) -> Numeric {
        Numeric { tolerance }
    }
}

impl Metric for Numeric {
    fn name(&self) -> &str {
        "number"
    }

    fn definition(&self) -> String {
        match self.tolerance > 0.0 {
            true => format!("number (tolerance {})", self.tolerance),
            false => "number".to_owned(),
        }
    }

    fn score(&self, answer: &str, gold: &str) -> f64 {
        let (Some(answer), Some(gold)) = (last_number(answer), last_number(gold)) else {
            return 0.0;
        };
        // Different notations of a number may differ in the last bit.
        let allowed = gold.abs() * self.tolerance.max(1e-12);
        f64::from((answer - gold).abs() <= allowed)
    }

    fn is_readable(&self, answer: &str) -> bool {
        last_number(answer).is_some()
    }

    fn check_gold(&self, gold: &str) -> Result<(), DataError> {
        match last_number(gold) {
            Some(_) => Ok(()),
            None => Err(DataError::new(format!(
                "the right answer `{gold}` contains no number"
            ))),
        }
    }
}

/// The last number of a text, with sign, thousands separators, decimal point and exponent.
fn last_number(text: &str) -> Option<f64> {
    let bytes = text.as_bytes();
    let (mut at, mut found) = (0, None);
    while at < bytes.len() {
        let begins = is_digit(bytes, at) || bytes[at] == b'.' && is_digit(bytes, at + 1);
        if !begins {
            at += 1;
            continue;
        }
        let end = end_of(bytes, at);
        let digits: String = text[at..end].chars().filter(|char| *char != ',').collect();
        let is_negative = has_minus(text, at);
        // A number that exceeds the range is ignored.
        if let Some(number) = digits
            .parse::<f64>()
            .ok()
            .filter(|number| number.is_finite())
        {
            found = Some(if is_negative { -number } else { number });
        }
        at = end;
    }
    found
}

/// Whether a minus sign before the number belongs to it, and is not a subtraction.
fn has_minus(text: &str, at: usize) -> bool {
    let head = text[..at].strip_suffix('$').unwrap_or(&text[..at]);
    let Some(head) = head.strip_suffix(['-', '\u{2212}']) else {
        return false;
    };
    !head.ends_with(|char: char| char.is_alphanumeric() || char == ')')
}

fn end_of(bytes: &[u8], start: usize) -> usize {
    let digits = |mut at: usize| {
        while is_digit(bytes, at) {
            at += 1;
        }
        at
    };
    let mut at = digits(start);
    // Groups of three, such as 1,234,567.
    while bytes.get(at) == Some(&b',') && at > start && digits(at + 1) == at + 4 {
        at += 4;
    }
    if bytes.get(at) == Some(&b'.') && is_digit(bytes, at + 1) {
        at = digits(at + 1);
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        if is_digit(bytes, at + 1 + sign) {
            at = digits(at + 1 + sign);
        }
    }
    at
}

fn is_digit(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_some_and(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::last_number;

    #[test]
    fn the_last_number_is_found() {
        let check =
            |text: &str, expected: Option<f64>| assert_eq!(last_number(text), expected, "{text:?}");
        check("42", Some(42.0));
        check("#### 1,234,567", Some(1_234_567.0));
        check("1,2,3", Some(3.0));
        check("-5", Some(-5.0));
        check("10-5", Some(5.0));
        check("it is −3.5 °C.", Some(-3.5));
        check("-$12", Some(-12.0));
        check(".5", Some(0.5));
        check("1e3 m", Some(1000.0));
        check("2e", Some(2.0));
        check("1e999", None);
        check("50%", Some(50.0));
        check("v1.2.3", Some(0.3));
        check("none", None);
        check("", None);
        check("答案是12。", Some(12.0));
    }
}
