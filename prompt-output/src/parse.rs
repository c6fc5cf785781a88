//! The entry point: the methods of a schema that read answers.

use crate::answer::{TextAnswer, parse_answer};
use crate::error::{Issue, ParseError};
use crate::parsed::{Ending, Parsed};
use crate::parser::Arrival;
use crate::repair::RepairKind;
use crate::schema::Schema;
use prompt_base::Span;

impl Schema {
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
