//! Why an answer could not be read.

use crate::fit::{Flaw, pointer};
use crate::position::line_column;
use prompt_syntax::order::sort_by;
use prompt_syntax::{Span, snippet};
use std::fmt;
use std::ops::Range;

/// An answer that is not what was asked for: what is wrong with it, and where.
///
/// `{}` prints the first problem in one line; `{:#}` draws all of them in the answer.
///
/// ```
/// use prompt_output::Schema;
/// use serde_json::json;
///
/// let schema = Schema::new(&json!({
///     "type": "object",
///     "properties": {"age": {"type": "integer", "minimum": 0, "maximum": 150}},
///     "required": ["age"],
/// }))?;
/// let refusal = schema.parse("{\"age\": 2.5}").unwrap_err();
/// assert_eq!(refusal.to_string(), "line 1, column 9: `2.5` is not a whole number (at /age)");
///
/// let problem = &refusal.problems()[0];
/// assert_eq!(problem.label, "expected a whole number from 0 to 150");
/// assert_eq!((problem.line, problem.column), (1, 9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    answer: String,
    problems: Vec<Problem>,
}

/// One thing that is wrong with an answer; see [`Refusal`].
///
/// ```
/// use prompt_output::Schema;
/// use serde_json::json;
///
/// let schema = Schema::new(&json!({"enum": ["yes", "no"]}))?;
/// let refusal = schema.parse("yes or no").unwrap_err();
/// let problem = &refusal.problems()[0];
/// assert_eq!(problem.message, "this names both `yes` and `no`");
/// assert_eq!(problem.help.as_deref(), Some("write one of them only"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Problem {
    /// What the model wrote that does not fit: lower case, no full stop.
    pub message: String,
    /// What was expected there.
    pub label: String,
    /// What to write instead, where that can be said; starts with a verb.
    pub help: Option<String>,
    /// Where in the value it is, as a JSON pointer; empty for the whole.
    pub path: String,
    /// The bytes of the answer it concerns.
    pub range: Range<usize>,
    /// The line of its start, counted from 1.
    pub line: usize,
    /// The column of its start in characters, counted from 1.
    pub column: usize,
}

impl Problem {
    pub(crate) fn of(answer: &str, flaw: Flaw) -> Problem {
        let mut problem = Problem::new(answer, flaw.span, flaw.message, flaw.label);
        problem.help = flaw.help;
        problem.path = pointer(&flaw.path);
        problem
    }

    fn new(answer: &str, span: Span, message: String, label: String) -> Problem {
        let (line, column) = line_column(answer, span.start);
        let range = span.start..span.end;
        Problem {
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

impl Refusal {
    /// A refusal for one reason.
    pub(crate) fn at(answer: &str, span: Span, message: String, label: String) -> Refusal {
        Refusal::new(answer, vec![Problem::new(answer, span, message, label)])
    }

    /// A refusal for several reasons, which come in the order of the text.
    pub(crate) fn new(answer: &str, mut problems: Vec<Problem>) -> Refusal {
        sort_by(&mut problems, |one, other| {
            one.range.start.cmp(&other.range.start)
        });
        Refusal {
            answer: answer.to_owned(),
            problems,
        }
    }

    /// The answer as the model wrote it.
    ///
    /// ```
    /// use prompt_output::Schema;
    /// use serde_json::json;
    ///
    /// let refusal = Schema::new(&json!({"type": "boolean"}))?.parse("Perhaps.").unwrap_err();
    /// assert_eq!(refusal.answer(), "Perhaps.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn answer(&self) -> &str {
        &self.answer
    }

    /// All that is wrong with it, at least one thing, in the order of the text.
    ///
    /// ```
    /// use prompt_output::Schema;
    /// use serde_json::json;
    ///
    /// let schema = Schema::new(&json!({"type": "array", "items": {"type": "integer"}}))?;
    /// let refusal = schema.parse("[1, \"x\", 2.5]").unwrap_err();
    /// let paths: Vec<&str> = refusal.problems().iter().map(|problem| problem.path.as_str()).collect();
    /// assert_eq!(paths, ["/1", "/2"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

impl fmt::Display for Problem {
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

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            for (index, problem) in self.problems.iter().enumerate() {
                if index > 0 {
                    f.write_str("\n\n")?;
                }
                self.draw(problem, f)?;
            }
            return Ok(());
        }
        let Some(first) = self.problems.first() else {
            return Ok(());
        };
        write!(f, "{first}")?;
        match self.problems.len() - 1 {
            0 => Ok(()),
            1 => f.write_str("; and 1 more problem"),
            more => write!(f, "; and {more} more problems"),
        }
    }
}

impl Refusal {
    /// One problem over the line of the answer it concerns. Only the lines around it are given to
    /// the drawing, since an answer may be long.
    fn draw(&self, problem: &Problem, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&problem.message)?;
        if !problem.path.is_empty() {
            write!(f, " (at {})", problem.path)?;
        }
        let start = self.answer[..problem.range.start]
            .rfind('\n')
            .map_or(0, |at| at + 1);
        let tail = &self.answer[problem.range.end..];
        let end = problem.range.end + tail.find('\n').unwrap_or(tail.len());
        let text = &self.answer[start..end];
        let source = snippet::Source {
            name: None,
            text,
            line: problem.line,
            column: 0,
        };
        let range = problem.range.start - start..problem.range.end - start;
        let span = Span::new(range.start, range.end);
        write!(f, "\n{}", snippet::draw(&source, span, &problem.label, &[]))?;
        match &problem.help {
            Some(help) => write!(f, "\n  = help: {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Refusal {}
