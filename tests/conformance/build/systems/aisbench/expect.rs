//! What of a golden is compared.

use serde_json::{Map, Value, json};

/// The texts and messages that come of a case; what the packages keep in between is left out.
pub(super) fn wanted(case: &Value, expect: &Value, is_quirk: bool) -> Value {
    let mut wanted = Map::new();
    let is_mixed = case["template"]["prompt_template"]["type"] == "MMPromptTemplate";
    for (key, value) in expect.as_object().into_iter().flatten() {
        let value = match &**key {
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

fn labels(value: &Value) -> Value {
    let labels = value.as_object().into_iter().flatten();
    let finals = labels.map(|(label, of)| (label.clone(), of["final"].clone()));
    Value::Object(finals.collect())
}

/// Turns without marks of sections and without empty texts.
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
