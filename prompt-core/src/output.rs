//! Reading a model's answer.

use crate::{Error, ErrorKind, Reply, Result};

/// The answer as text.
///
/// # Errors
/// An answer that calls tools and says nothing.
pub fn read_text(reply: &Reply) -> Result<String> {
    if reply.text.is_empty()
        && let Some(call) = reply.tool_calls.first()
    {
        let message = format!("the model calls the tool `{}` and says nothing", call.name);
        let help = "use `Llm::send` where a model may call tools, and send the results back";
        return Err(failure(reply, message).with_help(help));
    }
    Ok(reply.text.clone())
}

/// A type that an answer can be read into.
#[cfg(feature = "schema")]
pub trait Answer: serde::de::DeserializeOwned + schemars::JsonSchema {}

#[cfg(feature = "schema")]
impl<T: serde::de::DeserializeOwned + schemars::JsonSchema> Answer for T {}

/// A type that an answer can be read into.
#[cfg(not(feature = "schema"))]
#[diagnostic::on_unimplemented(
    message = "an `output` type needs the feature `schema` of typed-prompt",
    label = "typed answers are switched off",
    note = "write `typed-prompt = {{ version = \"…\", features = [\"schema\"] }}` in Cargo.toml"
)]
pub trait Answer: Sized {}

/// The JSON Schema of an output type.
#[cfg(feature = "schema")]
pub fn json_schema<T: Answer>() -> Option<serde_json::Value> {
    Some(schemars::schema_for!(T).to_value())
}

/// The JSON Schema of an output type.
#[cfg(not(feature = "schema"))]
pub fn json_schema<T: Answer>() -> Option<serde_json::Value> {
    None
}

/// The answer read from JSON.
///
/// # Errors
/// An answer that is not JSON of this type.
#[cfg(feature = "schema")]
pub fn read_json<T: Answer>(reply: &Reply) -> Result<T> {
    serde_json::from_str(&reply.text).map_err(|error| failure(reply, error.to_string()))
}

/// The answer read from JSON.
///
/// # Errors
/// Always: without the feature `schema` no type is an [`Answer`].
#[cfg(not(feature = "schema"))]
pub fn read_json<T: Answer>(reply: &Reply) -> Result<T> {
    Err(failure(reply, "the feature `schema` is off".to_owned()))
}

fn failure(reply: &Reply, message: String) -> Error {
    let error = Error::new(ErrorKind::Output, message).with_answer(reply.text.as_str());
    match &reply.model {
        Some(model) => error.with_model(model.as_str()),
        None => error,
    }
}
