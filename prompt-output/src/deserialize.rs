//! Conversion of a value that fits its schema into a Rust type.

use crate::number::to_json_number;
use prompt_base::json::{Scanner, TokenKind};
use serde_core::de::DeserializeOwned;
use serde_json::{Number, Value};

/// Converts a value into a type, and its whole numbers with a fraction of zero, such as `3.0`, into whole numbers where the type wants them.
pub(crate) fn from_value<T: DeserializeOwned>(value: &Value) -> Result<T, serde_json::Error> {
    match T::deserialize(value) {
        Ok(value) => Ok(value),
        Err(_) => serde_json::from_value(with_whole_numbers(value.clone())),
    }
}

/// Converts JSON into a type, as [`from_value`], with all digits of its numbers.
pub(crate) fn from_json<T: DeserializeOwned>(json: &str) -> Result<T, serde_json::Error> {
    match serde_json::from_str(json) {
        Ok(value) => Ok(value),
        Err(_) => serde_json::from_str(&json_with_whole_numbers(json)),
    }
}

/// JSON whose whole numbers have no fraction.
fn json_with_whole_numbers(json: &str) -> String {
    let mut scanner = Scanner::new(json);
    let (mut out, mut end) = (String::with_capacity(json.len()), 0);
    while let Ok(Some(token)) = scanner.next_token() {
        let source = &json[token.span.start..token.span.end];
        if matches!(token.kind, TokenKind::Number)
            && let Some(number) = to_json_number(source)
            && let Some(whole) = whole_number(&number)
        {
            out += &json[end..token.span.start];
            out += &whole.to_string();
            end = token.span.end;
        }
    }
    out + &json[end..]
}

/// The whole number that a float is.
fn whole_number(number: &Number) -> Option<i64> {
    /// The largest number up to which every whole number is a float.
    const MAX_EXACT: f64 = 9_007_199_254_740_992.0;
    let float = number.as_f64().filter(|_| number.is_f64())?;
    (float.fract() == 0.0 && float.abs() <= MAX_EXACT).then_some(float as i64)
}

/// A value whose whole numbers have no fraction.
fn with_whole_numbers(value: Value) -> Value {
    match value {
        Value::Number(number) => match whole_number(&number) {
            Some(whole) => Value::from(whole),
            None => Value::Number(number),
        },
        Value::Array(items) => items.into_iter().map(with_whole_numbers).collect(),
        Value::Object(map) => map
            .into_iter()
            .map(|(key, value)| (key, with_whole_numbers(value)))
            .collect(),
        other => other,
    }
}
