//! Conversion of JSON values of a golden case to Rust.

use serde_json::Value;

use crate::rust::{literal, slice};

/// The type of a field with this value.
pub(crate) fn rust_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "Option<&'static str>",
        Value::Bool(_) => "Python<bool>",
        Value::Number(number) if number.is_i64() => "i64",
        Value::Number(number) if number.is_u64() => "u64",
        Value::Number(_) => "Python<f64>",
        Value::String(_) => "&'static str",
        Value::Array(list) if list.iter().all(Value::is_string) => "&'static [&'static str]",
        Value::Array(_) => "Vec<serde_json::Value>",
        Value::Object(_) => "serde_json::Map<String, serde_json::Value>",
    }
}

/// The value, of that type.
pub(crate) fn rust_value(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(value) => format!("python({value})"),
        Value::Number(number) if number.is_i64() || number.is_u64() => number.to_string(),
        Value::Number(number) => format!("python({:?}f64)", number.as_f64().unwrap_or(f64::NAN)),
        Value::String(text) => literal(text),
        Value::Array(list) if list.iter().all(Value::is_string) => {
            let items = list
                .iter()
                .map(|item| literal(item.as_str().unwrap_or_default()));
            format!("({} as &[&str])", slice(items))
        }
        other => json(other),
    }
}

/// The value as JSON that is read at run time.
pub(crate) fn json(value: &Value) -> String {
    format!(
        "serde_json::from_str({}).expect(\"the golden is JSON\")",
        literal(&value.to_string())
    )
}
