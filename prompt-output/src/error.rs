//! Errors for answers that do not fit their schema.

use crate::fit::RawIssue;
use crate::path::json_pointer;
use crate::position::line_column;
use crate::repair::Repair;

use prompt_base::Span;
use prompt_base::snippet;
use std::fmt;
use std::ops::Range;

/// An answer that does not fit its schema: what is wrong, and where.
///
/// `{}` prints the first issue in one line; `{:#}` draws all issues in the answer.
///
/// ```
/// use typed_prompt::output::Schema;
/// use serde_json::json;
///
/// let schema = Schema::new(&json!({
///     "type": "object",
///     "properties": {"age": {"type": "integer", "minimum": 0, "maximum": 150}},
///     "required": ["age"],
/// }))?;
/// let error = schema.parse("{\"age\": 2.5}").unwrap_err();
/// assert_eq!(error.to_string(), "line 1, column 9: `2.5` is not a whole number (at /age)");
///
/// let issue = &error.issues()[0];
/// assert_eq!(issue.label, "expected a whole number from 0 to 150");
/// assert_eq!((issue.line, issue.column), (1, 9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    answer: String,
    issues: Vec<Issue>,
}

/// One mismatch between an answer and its schema; see [`ParseError`].
///
/// ```
/// use typed_prompt::output::Schema;
/// use serde_json::json;
///
/// let schema = Schema::new(&json!({"type": "object", "properties": {"a": {"type": "integer"}}}))?;
/// let error = schema.parse("{\"a\": 1, \"a\": 2,}").unwrap_err();
/// let issue = &error.issues()[0];
/// assert_eq!(issue.message, "`a` is given twice, with different values");
/// assert_eq!(issue.help.as_deref(), Some("give it once"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Issue {
    /// The message: lowercase, without a final full stop.
    pub message: String,
    /// The expected value.
    pub label: String,
    /// The correction, if it is known; starts with a verb.
    pub help: Option<String>,
    /// The position in the value, as a JSON pointer; empty for the whole value.
    pub path: String,
    /// The bytes of the answer that it concerns.
    pub range: Range<usize>,
    /// The line of its start, counted from 1.
    pub line: usize,
    /// The column of its start in characters, counted from 1.
    pub column: usize,
}

impl Issue {
    pub(crate) fn from_raw(answer: &str, raw: RawIssue) -> Issue {
        Issue {
            help: raw.help,
            path: json_pointer(&raw.path),
            ..Issue::new(answer, raw.span, raw.message, raw.label)
        }
    }

    /// The issue of a repair, where none is accepted.
    pub(crate) fn from_repair(answer: &str, repair: &Repair) -> Issue {
        let span = Span::new(repair.range.start, repair.range.end);
        let message = format!("the answer needs a repair: {}", repair.kind.description());
        let label = "expected JSON that fits as it is".to_owned();
        Issue {
            path: repair.path.clone(),
            ..Issue::new(answer, span, message, label)
        }
    }

    fn new(answer: &str, span: Span, message: String, label: String) -> Issue {
        let (line, column) = line_column(answer, span.start);
        let range = span.start..span.end;
        Issue {
            message,
            label,
            help: None,
            path: String::new(),
            range,
            line,
            column,
        }
    }
}

impl ParseError {
    /// An error with one issue.
    pub(crate) fn from_issue(
        answer: &str,
        span: Span,
        message: String,
        label: String,
    ) -> ParseError {
        ParseError::new(answer, vec![Issue::new(answer, span, message, label)])
    }

    /// An error with several issues, sorted by position.
    pub(crate) fn new(answer: &str, mut issues: Vec<Issue>) -> ParseError {
        issues.sort_by_key(|issue| issue.range.start);
        ParseError {
            answer: answer.to_owned(),
            issues,
        }
    }

    /// Adds the correction to the first issue.
    pub(crate) fn with_help(mut self, help: String) -> ParseError {
        if let Some(first) = self.issues.first_mut() {
            first.help = Some(help);
        }
        self
    }

    /// The answer as the model wrote it.
    ///
    /// ```
    /// use typed_prompt::output::Schema;
    /// use serde_json::json;
    ///
    /// let error = Schema::new(&json!({"type": "boolean"}))?.parse("Perhaps.").unwrap_err();
    /// assert_eq!(error.answer(), "Perhaps.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn answer(&self) -> &str {
        &self.answer
    }

    /// All issues, at least one, in the order of the text.
    ///
    /// ```
    /// use typed_prompt::output::Schema;
    /// use serde_json::json;
    ///
    /// let schema = Schema::new(&json!({"type": "array", "items": {"type": "integer"}}))?;
    /// let error = schema.parse("[1, \"x\", 2.5]").unwrap_err();
    /// let paths: Vec<&str> = error.issues().iter().map(|issue| issue.path.as_str()).collect();
    /// assert_eq!(paths, ["/1", "/2"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn issues(&self) -> &[Issue] {
        &self.issues
    }
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}, column {}: {}",
            self.line, self.column, self.message
        )?;
        if !self.path.is_empty() {
            write!(f, " (at {})", self.path)?;
        }
        Ok(())
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            for (index, issue) in self.issues.iter().enumerate() {
                if index > 0 {
                    f.write_str("\n\n")?;
                }
                self.draw_issue(issue, f)?;
            }
            return Ok(());
        }
        let Some(first) = self.issues.first() else {
            return Ok(());
        };
        write!(f, "{first}")?;
        match self.issues.len() - 1 {
            0 => Ok(()),
            1 => f.write_str("; and 1 more problem"),
            more => write!(f, "; and {more} more problems"),
        }
    }
}

impl ParseError {
    /// Draws one issue in its line of the answer. Only the lines around it are passed on, since an answer may be long.
    fn draw_issue(&self, issue: &Issue, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&issue.message)?;
        if !issue.path.is_empty() {
            write!(f, " (at {})", issue.path)?;
        }
        let start = self.answer[..issue.range.start]
            .rfind('\n')
            .map_or(0, |at| at + 1);
        let tail = &self.answer[issue.range.end..];
        let end = issue.range.end + tail.find('\n').unwrap_or(tail.len());
        let text = &self.answer[start..end];
        let source = snippet::Source {
            name: None,
            text,
            line: issue.line,
            column: 0,
        };
        let range = issue.range.start - start..issue.range.end - start;
        let span = Span::new(range.start, range.end);
        write!(f, "\n{}", snippet::draw(&source, span, &issue.label, &[]))?;
        match &issue.help {
            Some(help) => write!(f, "\n  = help: {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ParseError {}
