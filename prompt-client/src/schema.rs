//! JSON Schemas of answers, in the form that each provider accepts.

mod answer_tool;
mod restore;
mod subset;
#[cfg(test)]
pub(crate) mod tests;

use std::borrow::Cow;

pub(crate) use answer_tool::{AnswerCalls, AnswerTool};
pub(crate) use prompt_core::openai::{close_objects, schema_name, without_metadata};
use prompt_core::output::describe_output;
use prompt_core::{Messages, Options, PromptCache, Request, Structured};
pub(crate) use restore::{Restore, Restored};
use serde_json::{Map, Value, json};
pub(crate) use subset::{FORMATS, Narrowed, Subset};

/// The closed schema with all fields required, as OpenAI's strict mode requires it.
pub(crate) fn add_strictness(schema: &Value) -> Value {
    let mut schema = close_objects(schema);
    require_all(&mut schema);
    schema
}

fn require_all(schema: &mut Value) {
    let Value::Object(map) = schema else {
        return;
    };
    let is_closed = map.get("additionalProperties") == Some(&Value::Bool(false));
    let properties = map.get("properties").and_then(Value::as_object);
    if let Some(properties) = properties.filter(|_| is_closed) {
        let names: Vec<Value> = properties.keys().map(|name| json!(name)).collect();
        map.insert("required".to_owned(), Value::Array(names));
    }
    for (key, value) in map {
        match (key.as_str(), value) {
            ("properties" | "$defs" | "definitions", Value::Object(schemas)) => {
                schemas.values_mut().for_each(require_all);
            }
            ("prefixItems" | "anyOf" | "oneOf" | "allOf", Value::Array(schemas)) => {
                schemas.iter_mut().for_each(require_all);
            }
            ("items" | "additionalProperties", schema) => require_all(schema),
            _ => {}
        }
    }
}

/// The messages of a request, with a description of the output type if `structured` demands it. It follows the stored prompt of the options, which cannot be
/// changed.
pub(crate) fn describe_answer<'a>(
    request: &'a Request,
    structured: Option<&Structured>,
    options: &Options,
) -> Cow<'a, Messages> {
    let messages = &request.messages;
    match (&request.schema, structured) {
        (Some(schema), Some(structured)) if structured.is_described() => {
            let stored = match &options.prompt_cache {
                Some(PromptCache::Stored(stored)) => stored.message_count(),
                _ => 0,
            };
            let rest: Messages = messages.iter().skip(stored).cloned().collect();
            let described = describe_output(&rest, schema, structured);
            let stored = messages.iter().take(stored);
            let mut messages: Messages = stored.chain(described.iter()).cloned().collect();
            for tool in request.messages.tools() {
                messages = messages.with_tool(tool.clone());
            }
            Cow::Owned(messages)
        }
        _ => Cow::Borrowed(messages),
    }
}

/// Inserts a schema at a path of field names, which are separated by dots.
pub(crate) fn insert_at(body: &mut Map<String, Value>, path: &str, schema: Value) {
    match path.split_once('.') {
        Some((name, rest)) => {
            let inner = body.entry(name).or_insert_with(|| json!({}));
            if let Value::Object(inner) = inner {
                insert_at(inner, rest, schema);
            }
        }
        None => drop(body.insert(path.to_owned(), schema)),
    }
}

/// OpenAI's `response_format` for a server that constrains its answers to any schema.
pub(crate) fn response_format(request: &Request, schema: &Value) -> Value {
    let format = json!({"name": schema_name(request.info.name), "schema": close_objects(schema)});
    json!({"type": "json_schema", "json_schema": format})
}
