//! Values and errors for the interpreter of run-time templates, which is a crate of its own.

use std::borrow::Cow;
use std::rc::Rc;

use prompt_base::snippet;
use prompt_core::{Error, Text};

use super::{Dict, EvalError, Origin, Result, Str, Value};

/// The kind of a value in a message: `a list`.
pub fn describe_kind(value: &Value<'_>) -> &'static str {
    value.describe_kind()
}

/// The whole number that a value is, or is equal to.
pub fn whole_number(value: &Value<'_>) -> Option<i128> {
    value.as_whole()
}

/// The value, unless it is undefined or could not be computed.
///
/// # Errors
/// It has no value.
pub fn expect_defined<'s, 'a>(value: &'s Value<'a>) -> Result<&'s Value<'a>> {
    value.as_defined()
}

/// The value, unless it could not be computed.
///
/// # Errors
/// It could not be computed.
pub fn expect_computed(value: Value<'_>) -> Result<Value<'_>> {
    value.require_computed()
}

/// An undefined value; its uses are errors with this message.
pub fn undefined_value<'a>(message: impl Into<Rc<str>>) -> Value<'a> {
    Value::undefined(message)
}

/// The value of a key that is a string.
pub fn entry_named<'s, 'a>(dict: &'s Dict<'a>, key: &str) -> Option<&'s Value<'a>> {
    dict.get_str(key)
}

/// The value as it is printed.
///
/// # Errors
/// It has no text.
pub fn printed_text<'a>(value: &Value<'a>) -> Result<Str<'a>> {
    value.to_str()
}

/// The string with the origin of each part.
pub fn text_with_origins(text: &Str<'_>) -> Text {
    text.to_text()
}

/// The origin of a whole string: data if any part of it is data.
pub fn origin_of(text: &Str<'_>) -> Origin {
    text.source()
}

/// The same value, with its data marked as that of a slot where it is of none yet.
pub fn tag_slot<'a>(value: Value<'a>, slot: &'static str) -> Value<'a> {
    value.tag_slot(slot)
}

/// The same error with this label beside its position.
pub fn label_error(error: EvalError, label: impl Into<Cow<'static, str>>) -> EvalError {
    error.with_label(label)
}

/// The error with its position drawn in the template.
pub fn draw_error(error: EvalError, template: &snippet::Source<'_>) -> Error {
    error.into_error(template)
}
