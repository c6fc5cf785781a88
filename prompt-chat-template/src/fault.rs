//! What the engine says is wrong, in this crate's words, drawn over the template.

use std::error::Error as _;

use minijinja::ErrorKind as Kind;

use crate::engine::Raised;
use prompt_core::{Error, ErrorKind};
use prompt_syntax::{Span, snippet};

/// An error of the engine.
pub(crate) fn of(error: minijinja::Error, source: &str) -> Error {
    let raised = raised(&error);
    let (kind, message, label) = match (raised, error.kind()) {
        (Some(Raised(words)), _) => (
            ErrorKind::Unsupported,
            format!("the chat template refuses the conversation: {words}"),
            "refused here".to_owned(),
        ),
        (None, Kind::OutOfFuel) => {
            template("the chat template takes too many steps", "given up here")
        }
        (None, Kind::WriteFailure) => {
            template("the chat template writes too long a text", "given up here")
        }
        (None, Kind::TemplateNotFound | Kind::BadInclude) => template(
            "the chat template asks for another file, and has none",
            "no other file is read",
        ),
        (None, kind) => {
            let detail = error.detail().unwrap_or_default();
            let separator = if detail.is_empty() { "" } else { ": " };
            let said = format!("{kind}{separator}{detail}");
            (
                ErrorKind::Template,
                format!("the chat template fails with {said}"),
                said,
            )
        }
    };
    let place = innermost(&error).or_else(|| line(source, error.line()?));
    let fault = Error::new(kind, message).with_source(error);
    match place {
        Some(place) => {
            let source = snippet::Source {
                name: None,
                text: source,
                line: 1,
                column: 0,
            };
            let span = Span {
                start: place.start,
                end: place.end,
            };
            fault.with_snippet(snippet::draw(&source, span, &label, &[]))
        }
        None => fault,
    }
}

/// What the template itself says, somewhere among the causes.
fn raised<'a>(error: &'a (dyn std::error::Error + 'static)) -> Option<&'a Raised> {
    error.downcast_ref().or_else(|| raised(error.source()?))
}

fn template(message: &str, label: &str) -> (ErrorKind, String, String) {
    (ErrorKind::Template, message.to_owned(), label.to_owned())
}

fn innermost(error: &minijinja::Error) -> Option<std::ops::Range<usize>> {
    let inner = error
        .source()
        .and_then(|inner| inner.downcast_ref::<minijinja::Error>());
    inner.and_then(innermost).or_else(|| error.range())
}

fn line(source: &str, line: usize) -> Option<std::ops::Range<usize>> {
    let at: usize = source
        .split_inclusive('\n')
        .take(line.checked_sub(1)?)
        .map(str::len)
        .sum();
    let text = source.get(at..)?.lines().next()?;
    let indent = text.len() - text.trim_start().len();
    Some(at + indent..at + text.trim_end().len().max(indent))
}
