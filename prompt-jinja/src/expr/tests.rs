//! Tests, after `is`: one function for each.

use crate::expr::chars::is_title;
use crate::expr::compare::{self};
use crate::expr::{Arguments, Result, Value};

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident: $pattern:pat,)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// A value that could not be made.
        pub fn $name<'a>(value: &Value<'a>, _: Arguments<'_, 'a>) -> Result<bool> {
            match value {
                Value::Failed(fault) => Err(fault.clone()),
                value => Ok(matches!(value, $pattern)),
            }
        }
    )*};
}

kinds! {
    /// `is none`.
    none: Value::None | Value::Absent,
    /// `is string`.
    string: Value::Text(_),
    /// `is number`: `True` counts as one, as in Python.
    number: Value::Bool(_) | Value::Int(_) | Value::Float(_),
    /// `is integer`: `True` is none.
    integer: Value::Int(_),
    /// `is float`.
    float: Value::Float(_),
    /// `is boolean`.
    boolean: Value::Bool(_),
    /// `is mapping`.
    mapping: Value::Dict(_),
    /// `is sequence`: what has a length and items, so also text and dicts.
    sequence: Value::Text(_) | Value::List(_) | Value::Tuple(_) | Value::Dict(_),
    /// `is true`.
    r#true: Value::Bool(true),
    /// `is false`.
    r#false: Value::Bool(false),
}

/// `is iterable`.
///
/// # Errors
/// A value that is not defined.
pub fn iterable<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<bool> {
    sequence(value.as_defined()?, args)
}

/// `is defined`.
///
/// # Errors
/// A value that could not be made.
pub fn defined<'a>(value: &Value<'a>, _: Arguments<'_, 'a>) -> Result<bool> {
    match value {
        Value::Undefined(_) | Value::Absent => Ok(false),
        value => value.as_defined().map(|_| true),
    }
}

/// `is undefined`.
///
/// # Errors
/// A value that could not be made.
pub fn undefined<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<bool> {
    defined(value, args).map(|defined| !defined)
}

/// `is odd`.
///
/// # Errors
/// A value that is not a number.
pub fn odd<'a>(value: &Value<'a>, _: Arguments<'_, 'a>) -> Result<bool> {
    rest(value, &Value::Int(2), &Value::Int(1))
}

/// `is even`.
///
/// # Errors
/// A value that is not a number.
pub fn even<'a>(value: &Value<'a>, _: Arguments<'_, 'a>) -> Result<bool> {
    rest(value, &Value::Int(2), &Value::Int(0))
}

/// `is divisibleby(3)`.
///
/// # Errors
/// A value that is not a number, and a divisor of zero.
pub fn divisibleby<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<bool> {
    rest(value, given("divisibleby", args)?, &Value::Int(0))
}

fn rest(value: &Value<'_>, divisor: &Value<'_>, expected: &Value<'_>) -> Result<bool> {
    Ok(crate::expr::rem(value, divisor)?.equals(expected))
}

fn given<'s, 'a>(name: &str, args: Arguments<'s, 'a>) -> Result<&'s Value<'a>> {
    match args.first() {
        Some(Some(value)) => Ok(value),
        _ => Err(eval_error!("the test `{name}` takes one argument")),
    }
}

macro_rules! comparisons {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// A value that is not defined, and for an order what Python does not order.
        pub fn $name<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<bool> {
            compare::$name(value, given(stringify!($name), args)?)
        }
    )*};
}

comparisons! {
    /// `is eq(1)`, also written `==` and `equalto`.
    eq;
    /// `is ne(1)`, also written `!=`.
    ne;
    /// `is lt(1)`, also written `<` and `lessthan`.
    lt;
    /// `is le(1)`, also written `<=`.
    le;
    /// `is gt(1)`, also written `>` and `greaterthan`.
    gt;
    /// `is ge(1)`, also written `>=`.
    ge;
}

/// `is in([1, 2])`.
///
/// # Errors
/// Whether the argument contains the value.
pub fn r#in<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<bool> {
    compare::contains(value, given("in", args)?)
}

/// `is sameas(none)`: the same kind and equal. Whether two equal lists are one object cannot be known here: they are.
///
/// # Errors
/// A value that is not defined.
pub fn sameas<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<bool> {
    let other = given("sameas", args)?;
    let alike = value.as_defined()?.describe_kind() == other.as_defined()?.describe_kind();
    Ok(alike && value.equals(other))
}

/// `is lower`: letters, and none of them a capital.
///
/// # Errors
/// A value that is not defined.
pub fn lower<'a>(value: &Value<'a>, _: Arguments<'_, 'a>) -> Result<bool> {
    let text = value.to_str()?;
    Ok(text.chars().any(char::is_lowercase) && !text.chars().any(is_capital))
}

/// `is upper`: letters, and all of them capitals.
///
/// # Errors
/// A value that is not defined.
pub fn upper<'a>(value: &Value<'a>, _: Arguments<'_, 'a>) -> Result<bool> {
    let text = value.to_str()?;
    Ok(text.chars().any(char::is_uppercase)
        && !text
            .chars()
            .any(|char| char.is_lowercase() || is_title(char)))
}

fn is_capital(char: char) -> bool {
    char.is_uppercase() || is_title(char)
}
