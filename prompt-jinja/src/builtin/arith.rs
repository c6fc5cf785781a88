//! Operators of numbers, as in Python.

use super::Host;

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
            ArithError::RootOfNegative => "a root of a negative number is not a real number",
            ArithError::TooLarge => "the result is too large",
            ArithError::Overflow => return super::number::overflow_error::<H>(),
        })
    }
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
