//! The expected values of a golden case that are compared.

use serde_json::{Map, Value, json};

/// The resulting texts and messages of a case, without the packages' intermediate values.
pub(super) fn wanted(case: &Value, expect: &Value, is_quirk: bool) -> Value {
    let mut wanted = Map::new();
    let is_mixed = case["template"]["prompt_template"]["type"] == "MMPromptTemplate";
    for (key, value) in expect.as_object().into_iter().flatten() {
        let value = match &**key {
            "final" | "messages" if is_mixed => joined(value),
            "final" | "messages" | "requests" | "ppl_calls" => value.clone(),
            "by_label" => labels(value),
            _ if is_quirk => continue,
            "retrieved" | "labels" | "chat" => value.clone(),
            "ice" if value.is_string() => value.clone(),
            "ice" | "prompt_no_markers" if !is_mixed && case["mode"] == "gen" => turns(value),
            "prompt" if value.is_string() => value.clone(),
            _ => continue,
        };
        wanted.insert(key.clone(), value);
    }
    Value::Object(wanted)
}

/// Merges adjacent parts of text.
fn joined(value: &Value) -> Value {
    match value {
        Value::Array(items) => {
            let mut parts: Vec<Value> = Vec::new();
            for item in items {
                let before = parts.last().and_then(text_of);
                match (before, text_of(item)) {
                    (Some(before), Some(text)) => {
                        let text = format!("{before}{text}");
                        parts.pop();
                        parts.push(json!({"type": "text", "text": text}));
                    }
                    _ => parts.push(joined(item)),
                }
            }
            Value::Array(parts)
        }
        Value::Object(entries) => entries
            .iter()
            .map(|(key, value)| (key.clone(), joined(value)))
            .collect(),
        other => other.clone(),
    }
}

/// The text of a part that is text.
fn text_of(part: &Value) -> Option<&str> {
    (part["type"] == "text").then(|| part["text"].as_str())?
}

fn labels(value: &Value) -> Value {
    let labels = value.as_object().into_iter().flatten();
    let finals = labels.map(|(label, of)| (label.clone(), of["final"].clone()));
    Value::Object(finals.collect())
}

/// Turns without section markers and without empty texts.
fn turns(value: &Value) -> Value {
    let items = value.as_array().into_iter().flatten();
    let turns = items.filter_map(|item| match item {
        Value::String(text) => (!text.is_empty()).then(|| json!(text)),
        item if item.get("section").is_some() => None,
        item if item.get("content").is_some() => Some(item.clone()),
        item => Some(json!({"role": item["role"], "prompt": item["prompt"]})),
    });
    Value::Array(turns.collect())
}
