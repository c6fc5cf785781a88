//! Values on their way into a function of Rust, and out of it.

use crate::ToValue;
use crate::expr::{EvalError, Result, Str, Value};
use prompt_core::Origin;

/// The result of a function for data of that slot.
///
/// ```
/// use prompt_jinja::private as expr;
///
/// assert_eq!(expr::function_result("name", "Ada".to_uppercase()).to_string(), "ADA");
/// ```
pub fn function_result<T: ToValue>(slot: &'static str, value: T) -> Value<'static> {
    value.to_value(Origin::Data(Some(slot))).to_static()
}

fn argument_error(wanted: &str, value: &Value<'_>) -> EvalError {
    eval_error!(
        "the function takes {wanted}, and this is {}",
        value.describe_kind()
    )
}

/// A value as a function takes a `&str`.
///
/// # Errors
/// A value that is not a string.
///
/// ```
/// use prompt_jinja::private::{template_str, to_text};
///
/// assert_eq!(&*to_text(&template_str("a"))?, "a");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn to_text<'a>(value: &Value<'a>) -> Result<Str<'a>> {
    match value.as_defined()? {
        Value::Text(text) => Ok(text.clone()),
        other => Err(argument_error("a text", other)),
    }
}

/// A value as a function takes an `i64`.
///
/// # Errors
/// A value that is not an integer, or exceeds `i64`.
///
/// ```
/// use prompt_jinja::private::to_int;
/// use typed_prompt::jinja::Value;
///
/// assert_eq!(to_int(&Value::Int(3))?, 3);
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn to_int(value: &Value<'_>) -> Result<i64> {
    match value.as_defined()? {
        Value::Int(number) => i64::try_from(*number)
            .map_err(|_| eval_error!("{number} is more than a function takes")),
        Value::Bool(value) => Ok(i64::from(*value)),
        other => Err(argument_error("a whole number", other)),
    }
}

/// A value as a function takes an `f64`.
///
/// # Errors
/// A value that is not a number.
///
/// ```
/// use prompt_jinja::private::to_float;
/// use typed_prompt::jinja::Value;
///
/// assert!(to_float(&Value::Float(0.5))? > 0.0);
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn to_float(value: &Value<'_>) -> Result<f64> {
    match value.as_defined()? {
        Value::Float(number) => Ok(*number),
        #[allow(clippy::cast_precision_loss)] // As Python's `float`.
        Value::Int(number) => Ok(*number as f64),
        other => Err(argument_error("a number", other)),
    }
}

/// A value as a function takes a `bool`.
///
/// # Errors
/// A value that is neither `True` nor `False`.
///
/// ```
/// use prompt_jinja::private::to_bool;
/// use typed_prompt::jinja::Value;
///
/// assert!(to_bool(&Value::Bool(true))?);
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn to_bool(value: &Value<'_>) -> Result<bool> {
    match value.as_defined()? {
        Value::Bool(value) => Ok(*value),
        other => Err(argument_error("`True` or `False`", other)),
    }
}
