//! Arithmetic as in Python.

use crate::builtin::Host;
use crate::builtin::arith::{Arith, sign_value};
use crate::expr::host::Typed;
use crate::expr::{Result, Value};

impl Value<'_> {
    /// As an integer: a boolean is 0 or 1.
    pub(crate) fn as_whole(&self) -> Option<i128> {
        match self {
            Value::Bool(value) => Some(i128::from(*value)),
            Value::Int(value) => Some(*value),
            _ => None,
        }
    }
}

/// `a + b`: of numbers, strings, lists or tuples.
///
/// # Errors
/// Values that cannot be added, and a sum beyond 128 bits.
///
/// ```
/// use prompt_jinja::private::{add, template_str};
/// use typed_prompt::jinja::Value;
///
/// assert_eq!(add(&Value::Int(1), &Value::Float(0.5))?.to_string(), "1.5");
/// assert!(add(&template_str("a"), &Value::Int(1)).is_err());
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn add<'a>(left: &Value<'a>, right: &Value<'a>) -> Result<Value<'a>> {
    Typed::new().compute(Arith::Add, left, right)
}

/// `a - b`.
///
/// # Errors
/// Values that are not numbers, and a result beyond 128 bits.
///
/// ```
/// use prompt_jinja::private::sub;
/// use typed_prompt::jinja::Value;
///
/// assert_eq!(sub(&Value::Int(1), &Value::Bool(true))?.to_string(), "0");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn sub<'a>(left: &Value<'a>, right: &Value<'a>) -> Result<Value<'a>> {
    Typed::new().compute(Arith::Sub, left, right)
}

/// `a * b`: of numbers, or a string or list so many times.
///
/// # Errors
/// Values that cannot be multiplied, and a result that is too large.
///
/// ```
/// use prompt_jinja::private::{mul, template_str};
/// use typed_prompt::jinja::Value;
///
/// assert_eq!(mul(&template_str("ab"), &Value::Int(2))?.to_string(), "abab");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn mul<'a>(left: &Value<'a>, right: &Value<'a>) -> Result<Value<'a>> {
    Typed::new().compute(Arith::Mul, left, right)
}

/// `a / b`: always a number with a fraction.
///
/// # Errors
/// Values that are not numbers, and a divisor of zero.
///
/// ```
/// use prompt_jinja::private::div;
/// use typed_prompt::jinja::Value;
///
/// assert_eq!(div(&Value::Int(4), &Value::Int(2))?.to_string(), "2.0");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn div<'a>(left: &Value<'a>, right: &Value<'a>) -> Result<Value<'a>> {
    Typed::new().compute(Arith::Div, left, right)
}

/// `a // b`: rounded down.
///
/// # Errors
/// Values that are not numbers, and a divisor of zero.
///
/// ```
/// use prompt_jinja::private::floor_div;
/// use typed_prompt::jinja::Value;
///
/// assert_eq!(floor_div(&Value::Int(-7), &Value::Int(2))?.to_string(), "-4");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn floor_div<'a>(left: &Value<'a>, right: &Value<'a>) -> Result<Value<'a>> {
    Typed::new().compute(Arith::FloorDiv, left, right)
}

/// `a % b`: the rest of `//`, with the sign of `b`. A string on the left is filled as by `format`.
///
/// # Errors
/// Values that are not numbers, and a divisor of zero.
///
/// ```
/// use prompt_jinja::private::rem;
/// use typed_prompt::jinja::Value;
///
/// assert_eq!(rem(&Value::Int(-7), &Value::Int(3))?.to_string(), "2");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn rem<'a>(left: &Value<'a>, right: &Value<'a>) -> Result<Value<'a>> {
    Typed::new().compute(Arith::Rem, left, right)
}

/// `a ** b`.
///
/// # Errors
/// Values that are not numbers, a result that is too large, and a root of a negative number.
///
/// ```
/// use prompt_jinja::private::pow;
/// use typed_prompt::jinja::Value;
///
/// assert_eq!(pow(&Value::Int(2), &Value::Int(10))?.to_string(), "1024");
/// assert_eq!(pow(&Value::Int(2), &Value::Int(-1))?.to_string(), "0.5");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn pow<'a>(left: &Value<'a>, right: &Value<'a>) -> Result<Value<'a>> {
    Typed::new().compute(Arith::Pow, left, right)
}

/// `-a`.
///
/// # Errors
/// A value that is not a number.
///
/// ```
/// use prompt_jinja::private::neg;
/// use typed_prompt::jinja::Value;
///
/// assert_eq!(neg(&Value::Bool(true))?.to_string(), "-1");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn neg<'a>(value: &Value<'a>) -> Result<Value<'a>> {
    sign_value::<Typed<'a>>('-', value)
}

/// `+a`.
///
/// # Errors
/// A value that is not a number.
///
/// ```
/// use prompt_jinja::private::pos;
/// use typed_prompt::jinja::Value;
///
/// assert_eq!(pos(&Value::Bool(true))?.to_string(), "1");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn pos<'a>(value: &Value<'a>) -> Result<Value<'a>> {
    sign_value::<Typed<'a>>('+', value)
}
