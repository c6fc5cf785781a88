//! The error of an expression, with the position in the template.

use std::borrow::Cow;
use std::fmt;

use prompt_base::Span;
use prompt_base::snippet;
use prompt_core::{Error, ErrorKind};

/// An error of an expression that depends on its values, such as a division by zero.
///
/// ```
/// use typed_prompt::jinja::EvalError;
///
/// let error = EvalError::new("division by zero").with_help("check the divisor with `{% if %}`");
/// assert_eq!(error.to_string(), "division by zero");
/// ```
#[derive(Clone)]
pub struct EvalError(Box<EvalErrorDetails>);

#[derive(Clone)]
struct EvalErrorDetails {
    message: String,
    help: Option<String>,
    label: Cow<'static, str>,
    span: Option<Span>,
}

/// The result of an expression.
pub type Result<T, E = EvalError> = std::result::Result<T, E>;

/// The template of an expression, to draw the position of an error.
pub type TemplateText = snippet::Source<'static>;

impl EvalError {
    /// Returns an error with a message: lowercase, without a full stop.
    pub fn new(message: impl Into<String>) -> EvalError {
        EvalError(Box::new(EvalErrorDetails {
            message: message.into(),
            help: None,
            label: "the error occurs here".into(),
            span: None,
        }))
    }

    /// Adds what to do about it; starts with a verb.
    pub fn with_help(mut self, help: impl Into<String>) -> EvalError {
        self.0.help = Some(help.into());
        self
    }

    /// The few words beside the position.
    pub(crate) fn with_label(mut self, label: impl Into<Cow<'static, str>>) -> EvalError {
        self.0.label = label.into();
        self
    }

    /// Sets the bytes of the template that the error is about, unless a part of the expression has set them.
    ///
    /// ```
    /// use typed_prompt::jinja::EvalError;
    ///
    /// let error = EvalError::new("division by zero").at(3, 8);
    /// assert_eq!(error.at(0, 11).to_string(), "division by zero");
    /// ```
    #[must_use]
    pub fn at(mut self, start: usize, end: usize) -> EvalError {
        self.0.span.get_or_insert(Span { start, end });
        self
    }

    /// Returns the error with its position drawn in the template.
    pub(crate) fn into_error(self, template: &snippet::Source<'_>) -> Error {
        let EvalErrorDetails {
            message,
            help,
            label,
            span,
        } = *self.0;
        let mut error = Error::new(ErrorKind::Value, message);
        if let Some(help) = help {
            error = error.with_help(help);
        }
        match span {
            Some(span) => error.with_snippet(snippet::draw(template, span, &label, &[])),
            None => error,
        }
    }
}

impl From<Error> for EvalError {
    fn from(error: Error) -> EvalError {
        let fault = EvalError::new(error.message());
        match error.help() {
            Some(help) => fault.with_help(help),
            None => fault,
        }
    }
}

/// Without a position.
impl From<EvalError> for Error {
    fn from(fault: EvalError) -> Error {
        let error = Error::new(ErrorKind::Value, fault.0.message);
        match fault.0.help {
            Some(help) => error.with_help(help),
            None => error,
        }
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EvalError")
            .field("message", &self.0.message)
            .field("help", &self.0.help)
            .field("span", &self.0.span)
            .finish()
    }
}

impl std::error::Error for EvalError {}
