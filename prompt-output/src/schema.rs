//! The entry point: a compiled schema and its methods that read answers.

use crate::candidate::find_candidates;
use crate::compile::compile_type_table;
use crate::describe::{describe_type, expected_label};
use crate::error::{Issue, ParseError};
use crate::fence::find_fences;
use crate::parsed::{Ending, Parsed};
use crate::reader::{Arrival, ParseContext};
use crate::reasoning::{Start, answer_start};
use crate::select::Selection;
use crate::types::TypeTable;
use prompt_base::Span;
use serde_json::Value;
use std::fmt;

/// A compiled JSON Schema that reads answers.
///
/// It supports what schemars writes (draft 2020-12): types and lists of types, `$ref`, `anyOf`, `oneOf`, `allOf`, `const`, `enum`,
/// `properties`, `required`, `additionalProperties`, `patternProperties`, `propertyNames`, `items`, `prefixItems`, `uniqueItems`,
/// bounds of numbers, `multipleOf`, the `format`s of whole numbers, minimum and maximum lengths and sizes, `pattern`, and the string
/// `format`s `date`, `time`, `date-time`, `email`, `uuid`, `ipv4` and `ipv6`.
///
/// Patterns have the syntax of the crate `regex-lite`: that of ECMA-262 without lookahead, lookbehind, backreferences and `\p{…}`; as there,
/// `\d` and `\w` are ASCII, and a pattern matches anywhere unless it has anchors. Another pattern is an error.
///
/// Aliases of fields and values are an extension, since serde's `alias` does not reach a schema: `x-aliases` (or any keyword with
/// `alias` in its name) beside the field or the value, as one string or a list; for a plain `enum`, a map from value to aliases or
/// from alias to value, or a list of the same length. A `title` is an alias too. With schemars:
/// `#[schemars(extend("x-aliases" = ["ok", "fine"]))]`.
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
}

/// A schema that cannot be read.
///
/// ```
/// use typed_prompt::output::Schema;
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
    /// Compiles a schema. Keep the result if many answers are read.
    ///
    /// # Errors
    /// A reference that the schema does not contain, an unknown `type`, a `pattern` that is not supported, more than 127 schemas
    /// inside each other, or a value that is not a schema.
    ///
    /// ```
    /// use typed_prompt::output::Schema;
    /// use serde_json::json;
    ///
    /// assert!(Schema::new(&json!({"type": "integer"})).is_ok());
    /// assert!(Schema::new(&json!({"type": "int"})).is_err());
    /// ```
    pub fn new(schema: &Value) -> Result<Schema, SchemaError> {
        compile_type_table(schema)
            .map(|types| Schema { types })
            .map_err(SchemaError)
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
    /// let parsed = Schema::from_type::<Answer>()?.parse("{text: 'Nine metres.', cited: 3}")?;
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
    /// The answer does not fit the schema without adding something to it.
    ///
    /// ```
    /// use typed_prompt::output::Schema;
    /// use serde_json::json;
    ///
    /// let schema = Schema::new(&json!({"type": "integer"}))?;
    /// assert_eq!(schema.parse("There are **1,200** of them.")?.value, json!(1200));
    /// assert!(schema.parse("3 or 4").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse(&self, answer: &str) -> Result<Parsed, ParseError> {
        parse_answer(&self.types, answer, Arrival::Whole)
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
    /// use typed_prompt::output::Schema;
    /// use serde_json::json;
    ///
    /// let schema = Schema::new(&json!({"type": "string"}))?;
    /// let answer = r#""Nine\u00a0metres""#;
    /// assert_eq!(schema.parse(answer)?.value, json!(answer));
    /// assert_eq!(schema.parse_json(answer)?.value, json!("Nine\u{a0}metres"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_json(&self, answer: &str) -> Result<Parsed, ParseError> {
        match self.json_string(answer) {
            Some(parsed) => Ok(parsed),
            None => self.parse(answer),
        }
    }

    /// Reads an answer that the model could not finish, since it reached its greatest length.
    ///
    /// The result differs from [`parse_json`](Schema::parse_json) where the rest of the answer may change the value: missing brackets, a
    /// number without anything after it, a choice that is the beginning of another one, a string, a value taken out of prose.
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
        if let Some(parsed) = self.json_string(answer) {
            return Ok(parsed);
        }
        let parsed = parse_answer(&self.types, answer, Arrival::Truncated)?;
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

    /// Reads a complete answer without any repair: JSON that fits the schema as it is, and nothing around it.
    ///
    /// # Errors
    /// As [`parse`](Schema::parse). Each repair that the answer needs is an issue.
    ///
    /// ```
    /// use typed_prompt::output::Schema;
    /// use serde_json::json;
    ///
    /// let schema = Schema::new(&json!({"type": "array", "items": {"type": "integer"}}))?;
    /// assert_eq!(schema.parse_strict("[1, 2]")?.value, json!([1, 2]));
    /// let error = schema.parse_strict("[1, '2',]").unwrap_err();
    /// assert_eq!(error.issues()[0].message, "the answer needs a repair: quotes other than `\"`");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_strict(&self, answer: &str) -> Result<Parsed, ParseError> {
        let parsed = self.parse_json(answer)?;
        let is_json = || serde_json::from_str::<Value>(answer).is_ok();
        let mut issues: Vec<Issue> = Vec::new();
        for repair in &parsed.repairs {
            issues.push(Issue::from_repair(answer, repair));
        }
        if issues.is_empty() && !is_json() {
            let span = Span::new(0, answer.len());
            let message = "the answer is not JSON".to_owned();
            return Err(ParseError::from_issue(
                answer,
                span,
                message,
                expected_label(&self.types, self.types.root()),
            ));
        }
        match issues.is_empty() {
            true => Ok(parsed),
            false => Err(ParseError::new(answer, issues)),
        }
    }

    /// A string in JSON, for a schema that accepts nothing but a string.
    fn json_string(&self, answer: &str) -> Option<Parsed> {
        let text = json_string(&self.types, answer)?;
        Some(Parsed {
            value: Value::String(text),
            repairs: Vec::new(),
            ending: Ending::Whole,
            open: Vec::new(),
        })
    }

    /// Reads the part of an answer that has arrived. Returns `None` if it contains nothing of a value yet.
    ///
    /// The value contains only what the schema allows. Fields that have not arrived are absent, even if required, and so are wrong
    /// values (reading the complete answer reports them). A string grows; numbers, booleans and choices appear when they are complete.
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
        parse_answer(&self.types, answer, Arrival::Partial).ok()
    }
}

fn parse_answer(types: &TypeTable, answer: &str, arrival: Arrival) -> Result<Parsed, ParseError> {
    if answer.trim_start().is_empty() {
        return Err(missing_answer(types, answer, 0, "the answer is empty"));
    }
    let start = match answer_start(answer) {
        Start::At(start) => start,
        // A closing delimiter inside of an object or a list is part of a string.
        Start::Perhaps(start) if !types.is_text() && is_inside(types, answer, start) => 0,
        Start::Perhaps(start) => start,
        Start::Never => {
            return Err(missing_answer(
                types,
                answer,
                0,
                "the reasoning is not closed",
            ));
        }
    };
    if answer[start..].trim_start().is_empty() {
        return Err(missing_answer(
            types,
            answer,
            start,
            "the answer is empty after the reasoning",
        ));
    }
    let context = ParseContext::new(&types.names, answer.len(), arrival);
    Selection::new(types, &context, answer, start).select_value()
}

fn json_string(types: &TypeTable, answer: &str) -> Option<String> {
    let start = match answer_start(answer) {
        Start::At(start) => start,
        Start::Perhaps(_) => 0,
        Start::Never => return None,
    };
    let body = match find_fences(answer, start).as_slice() {
        [fence] => &answer[fence.body.start..fence.body.end],
        _ => &answer[start..],
    };
    let string = types.is_text().then(|| body.trim())?;
    serde_json::from_str(string).ok()
}

/// Whether a position is inside a plausible answer.
fn is_inside(types: &TypeTable, answer: &str, at: usize) -> bool {
    let context = ParseContext::new(&types.names, answer.len(), Arrival::Whole);
    let found = find_candidates(answer, 0, &find_fences(answer, 0), &context);
    found.candidates.iter().any(|candidate| {
        let Span { start, end } = candidate.node.span;
        start < at && at < end && candidate.is_notation
    })
}

fn missing_answer(types: &TypeTable, answer: &str, from: usize, message: &str) -> ParseError {
    let span = Span::new(from, answer.len());
    ParseError::from_issue(
        answer,
        span,
        message.to_owned(),
        expected_label(types, types.root()),
    )
}
