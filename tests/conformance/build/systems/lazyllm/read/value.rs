//! Conversion of single values of a case to Rust.

use serde_json::{Map, Value};

use crate::rust::literal;

/// A valid Rust identifier.
pub(super) fn identifier(name: &str) -> String {
    let start = if name.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic()) {
        ""
    } else {
        "_"
    };
    let word = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    format!("{start}{}", name.chars().map(word).collect::<String>())
}

/// A history as Rust code: pairs if all turns are pairs, else JSON.
pub(crate) fn history(turns: &[Value]) -> String {
    let pair = |turn: &Value| {
        let [user, assistant] = &turn.as_array()?[..] else {
            return None;
        };
        Some(format!(
            "({}, {})",
            literal(user.as_str()?),
            literal(assistant.as_str()?)
        ))
    };
    match turns.iter().map(pair).collect::<Option<Vec<_>>>() {
        Some(pairs) => format!("History::from([{}])", pairs.join(", ")),
        None => format!(
            "History::parse_with_system({})?",
            literal(&Value::from(turns).to_string())
        ),
    }
}

/// A value as an argument in Rust.
pub(super) fn argument(value: &Value) -> String {
    match value {
        Value::String(text) => literal(text),
        Value::Null => "None".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(value) => value.to_string(),
        other => literal(&other.to_string()),
    }
}

pub(super) fn is_message(value: &Value) -> bool {
    value.get("role").is_some_and(Value::is_string)
}

/// Whether a message has content: text, parts or tool calls.
pub(super) fn is_whole_message(value: &Value) -> bool {
    let role = value.get("role").and_then(Value::as_str);
    let known = role.is_some_and(|role| ["system", "user", "assistant", "tool"].contains(&role));
    let content = value.get("content");
    let readable = content.is_some_and(|content| {
        !content.is_number() && !content.is_boolean() && !content.is_object()
    });
    known && (readable || content.is_none() && value.get("tool_calls").is_some())
}

/// The text of a user message that consists of text alone.
pub(super) fn plain_words(value: &Value) -> Option<Value> {
    let message = value.as_object()?;
    let plain =
        message.len() == 2 && message.get("role")? == "user" && message.get("content")?.is_string();
    plain.then(|| message["content"].clone())
}

pub(super) fn object(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}
