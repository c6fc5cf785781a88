//! Parses the answer of a language model into a value of a JSON Schema.
//!
//! A [`Schema`] returns a value that satisfies it, or an error with all mismatches and their positions. An answer that is right already
//! is returned unchanged. Otherwise its notation is repaired, and never its content: nothing is added, left out, renamed, wrapped or taken
//! out of a container. [`Parsed::repairs`] lists each repair with its position. The crate does not depend on prompts: its input is text and
//! a JSON Schema.
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
//! | JSON Schema → validator and types | `keyword`, `compile`, `types`, `name` |
//! | where the answer begins, its fences | `reasoning`, `fence` |
//! | JSON that is right already → value | `identity` |
//! | JSON in the text → syntax tree, with repairs | `values`, `parser`, `syntax`, `reader`, `string`, `unquoted`, `lookahead` |
//! | other forms → syntax tree or value | `forms`, `unbracketed` |
//! | syntax tree → value of the types, at a cost | `coerce`, `object`, `list`, `scalar`, `literal`, `number` |
//! | the order of all this, the decision of the validator, errors | `answer`, `validate` |
//!
//! # Decisions
//! - **A validator decides** whether a value satisfies the schema: the crate `jsonschema`. The types only guide the repairs. A keyword that the
//!   validator does not check is an error of [`Schema::new`].
//! - **JSON that satisfies the schema is its own value**: keys, order, entries that the schema does not name, and in [`Parsed::json`] the
//!   spelling of numbers.
//! - **The least change wins**: incorrect JSON is first read as it is written, and converted to the types of the schema only if that does
//!   not satisfy it.
//! - **One value**: several different values in one answer are an error, and so is a text that continues a value in its line. The inside of a
//!   value is never searched.
//! - **Outside of JSON, the forms of a closed grammar are accepted** (`typed_prompt::docs::answers`), and nothing is concluded from
//!   the words of a sentence.
//! - **Text that belongs to no value is an error**: text after a value, values side by side under one key. So is a part that the answer leaves
//!   out: an ellipsis, a comment in place of items, a comma without an item before it.
//! - **A number keeps its sign, its scale and its limit**, or is an error.
//! - **Null is null**: for a type without null it is an error, never zero or empty. A missing required field is an error.
//! - **A schema that accepts nothing but a string** gets the answer verbatim, without the reasoning, unless it is one JSON string.
//! - **A text that ends too early** returns its value with an [`Ending`]. [`Schema::parse_truncated`] parses an answer that reached its
//!   maximum length, and rejects values that the missing part may change. While the text is still arriving, [`Schema::parse_partial`]
//!   returns the value so far. A value reported as final does not change, unless the end of reasoning without a beginning follows.
//! - **Parsing takes linear time**: lookahead is bounded, brackets nest at most 127 levels deep, and all attempts on one text share a
//!   budget.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod answer;
mod coerce;
mod compile;
mod describe;
mod deserialize;
mod error;
mod fence;
mod fit;
mod forms;
mod identity;
mod keyword;
mod list;
mod literal;
mod lookahead;
mod name;
mod number;
mod object;
mod parse;
mod parsed;
mod parser;
mod partial;
mod path;
mod position;
mod reader;
mod reasoning;
mod repair;
mod scalar;
mod schema;
mod string;
mod syntax;
#[cfg(test)]
mod tests;
mod types;
mod unbracketed;
mod unquoted;
mod validate;
mod values;

pub use error::{Issue, ParseError};
pub use parsed::{Ending, Parsed};
pub use partial::{Partial, PartialValue};
pub use repair::{Repair, RepairKind};
pub use schema::{Schema, SchemaError};
