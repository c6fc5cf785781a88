mod subset;

use prompt_core::{Json, Message, Messages, Part, Role, Text};
use serde_json::Value;

pub(crate) use subset::Subset;

/// The schema with its objects closed, so that a model that is held to it writes no fields that nobody reads.
///
/// Objects that say what else they take, or that are put together from several schemas, stay as they are.
pub(crate) fn closed(schema: &Value) -> Value {
    const OPEN: &[&str] = &[
        "additionalProperties",
        "unevaluatedProperties",
        "patternProperties",
        "$ref",
        "allOf",
        "anyOf",
        "oneOf",
        "if",
        "not",
    ];
    match schema {
        Value::Object(map) => {
            let whole =
                map.contains_key("properties") && !OPEN.iter().any(|key| map.contains_key(*key));
            let named = |map: &Value| match map {
                Value::Object(map) => map
                    .iter()
                    .map(|(name, schema)| (name.clone(), closed(schema)))
                    .collect(),
                other => other.clone(),
            };
            let inner = |(key, value): (&String, &Value)| {
                let value = match key.as_str() {
                    "properties" | "$defs" | "definitions" => named(value),
                    "items" | "prefixItems" | "anyOf" | "oneOf" | "additionalProperties" => {
                        closed(value)
                    }
                    // No schemas, or parts of one that are only together one.
                    _ => value.clone(),
                };
                (key.clone(), value)
            };
            let mut map: serde_json::Map<_, _> = map.iter().map(inner).collect();
            if whole {
                map.insert("additionalProperties".to_owned(), Value::Bool(false));
            }
            Value::Object(map)
        }
        Value::Array(items) => items.iter().map(closed).collect(),
        _ => schema.clone(),
    }
}

/// The schema without what no model needs: the draft's address, and the type's name in Rust.
pub(crate) fn bare(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Value::Object(map) = &mut schema {
        // Not `remove`, which would change the order of what stays.
        map.retain(|key, _| key != "$schema" && key != "title");
    }
    schema
}

/// The messages with the schema in words at the end of the last user message.
pub(crate) fn describe(messages: &Messages, schema: &Value) -> Messages {
    const ASK: &str = "\n\nAnswer with JSON only, without any text before or after it. \
                       The JSON must be valid against this JSON Schema:\n";
    let mut text = Text::template(ASK);
    text.push_data(None, &Json::from(bare(schema)).indented(2));
    append(messages, text)
}

/// The messages with a text at the end of the last user message.
pub(crate) fn append(messages: &Messages, text: Text) -> Messages {
    let mut messages = messages.clone();
    match messages
        .iter_mut()
        .rev()
        .find(|message| message.role == Role::User)
    {
        Some(message) => match message.parts.last_mut() {
            Some(Part::Text(last)) => last.push(&text),
            _ => message.parts.push(Part::Text(text)),
        },
        None => messages.push(Message::user(text)),
    }
    messages
}

/// A name that every provider takes for a schema: letters, digits, `_` and `-`, at most 64.
pub(crate) fn schema_name(prompt: &str) -> String {
    let name: String = prompt
        .chars()
        .filter(|char| char.is_ascii_alphanumeric() || *char == '_')
        .take(64)
        .collect();
    if name.is_empty() {
        "answer".to_owned()
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_whole_objects_are_closed() {
        let leaf = json!({"type": "object", "properties": {"a": {"type": "string"}}});
        let shut = json!({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false});
        assert_eq!(closed(&leaf), shut);
        assert_eq!(
            closed(&json!({"$defs": {"A": leaf}, "anyOf": [leaf]})),
            json!({"$defs": {"A": shut}, "anyOf": [shut]})
        );
        let named = json!({"properties": {"properties": {"type": "string"}}, "additionalProperties": false});
        assert_eq!(
            closed(&json!({"properties": {"properties": {"type": "string"}}})),
            named
        );
        for open in [
            json!({"allOf": [leaf]}),
            json!({"properties": {}, "additionalProperties": true}),
            json!({"const": leaf}),
        ] {
            assert_eq!(closed(&open), open);
        }
    }

    #[test]
    fn the_schema_is_described_in_the_last_user_message() {
        let messages = Messages::from([
            Message::system("S"),
            Message::user("U"),
            Message::assistant("A"),
        ]);
        let schema =
            json!({"$schema": "x", "title": "T", "type": "integer", "description": "How many."});
        let described = describe(&messages, &schema);
        assert!(
            described[1]
                .text()
                .starts_with("U\n\nAnswer with JSON only")
        );
        assert!(
            described[1]
                .text()
                .ends_with("{\n  \"type\": \"integer\",\n  \"description\": \"How many.\"\n}")
        );
        assert_eq!(
            (described[0].text(), described[2].text()),
            ("S".into(), "A".into())
        );
    }

    #[test]
    fn a_conversation_without_a_user_gets_one() {
        let described = describe(&Messages::from([Message::system("S")]), &json!({}));
        assert_eq!(described[1].role, Role::User);
    }

    #[test]
    fn schema_names_are_plain() {
        assert_eq!(schema_name("Ask<'a>"), "Aska");
        assert_eq!(schema_name("Frage♥"), "Frage");
        assert_eq!(schema_name("ö"), "answer");
    }
}
