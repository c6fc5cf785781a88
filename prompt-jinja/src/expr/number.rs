//! Arithmetic as in Python.

use std::rc::Rc;

use crate::builtin::Host;
use crate::builtin::arith::{Arith, ArithError, float_result, whole_result};
use crate::builtin::number::{Number, overflow_error};
use crate::builtin::percent::format_percent;
use crate::expr::host::Typed;
use crate::expr::print::concat_texts;
use crate::expr::{EvalError, Result, Value};

impl Value<'_> {
    /// As a number: a boolean is 0 or 1.
    pub(crate) fn as_number(&self) -> Option<Value<'static>> {
        match self {
            Value::Bool(value) => Some(Value::Int(i128::from(*value))),
            Value::Int(value) => Some(Value::Int(*value)),
            Value::Float(value) => Some(Value::Float(*value)),
            _ => None,
        }
    }

    /// As an integer: a boolean is 0 or 1.
    pub(crate) fn as_whole(&self) -> Option<i128> {
        match self {
            Value::Bool(value) => Some(i128::from(*value)),
            Value::Int(value) => Some(*value),
            _ => None,
        }
    }
}

/// The result of an operator for two numbers.
fn number_result<'a>(operator: Arith, left: &Value<'a>, right: &Value<'a>) -> Result<Value<'a>> {
    left.as_defined()?;
    right.as_defined()?;
    let (Some(a), Some(b)) = (Typed::to_number(left), Typed::to_number(right)) else {
        return Err(unsupported_operands(operator.sign(), left, right));
    };
    let result = match (&a, &b) {
        (Number::Whole(a), Number::Whole(b)) => whole_result(operator, *a, *b),
        _ => Ok(None),
    };
    let error = ArithError::into_error::<Typed<'_>>;
    Ok(match result.map_err(error)? {
        Some(number) => Value::Int(number),
        None => Value::Float(float_result(operator, a.to_float(), b.to_float()).map_err(error)?),
    })
}

fn unsupported_operands(sign: &str, left: &Value<'_>, right: &Value<'_>) -> EvalError {
    let fault = eval_error!(
        "`{sign}` cannot work on {} and {}",
        left.describe_kind(),
        right.describe_kind()
    );
    let is_text = |value: &Value<'_>| matches!(value, Value::Text(_));
    if sign == "+" && is_text(left) != is_text(right) {
        return fault.with_help("write `~` to put the texts of both together");
    }
    fault
}

/// Checks that a string of so many bytes may be built in one operation.
pub(crate) fn check_result_size(parts: usize, each: usize) -> Result<()> {
    match parts.checked_mul(each) {
        Some(bytes) if bytes <= MAX_RESULT_SIZE => Ok(()),
        _ => Err(size_error()),
    }
}

fn size_error() -> EvalError {
    EvalError::new("the result is too large")
}

/// At most this many items or bytes may come from one multiplication, because a factor may be a value from outside of the program.
pub(crate) const MAX_RESULT_SIZE: usize = 100_000_000;

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
    let both = |left: &Rc<[Value<'a>]>, right: &Rc<[Value<'a>]>| {
        left.iter().chain(right.iter()).cloned().collect()
    };
    match (left, right) {
        (Value::Text(left), Value::Text(right)) => {
            return Ok(concat_texts(&[left.clone(), right.clone()]));
        }
        (Value::List(left), Value::List(right)) => return Ok(Value::List(both(left, right))),
        (Value::Tuple(left), Value::Tuple(right)) => return Ok(Value::Tuple(both(left, right))),
        _ => {}
    }
    number_result(Arith::Add, left, right)
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
    number_result(Arith::Sub, left, right)
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
    for (value, times) in [(left, right), (right, left)] {
        if let Some(times) = times.as_whole()
            && let Some(repeated) = repeat_value(value, times)
        {
            return repeated;
        }
    }
    number_result(Arith::Mul, left, right)
}

fn repeat_value<'a>(value: &Value<'a>, times: i128) -> Option<Result<Value<'a>>> {
    let times = usize::try_from(times.max(0)).unwrap_or(usize::MAX);
    // An item takes more memory than a byte.
    let items = |items: &[Value<'a>]| -> Result<Rc<[Value<'a>]>> {
        match items.len().checked_mul(times) {
            // Python has no such limit: it ends where memory does, which a template of a user could exhaust.
            Some(len) if len <= MAX_RESULT_SIZE / 100 => {
                Ok(items.iter().cycle().take(len).cloned().collect())
            }
            _ => Err(size_error()),
        }
    };
    Some(match value {
        Value::Text(text) => match text.len().checked_mul(times) {
            Some(len) if len <= MAX_RESULT_SIZE => Ok(text.repeat_text(times).into()),
            _ => Err(size_error()),
        },
        Value::List(list) => items(list).map(Value::List),
        Value::Tuple(tuple) => items(tuple).map(Value::Tuple),
        _ => return None,
    })
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
    number_result(Arith::Div, left, right)
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
    number_result(Arith::FloorDiv, left, right)
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
    if let Value::Text(text) = left {
        right.as_defined()?;
        return format_percent(&mut Typed::new(), text, right);
    }
    number_result(Arith::Rem, left, right)
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
    number_result(Arith::Pow, left, right)
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
    Ok(match value.as_defined()?.as_number() {
        Some(Value::Int(value)) => Value::Int(
            value
                .checked_neg()
                .ok_or_else(overflow_error::<Typed<'_>>)?,
        ),
        Some(Value::Float(value)) => Value::Float(-value),
        _ => {
            return Err(eval_error!("`-` cannot work on {}", value.describe_kind()));
        }
    })
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
    let number = value.as_defined()?.as_number();
    number.ok_or_else(|| eval_error!("`+` cannot work on {}", value.describe_kind()))
}
