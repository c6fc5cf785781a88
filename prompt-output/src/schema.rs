//! The entry point: a compiled schema and its methods that read answers.

use crate::answer::{TextAnswer, parse_answer};
use crate::compile::compile_type_table;
use crate::describe::{describe_type, expected_label};
use crate::error::{Issue, ParseError};
use crate::keyword::compile_validator;
use crate::name::fold_name;
use crate::parsed::{Ending, Parsed};
use crate::reader::Arrival;
use crate::repair::RepairKind;
use crate::types::TypeTable;
use prompt_base::Span;
use serde_json::Value;
use std::fmt;

/// A compiled JSON Schema that reads answers.
///
/// Any draft from 4 to 2020-12 is accepted, by its `$schema`; without it, 2020-12. The crate `jsonschema` decides whether a value
/// fits. A keyword or a `format` that it does not check is an error of [`Schema::new`]; annotations such as `title`, `default` and
/// keywords that begin with `x-` are accepted, and so are the `format`s `double`, `float`, `byte`, `binary`, `password`, `url`,
/// `idn-email`, `idn-hostname`, `ip`, `partial-time`, `partial-date-time` and `zoned-date-time`, which are not checked. The `format`s of whole numbers
/// (`uint8`, `int64`) are bounds.
///
/// Aliases of fields and values are an extension, since serde's `alias` does not reach a schema: `x-aliases` (or any keyword with
/// `alias` in its name) beside the field or the value, as one string or a list; for a plain `enum`, a map from value to aliases or
/// from alias to value, or a list of the same length. With schemars: `#[schemars(extend("x-aliases" = ["ok", "fine"]))]`.
///
/// ```
/// use typed_prompt::output::Schema;
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
/// let error = schema.parse("{\"mood\": \"happy\", \"score\": 300}").unwrap_err();
/// assert_eq!(error.issues()[0].path, "/score");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Schema {
    pub(crate) types: TypeTable,
    pub(crate) validator: jsonschema::Validator,
    /// The title of the schema, folded: a label of its value.
    pub(crate) titles: Vec<String>,
}

/// A schema that cannot be read.
///
/// ```
/// use typed_prompt::output::Schema;
/// use serde_json::json;
///
/// let error = Schema::new(&json!({"properties": {"age": {"nullable": true}}})).unwrap_err();
/// assert_eq!(error.to_string(), "`nullable` at `#/properties/age/nullable` is not a keyword that is checked");
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
    /// Compiles a schema. Keep the result if many answers are read.
    ///
    /// # Errors
    /// A keyword or a `format` that is not checked, with its path; a value of a keyword that its draft does not allow; a reference that the
    /// schema does not contain (nothing is fetched); a type that is its own member; more than 127 schemas inside each other.
    ///
    /// ```
    /// use typed_prompt::output::Schema;
    /// use serde_json::json;
    ///
    /// assert!(Schema::new(&json!({"type": "integer"})).is_ok());
    /// assert!(Schema::new(&json!({"type": "int"})).is_err());
    /// ```
    pub fn new(schema: &Value) -> Result<Schema, SchemaError> {
        // The types are compiled first: they bound the depth of the schema, which the validator does not.
        let types = compile_type_table(schema).map_err(SchemaError)?;
        let validator = compile_validator(schema).map_err(SchemaError)?;
        let title = schema.get("title").and_then(Value::as_str);
        Ok(Schema {
            types,
            validator,
            titles: title.map(fold_name).into_iter().collect(),
        })
    }

    /// Returns the schema of a Rust type.
    ///
    /// # Errors
    /// A hand-written schema that cannot be compiled: see [`Schema::new`].
    ///
    /// ```
    /// use typed_prompt::output::Schema;
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Answer { text: String, cited: Vec<u8> }
    ///
    /// let parsed = Schema::from_type::<Answer>()?.parse("{text: 'Nine metres.', cited: ['3']}")?;
    /// let answer: Answer = serde_json::from_value(parsed.value)?;
    /// assert_eq!((answer.text.as_str(), answer.cited), ("Nine metres.", vec![3]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "schemars")]
    pub fn from_type<T: schemars::JsonSchema>() -> Result<Schema, SchemaError> {
        Schema::new(schemars::schema_for!(T).as_value())
    }

    /// Describes the values that the schema accepts, as in errors.
    ///
    /// ```
    /// use typed_prompt::output::Schema;
    /// use serde_json::json;
    ///
    /// let schema = Schema::new(&json!({"type": "integer", "minimum": 1, "maximum": 5}))?;
    /// assert_eq!(schema.description(), "a whole number from 1 to 5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn description(&self) -> String {
        describe_type(&self.types, self.types.root())
    }

    /// Reads a complete answer.
    ///
    /// # Errors
    /// The answer does not fit the schema, or contains no value in one of the accepted forms.
    ///
    /// ```
    /// use typed_prompt::output::Schema;
    /// use serde_json::json;
    ///
    /// let schema = Schema::new(&json!({"type": "integer"}))?;
    /// assert_eq!(schema.parse("**Answer**: 1,200")?.value, json!(1200));
    /// assert!(schema.parse("There are 3 or 4 of them.").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse(&self, answer: &str) -> Result<Parsed, ParseError> {
        parse_answer(self, answer, Arrival::Whole, TextAnswer::Verbatim)
    }

    /// Reads a complete answer of a model that was asked for JSON.
    ///
    /// The result differs from [`parse`](Schema::parse) only for a schema that accepts nothing but a string: an answer that
    /// is one string in quotes, alone or in a fence, is decoded also where its notation is not quite JSON. `parse` returns it verbatim.
    ///
    /// # Errors
    /// As [`parse`](Schema::parse).
    ///
    /// ```
    /// use typed_prompt::output::Schema;
    /// use serde_json::json;
    ///
    /// let schema = Schema::new(&json!({"type": "string"}))?;
    /// let answer = "'Nine metres'";
    /// assert_eq!(schema.parse(answer)?.value, json!(answer));
    /// assert_eq!(schema.parse_json(answer)?.value, json!("Nine metres"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_json(&self, answer: &str) -> Result<Parsed, ParseError> {
        parse_answer(self, answer, Arrival::Whole, TextAnswer::Json)
    }

    /// Reads an answer that the model could not finish, since it reached its greatest length.
    ///
    /// The result differs from [`parse_json`](Schema::parse_json) where the rest of the answer may change the value: missing brackets, a
    /// number without anything after it, a choice that is the beginning of another one, a string, a value after other text.
    ///
    /// # Errors
    /// As [`parse`](Schema::parse), and if the value may be incomplete.
    ///
    /// ```
    /// use typed_prompt::output::Schema;
    /// use serde_json::json;
    ///
    /// let schema = Schema::new(&json!({"enum": ["pay", "pay_later", "refund"]}))?;
    /// assert_eq!(schema.parse_truncated("refund")?.value, json!("refund"));
    /// assert!(schema.parse_truncated("pay").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_truncated(&self, answer: &str) -> Result<Parsed, ParseError> {
        let parsed = parse_answer(self, answer, Arrival::Truncated, TextAnswer::Json)?;
        match parsed.ending {
            Ending::Whole => Ok(parsed),
            Ending::Unclosed | Ending::Cut => {
                let end = answer.trim_end().len();
                let (message, label) = ("the answer breaks off", "the text ends here");
                Err(ParseError::from_issue(
                    answer,
                    Span::new(end, end),
                    message.to_owned(),
                    label.to_owned(),
                ))
            }
        }
    }

    /// Reads a complete answer without any repair: JSON that satisfies the schema as it is. Only white space, reasoning and one code fence may
    /// surround it.
    ///
    /// # Errors
    /// As [`parse`](Schema::parse). Each repair that the answer needs is an issue.
    ///
    /// ```
    /// use typed_prompt::output::Schema;
    /// use serde_json::json;
    ///
    /// let schema = Schema::new(&json!({"type": "array", "items": {"type": "integer"}}))?;
    /// assert_eq!(schema.parse_strict("<think>Two.</think>\n```json\n[1, 2]\n```")?.value, json!([1, 2]));
    /// let error = schema.parse_strict("[1, '2',]").unwrap_err();
    /// assert_eq!(error.issues()[0].message, "the answer needs a repair: quotes other than `\"`");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_strict(&self, answer: &str) -> Result<Parsed, ParseError> {
        let parsed = self.parse_json(answer)?;
        if parsed.exact.is_some() {
            return Ok(parsed);
        }
        let is_allowed = |kind| matches!(kind, RepairKind::Thinking | RepairKind::Fence);
        let repairs = parsed.repairs.iter();
        let issues: Vec<Issue> = repairs
            .filter(|repair| !is_allowed(repair.kind))
            .map(|repair| Issue::from_repair(answer, repair))
            .collect();
        if issues.is_empty() {
            let span = Span::new(0, answer.len());
            let message = "the answer is not JSON of the schema".to_owned();
            return Err(ParseError::from_issue(
                answer,
                span,
                message,
                self.expected_label(),
            ));
        }
        Err(ParseError::new(answer, issues))
    }

    /// The label of an issue that concerns the whole answer.
    pub(crate) fn expected_label(&self) -> String {
        expected_label(&self.types, self.types.root())
    }

    /// Reads the part of an answer that has arrived. Returns `None` if it contains nothing of a value yet.
    ///
    /// The value contains only what the types of the schema allow. Fields that have not arrived are absent, even if required, and so are
    /// values of a wrong type. Other keywords are checked for the complete answer only. A string grows; numbers, booleans and choices appear when they are complete.
    ///
    /// ```
    /// use typed_prompt::output::Schema;
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
        parse_answer(self, answer, Arrival::Partial, TextAnswer::Json).ok()
    }
}
