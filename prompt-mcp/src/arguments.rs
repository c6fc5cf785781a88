//! The arguments of an MCP prompt: the fields of a struct, read from the strings that a client sends.

use prompt_core::{Error, ErrorKind, Json, Result, output::Schema};
use rmcp::model::{JsonObject, PromptArgument};
use schemars::JsonSchema;
use serde_core::de::value::MapAccessDeserializer;
use serde_core::de::{DeserializeOwned, DeserializeSeed, Error as _, MapAccess};
use serde_json::Value;

/// A type that the arguments of an MCP client can be read into: a struct with serde's `Deserialize` and schemars' `JsonSchema`.
///
/// ```
/// fn are_arguments<T: typed_prompt::mcp::PromptArguments>() {}
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Question { text: String }
/// are_arguments::<Question>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from the arguments of an MCP client",
    label = "cannot be deserialized, or has no JSON Schema",
    note = "write `#[derive(serde::Deserialize, schemars::JsonSchema)]` above the struct, with owned fields: `String` for `&str`",
    note = "or describe the arguments by a struct of their own: `server.prompt_from(|arguments: Arguments| Ok(Ask {{ … }}))`"
)]
pub trait PromptArguments: DeserializeOwned + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> PromptArguments for T {}

/// The arguments of one prompt.
pub(crate) struct ArgumentReader {
    /// The name of the prompt, for errors.
    prompt: String,
    /// Whether the type is a struct without braces, which serde reads from null.
    is_unit: bool,
    all: Vec<ArgumentSpec>,
}

struct ArgumentSpec {
    name: String,
    description: Option<String>,
    is_required: bool,
    schema: Schema,
}

impl ArgumentReader {
    /// The properties of the type's JSON Schema.
    pub(crate) fn from_arguments<A: PromptArguments>(prompt: &str) -> Result<ArgumentReader> {
        let schema = schemars::schema_for!(A).to_value();
        let mut arguments = ArgumentReader {
            prompt: prompt.to_owned(),
            is_unit: schema["type"] == "null",
            all: Vec::new(),
        };
        let is_struct = schema["type"] == "object"
            && !["$ref", "allOf", "anyOf", "oneOf", "additionalProperties"]
                .iter()
                .any(|key| schema.get(key).is_some_and(|value| *value != false));
        if !is_struct && !arguments.is_unit {
            let message = format!(
                "the arguments of an MCP prompt are the fields of a struct, and `{}` is not a struct with named fields",
                A::schema_name()
            );
            return Err(Error::new(ErrorKind::Value, message)
                .with_help("use `prompt_from` with a struct of the arguments"));
        }
        let required = |name: &str| {
            let required = schema["required"].as_array();
            required.is_some_and(|names| names.iter().any(|known| known == name))
        };
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            // The type of one argument, with the definitions that it refers to.
            let mut own = match property {
                Value::Object(own) => own.clone(),
                _ => JsonObject::new(),
            };
            let description = own.get("description").and_then(Value::as_str);
            let description = description.map(str::to_owned);
            if let Some(definitions) = schema.get("$defs") {
                own.insert("$defs".to_owned(), definitions.clone());
            }
            let schema = Schema::new(&Value::Object(own)).map_err(|error| {
                let message = format!(
                    "the argument `{name}` of the MCP prompt `{prompt}` cannot be read: {error}"
                );
                Error::new(ErrorKind::Value, message)
            })?;
            arguments.all.push(ArgumentSpec {
                name: name.clone(),
                description,
                is_required: required(name),
                schema,
            });
        }
        Ok(arguments)
    }

    /// The arguments as a client lists them.
    pub(crate) fn argument_definitions(&self) -> Vec<PromptArgument> {
        let definition = |argument: &ArgumentSpec| {
            let definition =
                PromptArgument::new(&*argument.name).with_required(argument.is_required);
            let mut text = argument.description.clone().unwrap_or_default();
            let expected = argument.expected_form();
            if expected != "a string" {
                text += if text.is_empty() { "(" } else { " (" };
                text += &expected;
                text.push(')');
            }
            match text.is_empty() {
                true => definition,
                false => definition.with_description(text),
            }
        };
        self.all.iter().map(definition).collect()
    }

    /// Reads the strings of a client.
    pub(crate) fn read_arguments<A: PromptArguments>(
        &self,
        given: Option<JsonObject>,
    ) -> Result<A> {
        let mut given = given.unwrap_or_default();
        let mut values = Vec::new();
        for argument in &self.all {
            match given.remove(&argument.name) {
                Some(Value::String(text)) => {
                    let value = argument
                        .parse_argument(&text)
                        .map_err(|why| self.argument_error(argument, &why))?;
                    values.push((&*argument.name, value));
                }
                Some(other) => {
                    let why =
                        format!("is {other}, and the arguments of a prompt are strings in MCP");
                    return Err(self.argument_error(argument, &why));
                }
                None if argument.is_required => {
                    let why = format!("is missing; expected {}", argument.expected_form());
                    return Err(self.argument_error(argument, &why));
                }
                None => {}
            }
        }
        if let Some(name) = given.keys().next() {
            let known: Vec<&str> = self.all.iter().map(|argument| &*argument.name).collect();
            let prompt = format!("the prompt `{}`", self.prompt);
            return Err(match known.is_empty() {
                true => Error::new(ErrorKind::Value, format!("{prompt} has no arguments")),
                false => Error::unknown_name("argument", name, &known).inside(&prompt),
            });
        }
        if self.is_unit {
            return serde_json::from_value(Value::Null).map_err(|error| self.type_error(&error));
        }
        let values = Values {
            rest: values.into_iter(),
            current: None,
        };
        A::deserialize(MapAccessDeserializer::new(values)).map_err(|error| self.type_error(&error))
    }

    fn argument_error(&self, argument: &ArgumentSpec, why: &str) -> Error {
        let (name, prompt) = (&argument.name, &self.prompt);
        let message = format!("the argument `{name}` of the prompt `{prompt}` {why}");
        Error::new(ErrorKind::Value, message)
    }

    fn type_error(&self, error: &serde_json::Error) -> Error {
        let message = format!(
            "the arguments of the prompt `{}` do not fit: {error}",
            self.prompt
        );
        Error::new(ErrorKind::Value, message)
    }
}

impl ArgumentSpec {
    /// The text as a string if the type accepts that string, and as JSON otherwise, without repairs.
    fn parse_argument(&self, text: &str) -> std::result::Result<Value, String> {
        let string = Value::from(text).to_string();
        if let Ok(parsed) = self.schema.parse_strict(&string) {
            return Ok(parsed.value);
        }
        let shown: String = match text.char_indices().nth(60) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text.to_owned(),
        };
        let expected = self.expected_form();
        if let Ok(json) = Json::parse(text)
            && let Some(key) = crate::repeated_key(&json)
        {
            return Err(format!("contains `{key}` twice; expected {expected}"));
        }
        let parsed = self.schema.parse_strict(text).map_err(|error| {
            let inside = error.issues().iter().find(|issue| !issue.path.is_empty());
            let inside = inside.map_or(String::new(), |issue| format!(": {issue}"));
            format!("is `{shown}`; expected {expected}{inside}")
        })?;
        match parsed.is_rounded() {
            true => Err(format!(
                "is `{shown}`, with a number that does not fit into 64 bits; expected {expected} with numbers of 64 bits"
            )),
            false => Ok(parsed.value),
        }
    }

    fn expected_form(&self) -> String {
        let expected = self.schema.description();
        match expected.contains("a list") || expected.contains(" object") {
            true => format!("{expected}, as JSON"),
            false => expected,
        }
    }
}

/// The values of the arguments, whose errors name them.
struct Values<'a> {
    rest: std::vec::IntoIter<(&'a str, Value)>,
    current: Option<(&'a str, Value)>,
}

impl<'de> MapAccess<'de> for Values<'_> {
    type Error = serde_json::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> serde_json::Result<Option<K::Value>> {
        self.current = self.rest.next();
        let key = self.current.as_ref().map(|(name, _)| Value::from(*name));
        key.map(|key| seed.deserialize(key)).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> serde_json::Result<V::Value> {
        let (name, value) = self.current.take().unwrap_or_default();
        seed.deserialize(value)
            .map_err(|error| serde_json::Error::custom(format!("{error} (the argument `{name}`)")))
    }
}
