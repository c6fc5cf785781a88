//! Python's `bool`, `str` and `repr` of JSON values.

use serde_json::Value;

/// `bool(value)`.
pub(crate) fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(value) => value.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(map) => !map.is_empty(),
    }
}

/// `str(value)` of a value that is neither a list nor a dict.
pub(crate) fn text(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => float(number.as_f64().unwrap_or(f64::NAN)),
        Value::Number(number) => number.to_string(),
        other => other.to_string(),
    }
}

/// `repr` of a float: where Rust writes `1e-7` and `1e16`, Python writes `1e-07` and `1e+16`.
fn float(number: f64) -> String {
    let text = format!("{number:?}");
    let Some((digits, exponent)) = text.split_once('e') else {
        return text;
    };
    let (sign, exponent) = exponent
        .strip_prefix('-')
        .map_or(('+', exponent), |rest| ('-', rest));
    format!("{digits}e{sign}{exponent:0>2}")
}
