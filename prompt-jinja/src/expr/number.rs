//! Arithmetic as in Python.

use std::rc::Rc;

use crate::expr::print::concat_texts;
use crate::expr::printf::format_pattern;
use crate::expr::{EvalError, Result, Value};

/// Two numbers, made alike as Python does.
enum NumberPair {
    Int(i128, i128),
    Float(f64, f64),
}

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

/// The two numbers of an operator.
fn number_operands(sign: &str, left: &Value<'_>, right: &Value<'_>) -> Result<NumberPair> {
    left.as_defined()?;
    right.as_defined()?;
    Ok(match (left.as_number(), right.as_number()) {
        (Some(Value::Int(left)), Some(Value::Int(right))) => NumberPair::Int(left, right),
        (Some(left), Some(right)) => NumberPair::Float(as_float(&left), as_float(&right)),
        _ => return Err(unsupported_operands(sign, left, right)),
    })
}

#[allow(clippy::cast_precision_loss)] // As Python rounds.
pub(crate) fn as_float(value: &Value<'_>) -> f64 {
    match value {
        Value::Int(value) => *value as f64,
        Value::Float(value) => *value,
        _ => f64::NAN,
    }
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

pub(crate) fn overflow_error() -> EvalError {
    EvalError::new("the result is too large for a whole number of 128 bits")
        .with_help("make one of the numbers a float, as in `1.0`")
}

fn division_by_zero_error() -> EvalError {
    EvalError::new("division by zero")
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
    Ok(match number_operands("+", left, right)? {
        NumberPair::Int(left, right) => {
            Value::Int(left.checked_add(right).ok_or_else(overflow_error)?)
        }
        NumberPair::Float(left, right) => Value::Float(left + right),
    })
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
    Ok(match number_operands("-", left, right)? {
        NumberPair::Int(left, right) => {
            Value::Int(left.checked_sub(right).ok_or_else(overflow_error)?)
        }
        NumberPair::Float(left, right) => Value::Float(left - right),
    })
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
    Ok(match number_operands("*", left, right)? {
        NumberPair::Int(left, right) => {
            Value::Int(left.checked_mul(right).ok_or_else(overflow_error)?)
        }
        NumberPair::Float(left, right) => Value::Float(left * right),
    })
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
    let (left, right) = match number_operands("/", left, right)? {
        NumberPair::Int(left, right) => (as_float(&Value::Int(left)), as_float(&Value::Int(right))),
        NumberPair::Float(left, right) => (left, right),
    };
    if right == 0.0 {
        return Err(division_by_zero_error());
    }
    Ok(Value::Float(left / right))
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
    Ok(match number_operands("//", left, right)? {
        NumberPair::Int(_, 0) => return Err(division_by_zero_error()),
        NumberPair::Int(left, right) => {
            let quotient = left.checked_div_euclid(right).ok_or_else(overflow_error)?;
            let rest = left.rem_euclid(right);
            // Euclid's rest is never negative; Python rounds down, whatever the divisor's sign.
            Value::Int(if rest != 0 && right < 0 {
                quotient - 1
            } else {
                quotient
            })
        }
        NumberPair::Float(_, 0.0) => return Err(division_by_zero_error()),
        NumberPair::Float(left, right) => Value::Float(float_div_mod(left, right).0),
    })
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
        return format_pattern(text, right);
    }
    Ok(match number_operands("%", left, right)? {
        NumberPair::Int(_, 0) => return Err(division_by_zero_error()),
        NumberPair::Int(left, right) => {
            let rest = left.checked_rem(right).unwrap_or(0);
            Value::Int(if rest != 0 && (rest < 0) != (right < 0) {
                rest + right
            } else {
                rest
            })
        }
        NumberPair::Float(_, 0.0) => return Err(division_by_zero_error()),
        NumberPair::Float(left, right) => Value::Float(float_div_mod(left, right).1),
    })
}

/// As Python's `divmod` of floats.
pub(crate) fn float_div_mod(left: f64, right: f64) -> (f64, f64) {
    let mut rest = left % right;
    let mut quotient = (left - rest) / right;
    if rest == 0.0 {
        rest = 0.0_f64.copysign(right);
    } else if (rest < 0.0) != (right < 0.0) {
        rest += right;
        quotient -= 1.0;
    }
    let floored = if quotient == 0.0 {
        0.0_f64.copysign(left / right)
    } else {
        let floor = quotient.floor();
        if quotient - floor > 0.5 {
            floor + 1.0
        } else {
            floor
        }
    };
    (floored, rest)
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
    let (base, exponent) = match number_operands("**", left, right)? {
        NumberPair::Int(base, exponent @ 0..) => {
            return whole_power(base, exponent).map(Value::Int);
        }
        NumberPair::Int(base, exponent) => {
            (as_float(&Value::Int(base)), as_float(&Value::Int(exponent)))
        }
        NumberPair::Float(base, exponent) => (base, exponent),
    };
    if base == 0.0 && exponent < 0.0 && exponent.is_finite() {
        return Err(EvalError::new("zero cannot be raised to a negative power"));
    }
    if base < 0.0 && base.is_finite() && exponent.is_finite() && exponent.fract() != 0.0 {
        return Err(EvalError::new(
            "a root of a negative number is not a real number",
        ));
    }
    let power = base.powf(exponent);
    if power.is_infinite() && base.is_finite() && exponent.is_finite() {
        return Err(size_error());
    }
    Ok(Value::Float(power))
}

fn whole_power(base: i128, exponent: i128) -> Result<i128> {
    match (base, u32::try_from(exponent)) {
        (0 | 1, _) if exponent > 0 => Ok(base),
        (-1, _) => Ok(if exponent % 2 == 0 { 1 } else { -1 }),
        (_, Ok(exponent)) => base.checked_pow(exponent).ok_or_else(overflow_error),
        (_, Err(_)) => Err(overflow_error()),
    }
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
        Some(Value::Int(value)) => Value::Int(value.checked_neg().ok_or_else(overflow_error)?),
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
