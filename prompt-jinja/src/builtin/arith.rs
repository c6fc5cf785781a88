//! Operators of numbers, strings and lists, as in Python.

use super::args::clamp_size;
use super::number::{Number, Whole, negate_number};
use super::percent::format_percent;
use super::{Host, ITEM_BYTES, Made, Outcome, SourcedStr, View};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arith {
    Add,
    Sub,
    Mul,
    Div,
    FloorDiv,
    Rem,
    Pow,
}

impl Arith {
    /// As a template writes it.
    pub(crate) fn sign(self) -> &'static str {
        match self {
            Arith::Add => "+",
            Arith::Sub => "-",
            Arith::Mul => "*",
            Arith::Div => "/",
            Arith::FloorDiv => "//",
            Arith::Rem => "%",
            Arith::Pow => "**",
        }
    }
}

/// Why two numbers have no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ArithError {
    DivisionByZero,
    PowerOfZero,
    RootOfNegative,
    /// The result is beyond the bounds of floats.
    TooLarge,
    /// The result is beyond the bounds of whole numbers.
    Overflow,
}

impl ArithError {
    pub(crate) fn into_error<H: Host>(self) -> H::Error {
        H::make_error(match self {
            ArithError::DivisionByZero => "division by zero",
            ArithError::PowerOfZero => "zero cannot be raised to a negative power",
            ArithError::RootOfNegative => {
                "a root of a negative number is a complex number, which is not supported"
            }
            ArithError::TooLarge => "the result is too large",
            ArithError::Overflow => return super::number::overflow_error::<H>(),
        })
    }
}

/// The result of an operator: of numbers, of strings and lists that are added or repeated, or of a pattern that is filled.
pub(super) fn compute<H: Host>(
    host: &mut H,
    operator: Arith,
    left: &H::Value,
    right: &H::Value,
) -> Made<H> {
    match (operator, H::view_value(left), H::view_value(right)) {
        (Arith::Add, View::Str(a), View::Str(b)) => return host.add_texts(a, b),
        (Arith::Add, View::List(a), View::List(b)) => {
            host.charge_items(a.len() + b.len())?;
            return host.make_list([a, b].concat());
        }
        (Arith::Add, View::Tuple(a), View::Tuple(b)) => {
            host.charge_items(a.len() + b.len())?;
            return host.make_tuple([a, b].concat());
        }
        (
            Arith::Mul,
            View::Str(_) | View::List(_) | View::Tuple(_),
            View::Whole | View::Bool(_),
        ) => return repeat_value(host, left, right),
        (
            Arith::Mul,
            View::Whole | View::Bool(_),
            View::Str(_) | View::List(_) | View::Tuple(_),
        ) => return repeat_value(host, right, left),
        (Arith::Rem, View::Str(pattern), _) => {
            H::check_operand(right)?;
            return format_percent(host, pattern, right);
        }
        _ => {}
    }
    H::check_defined(left)?;
    H::check_defined(right)?;
    let (Some(a), Some(b)) = (H::to_number(left), H::to_number(right)) else {
        return Err(operand_error::<H>(operator, left, right));
    };
    let of = H::data_operand(left, right);
    if let (Number::Whole(a), Number::Whole(b)) = (&a, &b)
        && let Some(number) = host.compute_whole(operator, a, b)?
    {
        return Ok(H::from_number(Number::Whole(number), of));
    }
    let number = match (&a, &b) {
        (Number::Whole(a), Number::Whole(b)) if operator == Arith::Div => whole_quotient(a, b),
        _ => float_result(operator, a.require_float::<H>()?, b.require_float::<H>()?),
    };
    let number = number.map_err(ArithError::into_error::<H>)?;
    Ok(H::from_number(Number::Float(number), of))
}

fn operand_error<H: Host>(operator: Arith, left: &H::Value, right: &H::Value) -> H::Error {
    let message = format!(
        "`{}` cannot work on {} and {}",
        operator.sign(),
        H::describe_kind(left),
        H::describe_kind(right)
    );
    let is_text = |value| matches!(H::view_value(value), View::Str(_));
    match operator == Arith::Add && is_text(left) != is_text(right) {
        true => H::error_with_help(message, "write `~` to put the texts of both together"),
        false => H::make_error(message),
    }
}

/// A string, list or tuple so many times.
fn repeat_value<H: Host>(host: &mut H, value: &H::Value, times: &H::Value) -> Made<H> {
    let times = clamp_size(H::to_whole(times, "times")?);
    match H::view_value(value) {
        View::Str(text) => {
            host.charge_result(text.len().saturating_mul(times))?;
            let times = if text.is_empty() { 0 } else { times };
            Ok(H::from_str(text.repeat_text(times)))
        }
        View::List(items) => {
            let items = repeat_items(host, items, times)?;
            host.make_list(items)
        }
        View::Tuple(items) => {
            let items = repeat_items(host, items, times)?;
            host.make_tuple(items)
        }
        _ => Ok(value.clone()),
    }
}

fn repeat_items<H: Host>(
    host: &mut H,
    items: &[H::Value],
    times: usize,
) -> Outcome<H, Vec<H::Value>> {
    let count = items.len().saturating_mul(times);
    // An item takes more memory than a byte.
    host.charge_result(count.saturating_add(items.len()).saturating_mul(ITEM_BYTES))?;
    Ok(items.iter().cycle().take(count).cloned().collect())
}

/// `-value`, or `+value`.
pub(crate) fn sign_value<H: Host>(sign: char, value: &H::Value) -> Made<H> {
    H::check_defined(value)?;
    let Some(number) = H::to_number(value) else {
        let kind = H::describe_kind(value);
        return Err(H::make_error(format!("`{sign}` cannot work on {kind}")));
    };
    let number = match sign {
        '-' => negate_number::<H>(number)?,
        _ => number,
    };
    Ok(H::from_number(number, value))
}

/// The result for two whole numbers; nothing if it is not a whole number.
pub(crate) fn whole_result(
    operator: Arith,
    left: i128,
    right: i128,
) -> Result<Option<i128>, ArithError> {
    let result = match operator {
        Arith::Add => left.checked_add(right),
        Arith::Sub => left.checked_sub(right),
        Arith::Mul => left.checked_mul(right),
        Arith::FloorDiv | Arith::Rem if right == 0 => return Err(ArithError::DivisionByZero),
        Arith::FloorDiv => left.checked_div_euclid(right).map(|quotient| {
            // Euclid's rest is never negative; Python rounds down, whatever the divisor's sign.
            let has_rest = left.checked_rem(right).is_some_and(|rest| rest != 0);
            quotient - i128::from(has_rest && right < 0)
        }),
        Arith::Rem => {
            let rest = left.checked_rem(right).unwrap_or(0);
            let differs = rest != 0 && (rest < 0) != (right < 0);
            Some(if differs { rest + right } else { rest })
        }
        Arith::Pow if right >= 0 => match (left, u32::try_from(right)) {
            (0 | 1, _) if right > 0 => Some(left),
            (-1, _) => Some(if right % 2 == 0 { 1 } else { -1 }),
            (_, Ok(exponent)) => left.checked_pow(exponent),
            (_, Err(_)) => None,
        },
        Arith::Div | Arith::Pow => return Ok(None),
    };
    result.map(Some).ok_or(ArithError::Overflow)
}

/// The quotient of two whole numbers, which is not the quotient of the floats that are nearest to them.
fn whole_quotient<W: Whole>(left: &W, right: &W) -> Result<f64, ArithError> {
    if *right == W::from(0) {
        return Err(ArithError::DivisionByZero);
    }
    let quotient = left.divide(right);
    match quotient.is_finite() {
        true => Ok(quotient),
        false => Err(ArithError::TooLarge),
    }
}

/// The result for two floats.
pub(crate) fn float_result(operator: Arith, left: f64, right: f64) -> Result<f64, ArithError> {
    Ok(match operator {
        Arith::Add => left + right,
        Arith::Sub => left - right,
        Arith::Mul => left * right,
        Arith::Div | Arith::FloorDiv | Arith::Rem if right == 0.0 => {
            return Err(ArithError::DivisionByZero);
        }
        Arith::Div => left / right,
        Arith::FloorDiv => float_div_mod(left, right).0,
        Arith::Rem => float_div_mod(left, right).1,
        Arith::Pow => return float_power(left, right),
    })
}

fn float_power(base: f64, exponent: f64) -> Result<f64, ArithError> {
    if base == 0.0 && exponent < 0.0 && exponent.is_finite() {
        return Err(ArithError::PowerOfZero);
    }
    if base < 0.0 && base.is_finite() && exponent.is_finite() && exponent.fract() != 0.0 {
        return Err(ArithError::RootOfNegative);
    }
    let power = base.powf(exponent);
    match power.is_infinite() && base.is_finite() && exponent.is_finite() {
        true => Err(ArithError::TooLarge),
        false => Ok(power),
    }
}

/// As Python's `divmod` of floats.
fn float_div_mod(left: f64, right: f64) -> (f64, f64) {
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
