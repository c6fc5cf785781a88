//! JSON in expressions.

use crate::expr::value::Dict;
use crate::expr::{Str, ToValue, Value};
use prompt_core::JsonKind;
use prompt_core::{Json, Origin};

#[diagnostic::do_not_recommend]
impl ToValue for serde_json::Value {
    fn to_value(&self, source: Origin) -> Value<'_> {
        match self {
            serde_json::Value::Null => Value::None,
            serde_json::Value::Bool(value) => Value::Bool(*value),
            serde_json::Value::Number(number) => number.as_i128().map_or_else(
                || Value::Float(number.as_f64().unwrap_or(f64::NAN)),
                Value::Int,
            ),
            serde_json::Value::String(text) => text.to_value(source),
            serde_json::Value::Array(items) => items.to_value(source),
            serde_json::Value::Object(entries) => entries.to_value(source),
        }
    }
}

#[diagnostic::do_not_recommend]
impl ToValue for serde_json::Map<String, serde_json::Value> {
    fn to_value(&self, source: Origin) -> Value<'_> {
        let entries = self
            .iter()
            .map(|(key, value)| (key.to_value(source), value.to_value(source)));
        Dict::from_entries(entries.collect()).into()
    }
}

/// What can be read from the JSON text, in its own order.
#[diagnostic::do_not_recommend]
impl ToValue for Json {
    fn to_value(&self, source: Origin) -> Value<'_> {
        json(self, source)
    }
}

fn json<'a>(json: &Json, source: Origin) -> Value<'a> {
    if let Some(entries) = json.unique_entries() {
        let mut dict = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            let key = Value::Text(Str::made(key, source));
            dict.push((key, self::json(&value, source)));
        }
        return Dict::from_entries(dict).into();
    }
    if let Some(items) = json.items() {
        let mut list = Vec::with_capacity(items.len());
        for item in &items {
            list.push(self::json(item, source));
        }
        return Value::List(list.into());
    }
    match json.kind() {
        JsonKind::Bool => Value::Bool(json.as_str() == "true"),
        JsonKind::Number => number(json.as_str()),
        JsonKind::String => {
            let text = json.as_string();
            text.map_or(Value::None, |text| Value::Text(Str::made(text, source)))
        }
        _ => Value::None,
    }
}

/// A number as Python reads it: whole without a point, and endless where it is too large.
fn number<'a>(text: &str) -> Value<'a> {
    match text.parse() {
        Ok(number) => Value::Int(number),
        Err(_) => Value::Float(text.parse().unwrap_or(f64::NAN)),
    }
}
