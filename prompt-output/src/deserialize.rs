//! Conversion of a value that fits its schema into a Rust type.

use serde_core::de::DeserializeOwned;
use serde_json::Value;

/// Converts a value into a type, and its whole numbers with a fraction of zero, such as `3.0`, into whole numbers where the type wants them.
pub(crate) fn from_value<T: DeserializeOwned>(value: &Value) -> Result<T, serde_json::Error> {
    match T::deserialize(value) {
        Ok(value) => Ok(value),
        Err(_) => serde_json::from_value(with_whole_numbers(value.clone())),
    }
}

/// A value whose whole numbers have no fraction.
fn with_whole_numbers(value: Value) -> Value {
    /// The largest number up to which every whole number is a float.
    const MAX_EXACT: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(number) if number.is_f64() => match number.as_f64() {
            Some(float) if float.fract() == 0.0 && float.abs() <= MAX_EXACT => {
                Value::from(float as i64)
            }
            _ => Value::Number(number),
        },
        Value::Array(items) => items.into_iter().map(with_whole_numbers).collect(),
        Value::Object(map) => map
            .into_iter()
            .map(|(key, value)| (key, with_whole_numbers(value)))
            .collect(),
        other => other,
    }
}
