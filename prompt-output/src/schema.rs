//! A schema, and how an answer is read by it.

use std::fmt;

use serde_json::Value;

use super::parsed::{Ending, Parsed};
use super::refusal::Refusal;
use super::{compile, raw};

use super::shape::Shapes;

/// A JSON Schema, made ready to read answers by.
///
/// What it understands is what schemars writes (draft 2020-12): types and lists of types, `$ref`,
/// `anyOf`, `oneOf`, `allOf`, `const`, `enum`, `properties`, `required`, `additionalProperties`,
/// `patternProperties`, `propertyNames`, `items`, `prefixItems`, bounds of numbers, the `format`s of
/// whole numbers, lengths. Other words for a field or a value are an extension, `x-aliases`.
///
/// ```
/// use prompt_output::Schema;
/// use serde_json::json;
///
/// let schema = Schema::new(&json!({
///     "type": "object",
///     "properties": {
///         "mood": {"enum": ["happy", "sad"]},
///         "score": {"type": "integer", "format": "uint8"},
///     },
///     "required": ["mood", "score"],
/// }))?;
///
/// let parsed = schema.parse("Here it is:\n```json\n{'Mood': 'Happy', 'score': '7'}\n```")?;
/// assert_eq!(parsed.value, json!({"mood": "happy", "score": 7}));
///
/// let refusal = schema.parse("{\"mood\": \"happy\", \"score\": 300}").unwrap_err();
/// assert_eq!(refusal.problems()[0].path, "/score");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Schema {
    pub(super) shapes: Shapes,
}

/// A schema that cannot be read.
///
/// ```
/// use prompt_output::Schema;
/// use serde_json::json;
///
/// let error = Schema::new(&json!({"$ref": "#/$defs/Nothing"})).unwrap_err();
/// assert_eq!(error.to_string(), "the schema refers to `#/$defs/Nothing`, which is not in it");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SchemaError(String);

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SchemaError {}

impl Schema {
    /// Makes a schema ready; worth keeping, if many answers are read.
    ///
    /// # Errors
    /// A reference to something that is not in the schema, an unknown `type`, or what is no schema.
    ///
    /// ```
    /// use prompt_output::Schema;
    /// use serde_json::json;
    ///
    /// assert!(Schema::new(&json!({"type": "integer"})).is_ok());
    /// assert!(Schema::new(&json!({"type": "int"})).is_err());
    /// ```
    pub fn new(schema: &Value) -> Result<Schema, SchemaError> {
        compile::compile(schema)
            .map(|shapes| Schema { shapes })
            .map_err(SchemaError)
    }

    /// The schema of a type.
    ///
    /// # Errors
    /// A schema made by hand that cannot be read: see [`Schema::new`].
    ///
    /// ```
    /// use prompt_output::Schema;
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Answer { text: String, cited: Vec<u8> }
    ///
    /// let parsed = Schema::of::<Answer>()?.parse("{text: 'Nine metres.', cited: 3}")?;
    /// let answer: Answer = serde_json::from_value(parsed.value)?;
    /// assert_eq!((answer.text.as_str(), answer.cited), ("Nine metres.", vec![3]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "schemars")]
    pub fn of<T: schemars::JsonSchema>() -> Result<Schema, SchemaError> {
        Schema::new(schemars::schema_for!(T).as_value())
    }

    /// Reads a whole answer.
    ///
    /// # Errors
    /// The answer is not what the schema asks for, and could only be made so by adding something.
    ///
    /// ```
    /// use prompt_output::Schema;
    /// use serde_json::json;
    ///
    /// let schema = Schema::new(&json!({"type": "integer"}))?;
    /// assert_eq!(schema.parse("There are **1,200** of them.")?.value, json!(1200));
    /// assert!(schema.parse("3 or 4").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse(&self, answer: &str) -> Result<Parsed, Refusal> {
        raw::whole(&self.shapes, answer)
    }

    /// Reads a complete answer of a model that was asked for JSON.
    ///
    /// The result differs from [`parse`](Schema::parse) only for a schema that accepts nothing but a string: an answer that
    /// is one JSON string, alone or in a fence, is decoded. `parse` returns it verbatim, quotes included.
    ///
    /// # Errors
    /// As [`parse`](Schema::parse).
    ///
    /// ```
    /// use prompt_output::Schema;
    /// use serde_json::json;
    ///
    /// let schema = Schema::new(&json!({"type": "string"}))?;
    /// let answer = r#""Nine\u00a0metres""#;
    /// assert_eq!(schema.parse(answer)?.value, json!(answer));
    /// assert_eq!(schema.parse_json(answer)?.value, json!("Nine\u{a0}metres"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_json(&self, answer: &str) -> Result<Parsed, Refusal> {
        match raw::json_string(&self.shapes, answer) {
            Some(text) => Ok(Parsed {
                value: Value::String(text),
                repairs: Vec::new(),
                ending: Ending::Whole,
                open: Vec::new(),
            }),
            None => self.parse(answer),
        }
    }

    /// Reads as much of an answer as has come; nothing, if nothing of a value has.
    ///
    /// The value holds only what the schema allows: fields that did not come yet are absent, even
    /// if required, and so is what is wrong (the whole answer will say so). A string grows; numbers,
    /// truth values and choices appear when they are complete.
    ///
    /// ```
    /// use prompt_output::Schema;
    /// use serde_json::json;
    ///
    /// let schema = Schema::new(&json!({
    ///     "type": "object",
    ///     "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    ///     "required": ["name", "age"],
    /// }))?;
    /// assert!(schema.parse_partial("Let me think").is_none());
    /// let value = |text| schema.parse_partial(text).unwrap().value;
    /// assert_eq!(value(r#"{"name": "An"#), json!({"name": "An"}));
    /// assert_eq!(value(r#"{"name": "Ann", "age": 4"#), json!({"name": "Ann"}));
    /// assert_eq!(value(r#"{"name": "Ann", "age": 42}"#), json!({"name": "Ann", "age": 42}));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_partial(&self, answer: &str) -> Option<Parsed> {
        raw::partial(&self.shapes, answer)
    }
}
