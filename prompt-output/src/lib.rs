//! Parses the answer of a language model into a value of a JSON Schema.
//!
//! A [`Schema`] finds the JSON in an answer, repairs its notation, and returns a value that fits the schema, or an error with
//! all mismatches and their positions. It changes notation and never content: it does not add a missing value, does not
//! replace a wrong one, and does not choose between two different ones. [`Parsed::repairs`] lists each repair with its
//! position. The crate does not depend on prompts: its input is text and a JSON Schema.
//!
//! ```
//! use prompt_output::Schema;
//! use serde_json::json;
//!
//! let schema = Schema::new(&json!({
//!     "type": "object",
//!     "properties": {"city": {"type": "string"}, "population": {"type": "integer"}},
//!     "required": ["city", "population"],
//! }))?;
//!
//! let parsed = schema.parse("Here you are:\n```json\n{city: 'Brest', \"population\": \"140,064\",}\n```")?;
//! assert_eq!(parsed.value, json!({"city": "Brest", "population": 140064}));
//! for repair in &parsed.repairs {
//!     println!("line {}: {repair}", repair.line);
//! }
//!
//! let error = schema.parse(r#"{"city": "Brest"}"#).unwrap_err();
//! assert_eq!(error.to_string(), "line 1, column 17: the field `population` is missing");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//! | feature | adds |
//! | --- | --- |
//! | `schemars` | [`Schema`]`::from_type::<T>()`: the schema of a Rust type |
//!
//! # Stages
//! | stage | modules |
//! | --- | --- |
//! | JSON Schema → types | `compile`, `constraint`, `types`, `name` |
//! | text → syntax tree, with repairs | `reader`, `string`, `unquoted`, `lookahead` |
//! | text → candidates for the answer | `candidate`, `fence`, `prose`, `reasoning`, `unbracketed` |
//! | syntax tree → value of a type, at a cost | `coerce`, `object`, `list`, `scalar`, `choice`, `number` |
//! | candidates → the answer, or an error | `schema`, `select` |
//!
//! # Decisions
//! - **Correct JSON is parsed as JSON.** Only incorrect JSON is repaired, based on the text after each quote, comma and line break;
//!   the schema's field names distinguish a key from a word of prose.
//! - **The value that the text presents as its answer is the answer**: the first value at the beginning of the text, in a fence, after a colon, or
//!   after words such as `the answer is`, and not an example. If it does not fit, the answer is an error, unless a later value
//!   repeats and completes it. A value that the text calls wrong (`[1] is wrong`) or corrects (`[1], I mean [2]`) is not the answer; if it
//!   was presented as the answer, that is an error, and so are alternatives (`[1] or [2]`, `[1] and then [2]`, `A: {…} B: {…}`), a change in words (`Actually the price is 2`), two different values without text between
//!   them, and a later one that is announced as the answer. Among values that are only mentioned, the best fit is the answer, and the first of equal
//!   fits. The repairs list the text that was left out. Two different numbers or choices are a contradiction, which is an error.
//! - **Where the schema expects a list, several objects in a row are its items**, every one of them. Several lists are an error.
//! - **A container that does not fit is not searched for a part that does**: a wrong answer must not turn into another one.
//!   Values are taken from prose only outside of brackets and lists, and an item in a list of its own (`[[1]]`) is not the item.
//! - **Text that belongs to no value is an error**: text after a value, values side by side under one key. A string with
//!   unescaped quotes keeps all of its text.
//! - **A report of a failure contains no answer**: `{"error": "code 7"}` is not 7.
//! - **A number keeps its sign and its fraction.** Separators, currency signs and a final full stop are notation; `1,5`, `5k`,
//!   `3 million` and an unbounded `50%` are ambiguous, and an error; so are a limit (`at least 42`, `42+`), a sign in words (`minus 42`), an
//!   example, an argument (`sqrt(2)`) and `Error 404`.
//! - **A choice is read from a sentence only if the sentence names exactly one**, in its exact spelling or else in any
//!   spelling, and its clause does not negate it, limit it, question it, cross it out or make it a condition. Signs are part of a choice: `-1` is not `1`, and `C++` is not `C`. The
//!   same rules apply to yes and no, and to the only number of a text. A value in a container is never inferred like this.
//! - **Null is null**: for a type without null it is an error, never zero or empty. A missing field is an error too, unless
//!   it is optional; a missing required field of a nullable type is null.
//! - **A part that the answer leaves out is an error**: an ellipsis, `etc.` or a comment such as `// more items` in place of values, and a comma
//!   of a list without an item before it.
//! - **`key: value` lines and Markdown lists** are read where the schema expects an object or a list and nothing else
//!   fits, each value on its own line; a value that may continue on the next line is an error.
//! - **A schema that accepts nothing but a string** gets the answer verbatim, without the reasoning.
//!   [`Schema::parse_json`] decodes a JSON string first, for answers of models that were asked for JSON.
//! - **A text that ends too early** returns its value with an [`Ending`]. [`Schema::parse_truncated`] parses an answer that reached its
//!   maximum length, and rejects values that the missing part may change. While the text is still arriving, [`Schema::parse_partial`]
//!   returns the value so far. A value reported as final does not change, unless the end of reasoning without a beginning follows.
//! - **Parsing takes linear time**: lookahead is bounded, brackets nest at most 127 levels deep, and all attempts on one text share a
//!   budget.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod candidate;
mod choice;
mod coerce;
mod compile;
mod constraint;
mod describe;
mod error;
mod fence;
mod fit;
mod list;
mod lookahead;
mod name;
mod number;
mod object;
mod parsed;
mod position;
mod prose;
mod reader;
mod reasoning;
mod repair;
mod scalar;
mod schema;
mod select;
mod string;
#[cfg(test)]
mod tests;
mod types;
mod unbracketed;
mod unquoted;

pub use error::{Issue, ParseError};
pub use parsed::{Ending, Parsed};
pub use repair::{Repair, RepairKind};
pub use schema::{Schema, SchemaError};
