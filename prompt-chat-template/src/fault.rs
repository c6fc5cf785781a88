//! Errors of the engine in this crate's terms, drawn over the template.

use std::ops::Range;

use minijinja::ErrorKind as Kind;

use crate::context::Exceeded;
use crate::engine::Raised;
use crate::instrument::{InstrumentedTemplate, MAX_NESTING};
use prompt_base::Span;
use prompt_base::snippet;
use prompt_core::{Error, ErrorKind};

/// An error of the engine, drawn over the template. `instrumented`: the rewritten template, if that is what ran.
pub(crate) fn from_engine(
    error: minijinja::Error,
    source: &str,
    instrumented: Option<&InstrumentedTemplate>,
    fuel: u64,
) -> Error {
    let (kind, message, label, help) = match (find_cause(&error), find_cause(&error), error.kind())
    {
        (Some(Raised(words)), _, _) => (
            ErrorKind::Unsupported,
            format!("the chat template refuses the conversation: {words}"),
            "refused here".to_owned(),
            None,
        ),
        (_, Some(exceeded), _) => {
            let help = match exceeded {
                Exceeded::Memory(_) => Some("allow more with `max_memory`"),
                Exceeded::Output(_) => Some("allow more with `max_output`"),
                Exceeded::Depth => None,
            };
            template_fault(exceeded.to_string(), STOPPED, help)
        }
        (.., Kind::OutOfFuel) => template_fault(
            format!("the chat template takes too many steps, more than {fuel}"),
            STOPPED,
            Some("allow more with `max_steps`"),
        ),
        (.., Kind::TemplateNotFound | Kind::BadInclude) => template_fault(
            "the chat template asks for another file, and has none".to_owned(),
            "no other file is read",
            None,
        ),
        (.., kind) => {
            let detail = error.detail().unwrap_or_default();
            let separator = if detail.is_empty() { "" } else { ": " };
            let said = format!("{kind}{separator}{detail}");
            template_fault(format!("the chat template fails with {said}"), &said, None)
        }
    };
    let in_source = |range| match instrumented {
        Some(instrumented) => instrumented.in_source(range),
        None => range,
    };
    let range = innermost_range(&error).map(in_source);
    let range = range.or_else(|| line_range(source, error.line()?));
    let fault = Error::new(kind, message).with_source(error);
    let fault = match help {
        Some(help) => fault.with_help(help),
        None => fault,
    };
    match range {
        Some(range) => fault.with_snippet(draw_snippet(source, range, &label)),
        None => fault,
    }
}

/// Whether a rendering exceeded a limit.
pub(crate) fn is_limit(error: &Error) -> bool {
    let is_out_of_fuel = |error: &minijinja::Error| error.kind() == Kind::OutOfFuel;
    find_cause::<Exceeded>(error).is_some() || find_cause(error).is_some_and(is_out_of_fuel)
}

/// The label of the expression at which a limit is exceeded.
const STOPPED: &str = "stopped here";

/// A template that nests too deep to be parsed.
pub(crate) fn nesting_error(source: &str, range: Range<usize>) -> Error {
    let error = unsupported_template(
        &format!("an expression nests more than {MAX_NESTING} levels deep"),
        source,
        range,
    );
    error.with_help("assign parts of the expression to variables with `{% set … %}`")
}

/// A template that is not run.
pub(crate) fn unsupported_template(message: &str, source: &str, range: Range<usize>) -> Error {
    let error = Error::new(
        ErrorKind::Template,
        format!("the chat template is not supported: {message}"),
    );
    error.with_snippet(draw_snippet(source, range, message))
}

fn draw_snippet(source: &str, range: Range<usize>, label: &str) -> String {
    let source = snippet::Source {
        name: None,
        text: source,
        line: 1,
        column: 0,
    };
    let span = Span {
        start: range.start,
        end: range.end,
    };
    snippet::draw(&source, span, label, &[])
}

/// An error of this crate among the causes.
fn find_cause<'a, E: std::error::Error + 'static>(
    error: &'a (dyn std::error::Error + 'static),
) -> Option<&'a E> {
    error.downcast_ref().or_else(|| find_cause(error.source()?))
}

fn template_fault(
    message: String,
    label: &str,
    help: Option<&'static str>,
) -> (ErrorKind, String, String, Option<&'static str>) {
    (ErrorKind::Template, message, label.to_owned(), help)
}

fn innermost_range(error: &minijinja::Error) -> Option<Range<usize>> {
    let inner =
        std::error::Error::source(error).and_then(|inner| inner.downcast_ref::<minijinja::Error>());
    inner.and_then(innermost_range).or_else(|| error.range())
}

fn line_range(source: &str, line: usize) -> Option<Range<usize>> {
    let at: usize = source
        .split_inclusive('\n')
        .take(line.checked_sub(1)?)
        .map(str::len)
        .sum();
    let text = source.get(at..)?.lines().next()?;
    let indent = text.len() - text.trim_start().len();
    Some(at + indent..at + text.trim_end().len().max(indent))
}
