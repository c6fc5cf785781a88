//! Filters of numbers.

use crate::expr::args::{argument, text_argument};
use crate::expr::chars::trim_whitespace;
use crate::expr::number::{as_float, overflow_error};
use crate::expr::printf::format_decimals;
use crate::expr::{Arguments, EvalError, Result, Str, Value};

/// `abs`.
///
/// # Errors
/// A value that is not a number.
pub fn abs<'a>(value: &Value<'a>, _: Arguments<'_, 'a>) -> Result<Value<'a>> {
    Ok(match require_number("abs", value)? {
        Value::Float(number) => Value::Float(number.abs()),
        Value::Int(number) => Value::Int(number.checked_abs().ok_or_else(overflow_error)?),
        other => other,
    })
}

fn require_number(filter: &str, value: &Value<'_>) -> Result<Value<'static>> {
    value.as_defined()?.as_number().ok_or_else(|| {
        let fault = eval_error!(
            "`{filter}` works on a number, and this is {}",
            value.describe_kind()
        );
        match value {
            Value::Text(_) => {
                fault.with_help(format!("make it a number first: `| float | {filter}`"))
            }
            _ => fault,
        }
    })
}

/// `int(default=0, base=10)`: a float without its fraction, the number in a string, or the default.
///
/// # Errors
/// A value that is not defined, infinity, and a number beyond 128 bits.
///
/// ```
/// use prompt_jinja::private::{filters::int, template_str};
///
/// assert_eq!(int(&template_str("42.23"), &[])?.to_string(), "42");
/// assert_eq!(int(&template_str("many"), &[])?.to_string(), "0");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn int<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let default = || Ok(argument(args, 0).cloned().unwrap_or(Value::Int(0)));
    match value.as_defined()? {
        Value::Text(text) => {
            let base = crate::expr::args::int_argument(args, 1, "base", 10)?;
            if let Some(number) = parse_int(text, base)? {
                return Ok(Value::Int(number));
            }
            match parse_float(text) {
                Some(number) if number.is_finite() => truncate_float(number),
                _ => default(),
            }
        }
        Value::Float(number) if number.is_nan() => default(),
        Value::Float(number) => truncate_float(*number),
        other => other
            .as_whole()
            .map_or_else(default, |number| Ok(Value::Int(number))),
    }
}

#[allow(clippy::cast_possible_truncation)] // Checked to be in bounds.
fn truncate_float<'a>(number: f64) -> Result<Value<'a>> {
    if number.is_infinite() {
        return Err(EvalError::new("infinity is not a whole number"));
    }
    if number.abs() < 2_f64.powi(127) {
        Ok(Value::Int(number as i128))
    } else {
        Err(overflow_error())
    }
}

/// As Python's `int(text, base)`; `None` if it is not a number.
fn parse_int(text: &str, base: i128) -> Result<Option<i128>> {
    let text = trim_whitespace(text);
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let lower = digits.to_ascii_lowercase();
    let marked = [("0x", 16), ("0o", 8), ("0b", 2)]
        .into_iter()
        .find(|(mark, _)| lower.starts_with(mark));
    let (base, digits, marked) = match marked {
        Some((_, of)) if base == of || base == 0 => (of, &digits[2..], true),
        _ if base == 0 => (10, digits, false),
        _ => (base, digits, false),
    };
    let Some(radix) = u32::try_from(base)
        .ok()
        .filter(|base| (2..=36).contains(base))
    else {
        return Err(EvalError::new(
            "the base of `int` is a number from 2 to 36, or 0",
        ));
    };
    let Some(digits) = without_underscores(digits, marked) else {
        return Ok(None);
    };
    if digits.is_empty() || !digits.chars().all(|char| char.is_digit(radix)) {
        return Ok(None);
    }
    let signed = if negative {
        format!("-{digits}")
    } else {
        digits
    };
    i128::from_str_radix(&signed, radix)
        .map(Some)
        .map_err(|_| overflow_error())
}

/// Python allows one `_` between two digits, and after a mark such as `0x`.
fn without_underscores(digits: &str, marked: bool) -> Option<String> {
    let starts = !marked && digits.starts_with('_');
    if starts || digits.ends_with('_') || digits.contains("__") {
        return None;
    }
    Some(digits.replace('_', ""))
}

/// As Python's `float(text)`.
pub(crate) fn parse_float(text: &str) -> Option<f64> {
    let text = trim_whitespace(text);
    let digit = |char: Option<char>| char.is_some_and(|char| char.is_ascii_digit());
    for (at, _) in text.match_indices('_') {
        if !digit(text[..at].chars().next_back()) || !digit(text[at + 1..].chars().next()) {
            return None;
        }
    }
    text.replace('_', "").parse().ok()
}

/// `float(default=0.0)`: the number in a string, or the default.
///
/// # Errors
/// A value that is not defined.
///
/// ```
/// use prompt_jinja::private::{filters::float, template_str};
///
/// assert_eq!(float(&template_str("1e3"), &[])?.to_string(), "1000.0");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn float<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let number = match value.as_defined()? {
        Value::Text(text) => parse_float(text),
        other => other.as_number().map(|number| as_float(&number)),
    };
    Ok(match number {
        Some(number) => Value::Float(number),
        None => argument(args, 0).cloned().unwrap_or(Value::Float(0.0)),
    })
}

/// `round(precision=0, method="common")`: half goes to the even neighbour, and an integer stays one; with `"ceil"`
/// and `"floor"`, up or down to a float.
///
/// # Errors
/// A value that is not a number, and another method.
///
/// ```
/// use prompt_jinja::private::filters::round;
/// use typed_prompt::jinja::Value;
///
/// assert_eq!(round(&Value::Float(2.5), &[])?.to_string(), "2.0");
/// assert_eq!(round(&Value::Float(42.55), &[Some(Value::Int(1))])?.to_string(), "42.5");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn round<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let precision = precision_argument(args)?;
    let method = text_argument(args, 1, "method")?;
    let number = require_number("round", value)?;
    match method.map(|method| &**method) {
        None | Some("common") => Ok(match number {
            Value::Int(number) => Value::Int(round_whole(number, precision)?),
            other => Value::Float(round_float(as_float(&other), precision)),
        }),
        Some("ceil") => round_directed(&number, precision, f64::ceil),
        Some("floor") => round_directed(&number, precision, f64::floor),
        Some(_) => Err(EvalError::new(
            "the method of `round` is `common`, `ceil` or `floor`",
        )),
    }
}

fn precision_argument(args: Arguments<'_, '_>) -> Result<i64> {
    let precision = crate::expr::args::int_argument(args, 0, "precision", 0)?;
    Ok(i64::try_from(precision).unwrap_or(if precision < 0 { i64::MIN } else { i64::MAX }))
}

fn round_directed<'a>(
    number: &Value<'_>,
    precision: i64,
    direction: fn(f64) -> f64,
) -> Result<Value<'a>> {
    if let (Value::Int(_), 0..) = (number, precision) {
        return Ok(Value::Float(as_float(number)));
    }
    let power: f64 = format!("1e{precision}").parse().unwrap_or(f64::NAN);
    if !power.is_finite() {
        return Err(EvalError::new("the precision of `round` is too large"));
    }
    let moved = direction(as_float(number) * power);
    if !moved.is_finite() {
        return Err(EvalError::new(
            "infinity and `nan` cannot be rounded up or down",
        ));
    }
    if power == 0.0 {
        return Err(EvalError::new("division by zero"));
    }
    // Python goes through an integer, which has no negative zero.
    Ok(Value::Float((moved + 0.0) / power))
}

fn round_whole(number: i128, precision: i64) -> Result<i128> {
    if precision >= 0 {
        return Ok(number);
    }
    let power = u32::try_from(precision.unsigned_abs())
        .ok()
        .and_then(|power| 10_i128.checked_pow(power));
    let Some(power) = power else { return Ok(0) };
    let (quotient, rest) = (number.div_euclid(power), number.rem_euclid(power));
    let up = match (rest * 2).cmp(&power) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => quotient % 2 != 0,
        std::cmp::Ordering::Greater => true,
    };
    (quotient + i128::from(up))
        .checked_mul(power)
        .ok_or_else(overflow_error)
}

/// Exact: the decimal digits of the float decide, all of them.
fn round_float(number: f64, precision: i64) -> f64 {
    // Beyond these, every float has no digit or only such digits.
    if !number.is_finite() || precision > 323 {
        return number;
    }
    if precision < -308 {
        return 0.0_f64.copysign(number);
    }
    if let Ok(precision) = usize::try_from(precision) {
        return format!("{number:.precision$}").parse().unwrap_or(number);
    }
    let places = usize::try_from(precision.unsigned_abs()).unwrap_or(usize::MAX);
    let digits = format!("{:.0}", number.abs().trunc());
    let cut = digits.len().saturating_sub(places);
    let (kept, dropped) = digits.split_at(cut);
    let half = format!("5{}", "0".repeat(places - 1));
    let dropped = format!("{dropped:0>places$}");
    let exact = number.fract() == 0.0;
    let odd = kept.ends_with(['1', '3', '5', '7', '9']);
    let up = match dropped.cmp(&half) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => !exact || odd,
        std::cmp::Ordering::Greater => true,
    };
    let kept = if up {
        increment_digits(kept)
    } else {
        kept.to_owned()
    };
    let rounded: f64 = format!("{kept:0>1}e{places}")
        .parse()
        .unwrap_or(f64::INFINITY);
    rounded.copysign(number)
}

/// A decimal number plus one.
fn increment_digits(digits: &str) -> String {
    let nines = digits.len() - digits.trim_end_matches('9').len();
    let (head, tail) = digits.split_at(digits.len() - nines);
    let zeros = "0".repeat(tail.len());
    match head.split_at_checked(head.len().wrapping_sub(1)) {
        Some((before, last)) => {
            let next = last.parse::<u8>().unwrap_or(0) + 1;
            format!("{before}{next}{zeros}")
        }
        None => format!("1{zeros}"),
    }
}

/// `filesizeformat(binary=false)`: `13.0 kB`, `1.2 MiB`.
///
/// # Errors
/// A value that is not a number.
pub fn filesizeformat<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let bytes = match value.as_defined()? {
        Value::Text(text) => parse_float(text),
        other => other.as_number().map(|number| as_float(&number)),
    };
    let Some(bytes) = bytes else {
        let kind = value.describe_kind();
        return Err(eval_error!(
            "`filesizeformat` works on a number, and this is {kind}"
        ));
    };
    let binary = crate::expr::args::bool_argument(args, 0, false)?;
    let (base, suffix) = if binary {
        (1024.0, "iB")
    } else {
        (1000.0, "B")
    };
    let made = |text: String| Ok(Str::from_shared(text, prompt_core::Origin::Data(None)).into());
    if bytes == 1.0 {
        return made("1 Byte".to_owned());
    }
    if bytes < base {
        truncate_float(bytes)?;
        return made(format!("{:.0} Bytes", bytes.trunc() + 0.0));
    }
    let mut unit = base * base;
    let prefixes = [
        if binary { "K" } else { "k" },
        "M",
        "G",
        "T",
        "P",
        "E",
        "Z",
        "Y",
    ];
    for prefix in &prefixes[..7] {
        if bytes < unit {
            return made(format!(
                "{} {prefix}{suffix}",
                format_decimals(base * bytes / unit, 'f', 1, false)
            ));
        }
        unit *= base;
    }
    made(format!(
        "{} Y{suffix}",
        format_decimals(base * bytes / unit, 'f', 1, false)
    ))
}
