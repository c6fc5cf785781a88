//! Reading replies and the arguments of tool calls as values of a type, by its JSON Schema.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use prompt_output::{Ending, Issue, ParseError, Parsed, Schema};
use serde_json::Value;

use super::{only_calls, output_error, unread, withheld_error};
use crate::{Error, ErrorKind, FinishReason, Reply, Result, ToolCall, Writer};

/// A type that an answer can be read into: `serde::Deserialize` and `schemars::JsonSchema`.
///
/// ```
/// fn is_answer<T: typed_prompt::output::Answer>() {}
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Depth { metres: f64 }
/// is_answer::<Depth>();
/// ```
#[diagnostic::on_unimplemented(
    message = "an answer cannot be read into `{Self}`",
    label = "cannot be read from JSON, or has no JSON Schema",
    note = "write `#[derive(serde::Deserialize, schemars::JsonSchema)]` above the type, and likewise for the types of its fields"
)]
pub trait Answer: serde_core::de::DeserializeOwned + schemars::JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: serde_core::de::DeserializeOwned + schemars::JsonSchema> Answer for T {}

/// The schema and the reader of an output type. Generated code uses this one entry point for both, so that an unsuitable type
/// is a single error.
#[derive(Debug)]
pub struct Typed<T> {
    schema: fn() -> Option<Value>,
    parse: fn(&Reply) -> Result<T>,
}

impl<T> Typed<T> {
    /// Returns the JSON Schema of the type.
    pub fn schema(self) -> Option<Value> {
        (self.schema)()
    }

    /// Parses the answer from its JSON.
    ///
    /// # Errors
    /// An answer that does not fit the type.
    pub fn parse(self, reply: &Reply) -> Result<T> {
        (self.parse)(reply)
    }
}

/// Returns the schema and the reader of an output type.
pub fn answer<T: Answer>() -> Typed<T> {
    Typed {
        schema: json_schema::<T>,
        parse: parse_json::<T>,
    }
}

/// Returns the JSON Schema of an output type.
///
/// ```
/// assert_eq!(typed_prompt::output::json_schema::<bool>().unwrap()["type"], "boolean");
/// ```
pub fn json_schema<T: Answer>() -> Option<Value> {
    Some(type_schema::<T>().json.clone())
}

/// The JSON Schema of an output type, and its compiled form.
struct TypeSchema {
    json: Value,
    compiled: std::result::Result<Schema, String>,
}

/// Returns the schema of a type, which is built and compiled once for all answers of a process.
fn type_schema<T: Answer>() -> Arc<TypeSchema> {
    fn build_schema<T: Answer>() -> Value {
        schemars::schema_for!(T).to_value()
    }

    static SCHEMAS: Mutex<BTreeMap<usize, Arc<TypeSchema>>> = Mutex::new(BTreeMap::new());
    // A `TypeId` exists only for `'static` types. Functions with one address are the same code, and so build the same schema,
    // even if the linker has merged them.
    let key = build_schema::<T> as fn() -> Value as usize;
    let schemas = || SCHEMAS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(schema) = schemas().get(&key) {
        return Arc::clone(schema);
    }
    // Built without the lock: a type may have code of its own for its schema.
    let json = build_schema::<T>();
    let compiled = Schema::new(&json).map_err(|error| error.to_string());
    let schema = Arc::new(TypeSchema { json, compiled });
    Arc::clone(schemas().entry(key).or_insert(schema))
}

/// Reads the answer as a value of the type, by its [`Schema`].
///
/// Missing closing brackets are repaired. An answer that ends inside a value is an error, since the rest of the value is
/// missing; after [`FinishReason::Length`] so is every answer that may be incomplete (see [`Schema::parse_truncated`]).
///
/// # Errors
/// An answer that does not fit the type, and an object of which no key is a field. The error has all mismatches with line and column, a
/// drawing of the first one, the model's name and the whole answer.
///
/// ```
/// use typed_prompt::{Reply, output};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Depth { metres: f64, sure: bool }
///
/// let depth: Depth = output::parse_json(&Reply::new("Here it is: {metres: '9.5', sure: True,}"))?;
/// assert_eq!((depth.metres, depth.sure), (9.5, true));
///
/// let error = output::parse_json::<Depth>(&Reply::new("{\"metres\": \"deep\"}")).err().unwrap();
/// assert!(error.message().contains("`\"deep\"` is not a number (at /metres)"));
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub fn parse_json<T: Answer>(reply: &Reply) -> Result<T> {
    read_with(reply, reply_parser(reply))
}

/// Parses the answer as a JSON value by its schema: the value that [`parse_json`] converts to the output type.
///
/// # Errors
/// As [`parse_json`].
///
/// ```
/// use typed_prompt::{Reply, output::{self, Schema}};
/// use serde_json::json;
///
/// let schema = Schema::new(&json!({"type": "array", "items": {"type": "integer"}}))?;
/// assert_eq!(output::parse_value(&Reply::new("Here: [1, '2']"), &schema)?, json!([1, 2]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse_value(reply: &Reply, schema: &Schema) -> Result<Value> {
    let parsed = read_parsed(reply, schema, reply_parser(reply))?;
    exact_value(parsed)
        .map_err(|message| output_error(reply, message.to_owned()).with_help(LONG_NUMBER_HELP))
}

/// After the length limit, a value that may continue is an error.
fn reply_parser(reply: &Reply) -> Parse {
    match reply.finish {
        Some(FinishReason::Length) => Schema::parse_truncated,
        _ => Schema::parse_json,
    }
}

/// Reads the answer as a value of the type, and accepts no repairs: it must be JSON that fits the [`Schema`] as it is, and
/// nothing else.
///
/// # Errors
/// As [`parse_json`], and if the answer needs any repair. Each one is listed with its line and column.
///
/// ```
/// use typed_prompt::{Reply, output};
///
/// assert_eq!(output::parse_strict::<Vec<u8>>(&Reply::new("[1, 2]"))?, [1, 2]);
/// assert!(output::parse_strict::<Vec<u8>>(&Reply::new("Here: [1, '2']")).is_err());
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub fn parse_strict<T: Answer>(reply: &Reply) -> Result<T> {
    read_with(reply, Schema::parse_strict)
}

/// Checks the answers of examples, each with its position, by the output type. Answers that fit are not parsed again.
pub fn expect_outputs<T: Answer>(
    out: &mut Writer,
    answers: &'static [(&'static str, &'static str)],
) {
    static RIGHT: Mutex<BTreeSet<(usize, &str)>> = Mutex::new(BTreeSet::new());
    let key = (answers.as_ptr() as usize, std::any::type_name::<T>());
    let right = || RIGHT.lock().unwrap_or_else(PoisonError::into_inner);
    if right().contains(&key) {
        return;
    }
    for (json, position) in answers {
        if let Err(error) = serde_json::from_str::<T>(json) {
            let message = format!("the answer of an example is not one of the prompt: {error}");
            let help = format!("correct {position}");
            return out.fail(Error::new(ErrorKind::Output, message).with_help(help));
        }
    }
    right().insert(key);
}

type Parse = fn(&Schema, &str) -> std::result::Result<Parsed, ParseError>;

fn read_with<T: Answer>(reply: &Reply, parse: Parse) -> Result<T> {
    let schema = type_schema::<T>();
    let compiled = schema.compiled.as_ref();
    let compiled = compiled
        .map_err(|error| output_error(reply, format!("the output type has no schema: {error}")))?;
    let parsed = read_parsed(reply, compiled, parse)?;
    let value = parsed.deserialize().map_err(|error| {
        let error = output_error(reply, format!("the answer does not fit: {error}"));
        match parsed.is_rounded() {
            true => error.with_help(LONG_NUMBER_HELP),
            false => error,
        }
    })?;
    match unread::keys_without_a_field::<T>(&parsed.value) {
        Some(keys) => Err(output_error(reply, unread::message(keys, &schema.json))),
        None => Ok(value),
    }
}

/// The part of [`parse_json`] that is the same for every type.
fn read_parsed(reply: &Reply, schema: &Schema, parse: Parse) -> Result<Parsed> {
    if reply.text.trim().is_empty()
        && let Some(error) = only_calls(reply)
    {
        return Err(error);
    }
    if let Some(error) = withheld_error(reply) {
        return Err(error);
    }
    let parsed = parse(schema, &reply.text).map_err(|error| mismatch_error(reply, &error))?;
    if parsed.ending == Ending::Cut {
        let end = reply.text.trim_end().len();
        let error = output_error(reply, "the answer breaks off".to_owned());
        return Err(with_finish_help(reply, error).with_drawing(
            &reply.text,
            end..end,
            "the text ends here",
        ));
    }
    Ok(parsed)
}

/// The error for an answer that does not fit its schema.
fn mismatch_error(reply: &Reply, error: &ParseError) -> Error {
    if reply.text.trim().is_empty() {
        return output_error(reply, "the answer is empty".to_owned());
    }
    let message = format!("the answer does not fit, {}", summarize_problems(error));
    with_finish_help(
        reply,
        with_drawing(output_error(reply, message), &reply.text, error),
    )
}

/// Adds the help for a reply that the length limit or the provider cut off.
fn with_finish_help(reply: &Reply, error: Error) -> Error {
    match reply.finish {
        Some(FinishReason::Length) => {
            error.with_help("allow more tokens: the answer was cut off at its greatest length")
        }
        Some(FinishReason::ContentFilter) => {
            error.with_help("the model refused, or the provider held a part of the answer back")
        }
        _ => error,
    }
}

/// Reads the arguments of a call by the schema of its tool. An empty text means no arguments.
pub(crate) fn read_arguments(schema: &Schema, call: &ToolCall) -> Result<Parsed> {
    let text = match call.arguments.trim() {
        "" => "{}",
        _ => &call.arguments,
    };
    let wrong = |message: String| {
        Error::new(ErrorKind::Output, message).with_answer(call.arguments.as_str())
    };
    let parsed = schema.parse(text).map_err(|mismatch| {
        let message = format!(
            "the call of `{}` does not fit, {}",
            call.name,
            summarize_problems(&mismatch)
        );
        with_drawing(wrong(message), text, &mismatch)
    })?;
    if parsed.ending == Ending::Cut {
        let end = text.trim_end().len();
        let error = wrong(format!("the call of `{}` breaks off", call.name));
        return Err(error.with_drawing(text, end..end, "the text ends here"));
    }
    Ok(parsed)
}

const LONG_NUMBER: &str = "a number cannot be kept exactly without a type";
pub(crate) const LONG_NUMBER_HELP: &str =
    "ask for the number as a string, or read it as a type with a `u128`";

/// The value, if it has all digits of its numbers.
pub(crate) fn exact_value(parsed: Parsed) -> std::result::Result<Value, &'static str> {
    match parsed.is_rounded() {
        true => Err(LONG_NUMBER),
        false => Ok(parsed.value),
    }
}

/// All issues in one line: the message may be sent to the model, which sees no drawing.
fn summarize_problems(error: &ParseError) -> String {
    let issues: Vec<String> = error.issues().iter().map(with_expectation).collect();
    issues.join("; ")
}

/// An issue followed by what was expected, unless its message contains that.
fn with_expectation(issue: &Issue) -> String {
    let expected = issue.label.trim_start_matches("expected ");
    if issue.message.contains(expected) {
        issue.to_string()
    } else {
        format!("{issue}, {}", issue.label)
    }
}

/// Adds the position, drawing and help of the first issue.
fn with_drawing(error: Error, text: &str, mismatch: &ParseError) -> Error {
    let Some(first) = mismatch.issues().first() else {
        return error;
    };
    let error = error.at_slot(None, first.range.clone()).with_drawing(
        text,
        first.range.clone(),
        first.label.as_str(),
    );
    match &first.help {
        Some(help) => error.with_help(help.as_str()),
        None => error,
    }
}
