//! JSON Schemas of answers in requests of OpenAI's protocol.

use serde_json::Value;

use crate::{Json, Message, Messages, Part, Role, Text};

/// The schema without the version of its draft and the Rust name of its type.
pub fn without_metadata(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Value::Object(map) = &mut schema {
        // `remove` would change the order of the other keys.
        map.retain(|key, _| key != "$schema" && key != "title");
    }
    schema
}

/// The messages with the schema in the last user message, for models that are not constrained to it.
pub fn described(messages: &Messages, schema: &Value) -> Messages {
    const INSTRUCTION: &str = "\n\nAnswer with JSON only, without any text before or after it. \
                               The JSON must be valid against this JSON Schema:\n";
    let mut text = Text::template(INSTRUCTION);
    text.push_data(None, &Json::from(without_metadata(schema)).indented(2));
    let mut messages = messages.clone();
    let mut latest = messages.iter_mut().rev();
    match latest.find(|message| message.role == Role::User) {
        Some(message) => match message.parts.last_mut() {
            Some(Part::Text(last)) => last.push(&text),
            _ => message.parts.push(Part::Text(text)),
        },
        None => messages.push(Message::user(text)),
    }
    messages
}

/// A schema name that every provider accepts: at most 64 letters, digits and `_`.
pub fn schema_name(prompt: &str) -> String {
    let is_allowed = |char: &char| char.is_ascii_alphanumeric() || *char == '_';
    let name: String = prompt.chars().filter(is_allowed).take(64).collect();
    match name.is_empty() {
        true => "answer".to_owned(),
        false => name,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_schema_is_described_in_the_last_user_message() {
        let messages = Messages::from([
            Message::system("S"),
            Message::user("U"),
            Message::assistant("A"),
        ]);
        let schema = json!({"$schema": "x", "title": "T", "type": "integer"});
        let described = described(&messages, &schema);
        assert!(
            described[1]
                .text()
                .starts_with("U\n\nAnswer with JSON only")
        );
        assert!(
            described[1]
                .text()
                .ends_with("{\n  \"type\": \"integer\"\n}")
        );
        assert_eq!(
            (described[0].text(), described[2].text()),
            ("S".into(), "A".into())
        );
    }

    #[test]
    fn a_user_message_is_added_if_there_is_none() {
        let described = described(&Messages::from([Message::system("S")]), &json!({}));
        assert_eq!(described[1].role, Role::User);
    }

    #[test]
    fn schema_names_have_allowed_characters_only() {
        assert_eq!(schema_name("Ask<'a>"), "Aska");
        assert_eq!(schema_name("Frage♥"), "Frage");
        assert_eq!(schema_name("ö"), "answer");
    }
}
