//! Reading a model's answer.
//!
//! [`read_text`] and [`read_json`] are the two doors; what lies between the raw text and serde is [`candidate`], the
//! one place that decides which part of an answer is the value.

use std::ops::Range;

use crate::{Error, ErrorKind, Finish, Reply, Result};

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

/// A type that an answer can be read into: `serde::Deserialize` and `schemars::JsonSchema`.
#[cfg(feature = "schema")]
pub trait Answer: serde::de::DeserializeOwned + schemars::JsonSchema {}

#[cfg(feature = "schema")]
impl<T: serde::de::DeserializeOwned + schemars::JsonSchema> Answer for T {}

/// A type that an answer can be read into; without the feature `schema` there is none.
#[cfg(not(feature = "schema"))]
#[diagnostic::on_unimplemented(
    message = "an `output` type needs the feature `schema` of typed-prompt",
    label = "typed answers are switched off",
    note = "write `typed-prompt = {{ version = \"…\", features = [\"schema\"] }}` in Cargo.toml"
)]
pub trait Answer: Sized {}

/// The JSON Schema of an output type.
pub fn json_schema<T: Answer>() -> Option<serde_json::Value> {
    #[cfg(feature = "schema")]
    return Some(schemars::schema_for!(T).to_value());
    #[cfg(not(feature = "schema"))]
    None
}

/// The answer read from its JSON: the whole text, or the one fenced block in it.
///
/// # Errors
/// An answer without JSON, or with JSON that does not fit the type: with line, column and a drawing, the model's name
/// and the whole answer.
pub fn read_json<T: Answer>(reply: &Reply) -> Result<T> {
    let range = candidate(reply)?;
    #[cfg(feature = "schema")]
    {
        let text = &reply.text[range.clone()];
        serde_json::from_str(text).map_err(|error| {
            let at = range.start + crate::error::offset(text, error.line(), error.column());
            unreadable(reply, at, &error.to_string())
        })
    }
    #[cfg(not(feature = "schema"))]
    Err(unreadable(
        reply,
        range.start,
        "the feature `schema` is off",
    ))
}

/// Where in an answer the JSON stands: the whole text, or the inside of its only fenced block.
fn candidate(reply: &Reply) -> Result<Range<usize>> {
    let text = &reply.text;
    let start = text.len() - text.trim_start().len();
    let whole = start..start + text.trim().len();
    if whole.is_empty() {
        let message = match reply.tool_calls.first() {
            Some(call) => format!("the model calls the tool `{}` and says nothing", call.name),
            None => "the answer is empty".to_owned(),
        };
        return Err(failure(reply, message));
    }
    let blocks = fenced(text);
    match &blocks[..] {
        // A value that begins like JSON is one, whatever its strings hold.
        _ if text[whole.clone()].starts_with(['{', '[', '"']) => Ok(whole),
        [block] => Ok(block.clone()),
        [] => Ok(whole),
        [_, second, ..] => Err(failure(
            reply,
            format!("the answer holds {} fenced blocks", blocks.len()),
        )
        .with_help("ask for one JSON value and nothing else")
        .drawn(
            text,
            second.start..second.start,
            "a second block begins here",
        )),
    }
}

/// The insides of the fenced blocks of a text.
fn fenced(text: &str) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let mut open = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        if line.trim_start().starts_with("```") {
            match open.take() {
                Some(start) => blocks.push(start..at),
                None => open = Some(end),
            }
        }
        at = end;
    }
    blocks.extend(open.map(|start| start..text.len()));
    blocks
}

fn unreadable(reply: &Reply, at: usize, reason: &str) -> Error {
    let reason = reason
        .rsplit_once(" at line ")
        .map_or(reason, |(reason, _)| reason);
    let before = &reply.text[..at];
    let line = before.matches('\n').count() + 1;
    let column = before
        .chars()
        .rev()
        .take_while(|char| *char != '\n')
        .count()
        + 1;
    let message = format!("the answer does not fit, line {line}, column {column}: {reason}");
    let error = failure(reply, message)
        .at_slot(None, at..at)
        .drawn(&reply.text, at..at, reason);
    match reply.finish {
        Some(Finish::Length) => {
            error.with_help("allow more tokens: the answer was cut off at its greatest length")
        }
        _ => error,
    }
}

fn failure(reply: &Reply, message: String) -> Error {
    let error = Error::new(ErrorKind::Output, message).with_answer(reply.text.as_str());
    match &reply.model {
        Some(model) => error.with_model(model.as_str()),
        None => error,
    }
}
