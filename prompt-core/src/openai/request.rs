//! Options and JSON Schemas in requests of OpenAI's protocol, for programs that send or store requests.

use serde_core::ser::{Error as _, SerializeMap};
use serde_core::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::{Messages, Options, PromptCache};

/// The body of a request to `/chat/completions`.
///
/// ```
/// use serde_json::json;
/// use typed_prompt::{Message, Messages, llm::Options, openai::ChatRequest};
///
/// let messages = Messages::from([Message::user("Hi")]);
/// let options = Options::new().max_tokens(80).field("user", "u1");
/// let schema = json!({"type": "object"});
/// let request = ChatRequest::new("gpt-5", &messages).options(&options).schema("Greeting", &schema);
/// assert_eq!(
///     serde_json::to_value(&request)?,
///     json!({
///         "model": "gpt-5",
///         "messages": [{"role": "user", "content": "Hi"}],
///         "max_completion_tokens": 80,
///         "response_format": {"type": "json_schema", "json_schema": {"name": "Greeting", "schema": {"type": "object"}}},
///         "user": "u1",
///     })
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ChatRequest<'a> {
    model: &'a str,
    messages: &'a Messages,
    options: Option<&'a Options>,
    schema: Option<(&'a str, &'a Value)>,
}

impl<'a> ChatRequest<'a> {
    /// A request of a model's answer to a conversation with its tools.
    pub fn new(model: &'a str, messages: &'a Messages) -> ChatRequest<'a> {
        ChatRequest {
            model,
            messages,
            options: None,
            schema: None,
        }
    }

    /// Sets the options of the answer. [`Options::fields`] are further fields of the request: serialization fails if the request contains one of
    /// them already, because a key that is in an object twice has no defined value. The timeout is not a part of a request, and of the
    /// options of a prompt cache it takes [`PromptCache::Key`] only.
    #[must_use]
    pub fn options(mut self, options: &'a Options) -> ChatRequest<'a> {
        self.options = Some(options);
        self
    }

    /// Sets the JSON Schema of the answer, with the name that the API requires ([`schema_name`] makes one). The API accepts schemas of objects
    /// only: [`describe_output`](crate::output::describe_output) describes any other one in the prompt.
    #[must_use]
    pub fn schema(mut self, name: &'a str, schema: &'a Value) -> ChatRequest<'a> {
        self.schema = Some((name, schema));
        self
    }

    fn write_entries<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("model", self.model)?;
        map.serialize_entry("messages", self.messages)?;
        if !self.messages.tools().is_empty() {
            map.serialize_entry("tools", self.messages.tools())?;
        }
        if let Some(options) = self.options {
            let options = RequestOptions {
                options,
                // The older field `max_tokens` is rejected by OpenAI's models with reasoning.
                max_tokens: "max_completion_tokens",
                seed: Some("seed"),
                is_chat: true,
            };
            options.write_entries(map)?;
        }
        if let Some((name, schema)) = self.schema {
            let format =
                json!({"type": "json_schema", "json_schema": {"name": name, "schema": schema}});
            map.serialize_entry("response_format", &format)?;
        }
        Ok(())
    }
}

impl Serialize for ChatRequest<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = self.options.map(|options| &options.fields);
        let fields = fields.filter(|fields| !fields.is_empty());
        let cache = self
            .options
            .and_then(|options| options.prompt_cache.as_ref());
        if cache.is_some_and(|cache| !matches!(cache, PromptCache::Key(_))) {
            return Err(S::Error::custom(
                "of the option `prompt_cache` this request takes a key only: unset it, or set `PromptCache::Key`",
            ));
        }
        if let Some(fields) = fields {
            let body = serde_json::to_value(WithoutFields(self)).map_err(S::Error::custom)?;
            if let Some(name) = fields.keys().find(|name| body.get(name).is_some()) {
                return Err(S::Error::custom(format!(
                    "`Options::fields` contains `{name}`, which the request contains already: leave it out"
                )));
            }
        }
        let mut map = serializer.serialize_map(None)?;
        self.write_entries(&mut map)?;
        for (name, value) in fields.into_iter().flatten() {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// A request without [`Options::fields`].
struct WithoutFields<'a>(&'a ChatRequest<'a>);

impl Serialize for WithoutFields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.0.write_entries(&mut map)?;
        map.end()
    }
}

/// The schema without the version of its draft and the Rust name of its type, which some providers reject.
///
/// ```
/// use typed_prompt::openai::without_metadata;
///
/// let schema = serde_json::json!({"title": "Answer", "type": "object"});
/// assert_eq!(without_metadata(&schema), serde_json::json!({"type": "object"}));
/// ```
pub fn without_metadata(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Value::Object(map) = &mut schema {
        // `remove` would change the order of the other keys.
        map.retain(|key, _| key != "$schema" && key != "title");
    }
    schema
}

/// The schema with its objects closed, so that a constrained model cannot write unknown fields. The arguments of tool calls are read by it.
///
/// Objects that define their additional properties, or that combine several schemas, stay as they are.
///
/// ```
/// use typed_prompt::openai::close_objects;
///
/// let schema = serde_json::json!({"type": "object", "properties": {"city": {"type": "string"}}});
/// assert_eq!(close_objects(&schema)["additionalProperties"], false);
/// ```
pub fn close_objects(schema: &Value) -> Value {
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
            let has_properties = map.contains_key("properties");
            let is_closable = has_properties && !OPEN.iter().any(|key| map.contains_key(*key));
            let properties = |map: &Value| match map {
                Value::Object(map) => map
                    .iter()
                    .map(|(name, schema)| (name.clone(), close_objects(schema)))
                    .collect(),
                other => other.clone(),
            };
            let inner = |(key, value): (&String, &Value)| {
                let value = match key.as_str() {
                    "properties" | "$defs" | "definitions" => properties(value),
                    "items" | "prefixItems" | "additionalProperties" => close_objects(value),
                    "anyOf" | "oneOf" if !has_properties => close_objects(value),
                    // Not schemas, or parts that are a schema only together.
                    _ => value.clone(),
                };
                (key.clone(), value)
            };
            let mut map: serde_json::Map<_, _> = map.iter().map(inner).collect();
            if is_closable {
                map.insert("additionalProperties".to_owned(), Value::Bool(false));
            }
            Value::Object(map)
        }
        Value::Array(items) => items.iter().map(close_objects).collect(),
        _ => schema.clone(),
    }
}

/// A schema name that every provider accepts, made of a prompt's name: at most 64 letters, digits and `_`.
///
/// ```
/// assert_eq!(typed_prompt::openai::schema_name("Ask<'a>"), "Aska");
/// ```
pub fn schema_name(prompt: &str) -> String {
    let is_allowed = |char: &char| char.is_ascii_alphanumeric() || *char == '_';
    let name: String = prompt.chars().filter(is_allowed).take(64).collect();
    match name.is_empty() {
        true => "answer".to_owned(),
        false => name,
    }
}

/// The options that a request contains, in the order and with the names of OpenAI's protocol. Unset options are omitted.
///
/// ```
/// use typed_prompt::{llm::Options, openai::RequestOptions};
///
/// let options = Options::new().max_tokens(80).temperature(0.0);
/// let options = RequestOptions { options: &options, max_tokens: "max_tokens", seed: Some("seed"), is_chat: true };
/// assert_eq!(serde_json::to_string(&options)?, r#"{"temperature":0.0,"max_tokens":80}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RequestOptions<'a> {
    /// The options.
    pub options: &'a Options,
    /// The field for the greatest length of an answer.
    pub max_tokens: &'static str,
    /// The field for the seed, if the protocol has one.
    pub seed: Option<&'static str>,
    /// Whether the request is a chat: completions have neither tools nor reasoning.
    pub is_chat: bool,
}

impl RequestOptions<'_> {
    fn write_entries<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let options = self.options;
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
        Ok(())
    }
}

impl Serialize for RequestOptions<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.write_entries(&mut map)?;
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schema_names_have_allowed_characters_only() {
        assert_eq!(schema_name("Ask<'a>"), "Aska");
        assert_eq!(schema_name("Frage♥"), "Frage");
        assert_eq!(schema_name("ö"), "answer");
    }
}
