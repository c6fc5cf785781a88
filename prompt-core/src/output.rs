//! Reading a model's answer.
//!
//! A [`Schema`] reads what a model wrote: it finds the JSON in it, overlooks what is wrong with the notation, and makes
//! of it a value of the schema's shape, or says why that is not possible. It changes spellings, never what is said:
//! nothing that is missing is made up, nothing that is wrong is replaced, and of two things that were said none is
//! chosen. What it overlooked is in [`Parsed::repairs`], what it refused in [`Refusal::problems`], each with its place.
//!
//! | step | where |
//! | --- | --- |
//! | JSON Schema → shapes | `compile`, `merge`, `alias`, `shape` |
//! | text → values, with what was overlooked | `read`, `brackets`, `quoted`, `word`, `ahead`, `block`, `escape` |
//! | where an answer may stand | `candidate`, `fence`, `think`, `loose` |
//! | values → the shapes, at a cost | `coerce`, `any`, `object`, `map`, `list`, `union`, `scalar`, `choice`, `number`, `prose` |
//! | the best of it | `raw`, `select` |
//! | what is in order and fits → a value, without the steps between | `straight` |
//! | a reply → a value of a type | [`read_json`], `typed` |
//!
//! # Decisions
//!
//! - **Correct JSON is read as JSON says.** Only what is not correct is guessed at, by what follows each quote, comma and
//!   line break; the names of the schema's fields tell a key from a word of prose.
//! - **The best fit is taken, and of equals the first.** Models put the answer first, and examples and alternatives after
//!   it. What was left out is reported. Two numbers or choices that differ are a contradiction.
//! - **Where a list was asked for, several objects in a row are its items.** One among them that is a wrong item is an
//!   error; one that has nothing of it is left out.
//! - **An answer that does not fit is not searched for parts that do**: a wrong answer must not become another one.
//! - **A number keeps its sign and its fraction.** Separators, currency signs and a full stop are notation; `1,5`, `5k`,
//!   `3 million` and an unbounded `50%` mean different things to different people and are refused.
//! - **A choice is taken out of a sentence only if the sentence names one**, exactly spelled or else in any spelling, and
//!   not after a `not`. The same holds for yes and no, and for the only number of a text.
//! - **Null is null**: for a type without it, it is an error, never zero and never empty. A missing field is an error
//!   too, unless it is optional; a required one that may be null is null.
//! - **`key: value` lines and Markdown lists** are read where the schema asks for an object or a list and nothing else
//!   fits, each value on its own line; whatever might go on below is refused.
//! - **A schema that asks for nothing but a string** gets the answer as it is, after the thinking. [`read_json`] takes a
//!   JSON string for one, since JSON was asked for.
//! - **A text that ends too early** gives its value with an [`Ending`]; while it still comes in,
//!   [`Schema::parse_partial`] gives what has come. In correct JSON, what it calls final stays.
//! - **Reading takes time in proportion to the text**: looks ahead are bounded, brackets are read 128 deep, and all
//!   attempts on one text share a budget.

mod ahead;
mod alias;
mod any;
mod block;
mod brackets;
mod candidate;
mod choice;
mod coerce;
mod compile;
mod describe;
mod escape;
mod fence;
mod fit;
mod line;
mod list;
mod loose;
mod map;
mod merge;
mod name;
mod node;
mod number;
mod object;
mod parsed;
#[cfg(test)]
mod properties;
mod prose;
mod quoted;
mod raw;
mod read;
mod refusal;
mod repair;
#[cfg(test)]
mod samples;
mod scalar;
mod schema;
mod select;
mod shape;
mod straight;
mod think;
#[cfg(feature = "schema")]
mod typed;
mod union;
mod word;

pub use parsed::{Ending, Parsed};
pub use refusal::{Problem, Refusal};
pub use repair::{Repair, RepairKind};
pub use schema::{Schema, SchemaError};

use crate::{Error, ErrorKind, Finish, Reply, Result};

/// The answer as text.
///
/// # Errors
/// An answer that calls tools and says nothing, and one that the provider held back.
///
/// ```
/// use prompt_core::{Reply, output};
///
/// assert_eq!(output::read_text(&Reply::new("Nine metres."))?, "Nine metres.");
/// # Ok::<(), prompt_core::Error>(())
/// ```
pub fn read_text(reply: &Reply) -> Result<String> {
    if reply.text.is_empty()
        && let Some(call) = reply.tool_calls.first()
    {
        let message = format!("the model calls the tool `{}` and says nothing", call.name);
        let help = "use `Llm::send` where a model may call tools, and send the results back";
        return Err(failure(reply, message).with_help(help));
    }
    if let Some(error) = held_back(reply) {
        return Err(error);
    }
    Ok(reply.text.clone())
}

/// What is wrong with an answer that the provider held back: nothing of it came.
fn held_back(reply: &Reply) -> Option<Error> {
    let is_held = reply.finish == Some(Finish::Filter) && reply.text.trim().is_empty();
    is_held.then(|| {
        let message =
            "the provider held the answer back, since it found something in it or in the prompt";
        failure(reply, message.to_owned())
    })
}

/// A type that an answer can be read into: `serde::Deserialize` and `schemars::JsonSchema`.
///
/// ```
/// fn is_answer<T: prompt_core::output::Answer>() {}
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Depth { metres: f64 }
/// is_answer::<Depth>();
/// ```
#[cfg(feature = "schema")]
#[diagnostic::on_unimplemented(
    message = "an answer cannot be read into `{Self}`",
    label = "cannot be read from JSON, or has no JSON Schema",
    note = "write `#[derive(serde::Deserialize, schemars::JsonSchema)]` above the type, and likewise for the types of its fields"
)]
pub trait Answer: serde_core::de::DeserializeOwned + schemars::JsonSchema {}

#[cfg(feature = "schema")]
#[diagnostic::do_not_recommend]
impl<T: serde_core::de::DeserializeOwned + schemars::JsonSchema> Answer for T {}

/// A type that an answer can be read into; without the feature `schema` there is none.
#[cfg(not(feature = "schema"))]
#[diagnostic::on_unimplemented(
    message = "an `output` type needs the feature `schema` of typed-prompt",
    label = "typed answers are switched off",
    note = "write `typed-prompt = {{ version = \"…\", features = [\"schema\"] }}` in Cargo.toml"
)]
pub trait Answer: Sized {}

/// How a type is asked for and read. Generated code has one door for both, so that a type that fits neither is one error.
#[derive(Debug)]
pub struct Typed<T> {
    schema: fn() -> Option<serde_json::Value>,
    read: fn(&Reply) -> Result<T>,
}

impl<T> Typed<T> {
    /// The JSON Schema of the type.
    pub fn schema(self) -> Option<serde_json::Value> {
        (self.schema)()
    }

    /// The answer read from its JSON.
    ///
    /// # Errors
    /// An answer that does not fit the type.
    pub fn read(self, reply: &Reply) -> Result<T> {
        (self.read)(reply)
    }
}

/// How an output type is asked for and read.
pub fn answer<T: Answer>() -> Typed<T> {
    Typed {
        schema: json_schema::<T>,
        read: read_json::<T>,
    }
}

/// The JSON Schema of an output type.
///
/// ```
/// # #[cfg(feature = "schema")]
/// assert_eq!(prompt_core::output::json_schema::<bool>().unwrap()["type"], "boolean");
/// ```
pub fn json_schema<T: Answer>() -> Option<serde_json::Value> {
    #[cfg(feature = "schema")]
    return Some(schemars::schema_for!(T).to_value());
    #[cfg(not(feature = "schema"))]
    None
}

/// The answer as a value of the type, read by its schema; see [`Schema`].
///
/// Missing closing brackets are overlooked. An answer that breaks off inside of a value is not: the rest of it would be
/// missing, and nobody would know.
///
/// # Errors
/// An answer that does not fit the type: with all that is wrong with it, line, column and a drawing, the model's name and
/// the whole answer.
///
/// ```
/// # #[cfg(feature = "schema")] {
/// use prompt_core::{Reply, output};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Depth { metres: f64, sure: bool }
///
/// let depth: Depth = output::read_json(&Reply::new("Here it is: {metres: '9.5', sure: True,}"))?;
/// assert_eq!((depth.metres, depth.sure), (9.5, true));
///
/// let error = output::read_json::<Depth>(&Reply::new("{\"metres\": \"deep\"}")).err().unwrap();
/// assert!(error.message().contains("`\"deep\"` is not a number (at /metres)"));
/// # }
/// # Ok::<(), prompt_core::Error>(())
/// ```
pub fn read_json<T: Answer>(reply: &Reply) -> Result<T> {
    #[cfg(feature = "schema")]
    {
        let value = typed::read(reply, schemars::schema_for!(T).as_value())?;
        serde_json::from_value(value)
            .map_err(|error| failure(reply, format!("the answer does not fit: {error}")))
    }
    #[cfg(not(feature = "schema"))]
    Err(failure(reply, "the feature `schema` is off".to_owned()))
}

/// The arguments of a call, read by the schema of its tool; no text at all stands for no arguments.
pub(crate) fn read_arguments(schema: &Schema, call: &crate::ToolCall) -> Result<serde_json::Value> {
    let text = match call.arguments.trim() {
        "" => "{}",
        _ => &call.arguments,
    };
    let wrong = |message: String| {
        Error::new(ErrorKind::Output, message).with_answer(call.arguments.as_str())
    };
    let parsed = schema.parse(text).map_err(|refusal| {
        let error = wrong(format!(
            "the call of `{}` does not fit, {}",
            call.name,
            problems(&refusal)
        ));
        marked(error, text, &refusal)
    })?;
    if parsed.ending == Ending::Cut {
        let end = text.trim_end().len();
        let error = wrong(format!("the call of `{}` breaks off", call.name));
        return Err(error.drawn(text, end..end, "the text ends here"));
    }
    Ok(parsed.value)
}

/// All problems in one line, since the model may be told.
fn problems(refusal: &Refusal) -> String {
    let problems: Vec<String> = refusal.problems().iter().map(words).collect();
    problems.join("; ")
}

/// A problem with what was expected, unless it says so itself.
fn words(problem: &Problem) -> String {
    let expected = problem.label.trim_start_matches("expected ");
    if problem.message.contains(expected) {
        problem.to_string()
    } else {
        format!("{problem}, {}", problem.label)
    }
}

/// The error with the first problem drawn, and its help.
fn marked(error: Error, text: &str, refusal: &Refusal) -> Error {
    let Some(first) = refusal.problems().first() else {
        return error;
    };
    let error = error.at_slot(None, first.range.clone()).drawn(
        text,
        first.range.clone(),
        first.label.as_str(),
    );
    match &first.help {
        Some(help) => error.with_help(help.as_str()),
        None => error,
    }
}

fn failure(reply: &Reply, message: String) -> Error {
    let error = Error::new(ErrorKind::Output, message).with_answer(reply.text.as_str());
    match &reply.model {
        Some(model) => error.with_model(model.as_str()),
        None => error,
    }
}
