//! Options and JSON Schemas in requests of OpenAI's protocol, for programs that send or store requests.

use serde_core::ser::SerializeMap;
use serde_core::{Serialize, Serializer};
use serde_json::Value;

use crate::{Json, Message, Messages, Options, Part, PromptCache, Role, Text};

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

/// The field for the greatest length of an answer. OpenAI's models with reasoning reject the older field.
pub fn max_tokens_field(model: &str) -> &'static str {
    let model = model.strip_prefix("openai/").unwrap_or(model);
    let newer = ["gpt-5", "gpt-6", "o1", "o3", "o4"];
    match newer.iter().any(|start| model.starts_with(start)) {
        true => "max_completion_tokens",
        false => "max_tokens",
    }
}

/// The options that a request contains, in the order and with the names of OpenAI's protocol. Unset options are omitted.
#[derive(Clone, Copy, Debug)]
pub struct RequestOptions<'a> {
    pub options: &'a Options,
    /// The field for the greatest length of an answer.
    pub max_tokens: &'static str,
    /// The field for the seed, if the protocol has one.
    pub seed: Option<&'static str>,
    /// Whether the request is a chat: completions have neither tools nor reasoning.
    pub is_chat: bool,
}

impl Serialize for RequestOptions<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let options = self.options;
        let mut map = serializer.serialize_map(None)?;
        if let Some(temperature) = options.temperature {
            map.serialize_entry("temperature", &temperature)?;
        }
        if let Some(top_p) = options.top_p {
            map.serialize_entry("top_p", &top_p)?;
        }
        if let Some(max_tokens) = options.max_tokens {
            map.serialize_entry(self.max_tokens, &max_tokens)?;
        }
        if let (Some(field), Some(seed)) = (self.seed, options.seed) {
            map.serialize_entry(field, &seed)?;
        }
        if !options.stop.is_empty() {
            map.serialize_entry("stop", &options.stop)?;
        }
        if self.is_chat {
            if let Some(choice) = &options.tool_choice {
                map.serialize_entry("tool_choice", choice)?;
            }
            if let Some(parallel) = options.parallel_tool_calls {
                map.serialize_entry("parallel_tool_calls", &parallel)?;
            }
            if let Some(PromptCache::Key(key)) = &options.prompt_cache {
                map.serialize_entry("prompt_cache_key", key)?;
            }
            if let Some(effort) = options.reasoning_effort {
                map.serialize_entry("reasoning_effort", effort.name())?;
            }
            if let Some(alternatives) = options.log_probs {
                map.serialize_entry("logprobs", &true)?;
                if alternatives > 0 {
                    map.serialize_entry("top_logprobs", &alternatives)?;
                }
            }
        }
        map.end()
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
