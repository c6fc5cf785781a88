//! Errors of templates in this crate's terms, drawn over the template.

use std::fmt;
use std::ops::Range;

use prompt_base::Span;
use prompt_base::snippet;
use prompt_core::{Error, ErrorKind};
use prompt_jinja::untyped::{Fault, FaultKind, MAX_NESTING};

use crate::node::NamedMessage;

/// The cause of an error of a template.
#[derive(Debug)]
struct Cause {
    is_limit: bool,
    message: String,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Cause {}

/// The label of the expression at which a limit is exceeded.
const STOPPED: &str = "stopped here";

/// An error of the engine, drawn over the template, with the message that the template worked on.
pub(crate) fn to_error(fault: &Fault, source: &str, message: Option<NamedMessage<'_>>) -> Error {
    let error = draw_error(fault, source, message);
    match message {
        Some(message) => message.add_to(error),
        None => error,
    }
}

fn draw_error(fault: &Fault, source: &str, concerned: Option<NamedMessage<'_>>) -> Error {
    let said = &fault.message;
    let (message, label, help) = match fault.kind {
        FaultKind::Raised => (
            format!("the chat template refuses the conversation: {said}"),
            "refused here",
            None,
        ),
        FaultKind::Steps => (
            format!("the chat template {said}"),
            STOPPED,
            Some("allow more with `max_steps`"),
        ),
        FaultKind::Memory => (
            format!("the chat template {said}"),
            STOPPED,
            Some("allow more with `max_memory`"),
        ),
        FaultKind::Output => (
            format!("the chat template {said}"),
            STOPPED,
            Some("allow more with `max_output`"),
        ),
        FaultKind::Depth => (format!("the chat template {said}"), STOPPED, None),
        FaultKind::File => (
            format!("the chat template {said}"),
            "no other file is read",
            None,
        ),
        FaultKind::Nesting => (
            format!(
                "the chat template is not supported: it nests more than {MAX_NESTING} levels deep"
            ),
            "nested too deep",
            Some("assign parts of the expression to variables with `{% set … %}`"),
        ),
        FaultKind::Unsupported => (
            format!("the chat template is not supported: {said}"),
            &**said,
            None,
        ),
        FaultKind::Syntax => (
            format!("the chat template has a syntax error: {said}"),
            &**said,
            None,
        ),
        FaultKind::Steered => (
            format!("the chat template {said}"),
            "searched here",
            Some("use `Guard::Neutralise`, with which the word has no effect in data"),
        ),
        FaultKind::Ordered => (
            format!("the chat template {said}"),
            "compared here",
            Some("compare with `==`, or use `Guard::Allow` if all data is trusted"),
        ),
        FaultKind::Runtime => (
            format!("the chat template fails with {said}"),
            &**said,
            None,
        ),
    };
    let kind = match fault.kind {
        FaultKind::Raised => ErrorKind::Unsupported,
        FaultKind::Steered | FaultKind::Ordered => ErrorKind::ControlToken,
        _ => ErrorKind::Template,
    };
    let is_limit = matches!(
        fault.kind,
        FaultKind::Steps | FaultKind::Memory | FaultKind::Output | FaultKind::Depth
    );
    let error = Error::new(kind, message).with_source(Cause {
        is_limit,
        message: said.clone(),
    });
    let error = match help {
        Some(help) => error.with_help(help),
        None => error,
    };
    let label = match concerned {
        Some(concerned) => format!("{label}, for {concerned}"),
        None => label.to_owned(),
    };
    match &fault.span {
        Some(span) => error.with_snippet(draw_snippet(source, span.clone(), &label)),
        None => error,
    }
}

/// Whether a rendering exceeded a limit.
pub(crate) fn is_limit(error: &Error) -> bool {
    let source = std::error::Error::source(error);
    source.is_some_and(|source| {
        source
            .downcast_ref::<Cause>()
            .is_some_and(|cause| cause.is_limit)
    })
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
