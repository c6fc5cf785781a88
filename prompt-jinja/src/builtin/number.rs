//! Numbers as filters see them.

use std::cmp::Ordering;
use std::hash::Hash;

use prompt_base::digit::decimal_value;

use super::args::{Args, require_str};
use super::chars::trim_whitespace;
use super::decimal::format_decimals;
use super::{Host, Made, Outcome, View};

/// A number as an operand: a boolean is 0 or 1.
pub(crate) enum Number<W> {
    Whole(W),
    Float(f64),
}

/// Whole numbers of a host, with or without bounds.
pub(crate) trait Whole: Clone + Ord + Hash + From<i64> {
    /// A float without its fraction; nothing for one that is beyond the bounds or not finite.
    fn from_float(float: f64) -> Option<Self>;

    /// The nearest float.
    fn to_float(&self) -> f64;

    /// The float that is nearest to the quotient; the divisor is not 0.
    fn divide(&self, divisor: &Self) -> f64;

    /// The bits of the number without its sign.
    fn count_bits(&self) -> u64;

    /// The number with the other sign; nothing if it is beyond the bounds.
    fn negate(&self) -> Option<Self>;

    /// The number of digits, with `-` before them if it is negative; nothing if it is beyond the bounds.
    fn parse_digits(digits: &str, radix: u32) -> Option<Self>;

    /// Whether it is negative, and its digits.
    fn to_digits(&self, radix: u32) -> (bool, String);
}

impl<W: Whole> Number<W> {
    pub(crate) fn to_float(&self) -> f64 {
        match self {
            Number::Whole(number) => number.to_float(),
            Number::Float(number) => *number,
        }
    }

    /// The nearest float; an error for a whole number that is larger than every float.
    pub(crate) fn require_float<H: Host>(&self) -> Outcome<H, f64> {
        match (self, self.to_float()) {
            (Number::Whole(_), float) if float.is_infinite() => Err(H::make_error(
                "the whole number is too large for a number with a fraction",
            )),
            (_, float) => Ok(float),
        }
    }

    /// The exact order of two numbers; nothing for `nan`.
    pub(crate) fn compare(&self, other: &Number<W>) -> Option<Ordering> {
        match (self, other) {
            (Number::Whole(a), Number::Whole(b)) => Some(a.cmp(b)),
            (Number::Float(a), Number::Float(b)) => a.partial_cmp(b),
            (Number::Whole(a), Number::Float(b)) => compare_whole(a, *b),
            (Number::Float(a), Number::Whole(b)) => compare_whole(b, *a).map(Ordering::reverse),
        }
    }
}

fn compare_whole<W: Whole>(whole: &W, float: f64) -> Option<Ordering> {
    match W::from_float(float) {
        Some(truncated) => {
            let order = whole.cmp(&truncated);
            Some(order.then(0.0.partial_cmp(&float.fract())?))
        }
        // Beyond the bounds of whole numbers, or not finite.
        None => 0.0.partial_cmp(&float),
    }
}

impl Whole for i128 {
    #[allow(clippy::cast_possible_truncation)] // Checked to be in bounds.
    fn from_float(float: f64) -> Option<i128> {
        let bound = 2_f64.powi(127);
        (-bound..bound).contains(&float).then_some(float as i128)
    }

    #[allow(clippy::cast_precision_loss)] // As Python rounds.
    fn to_float(&self) -> f64 {
        *self as f64
    }

    #[allow(clippy::cast_precision_loss)] // As Python rounds.
    fn divide(&self, divisor: &i128) -> f64 {
        let is_exact = |number: &i128| number.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS;
        if is_exact(self) && is_exact(divisor) {
            return *self as f64 / *divisor as f64;
        }
        let (size, by) = (self.unsigned_abs(), divisor.unsigned_abs());
        let (mut quotient, mut rest, mut shift) = (size / by, size % by, 0);
        // More bits than a float has: the last one is set for any that follow.
        while rest != 0 && quotient.leading_zeros() > 60 {
            rest <<= 1;
            quotient = quotient << 1 | u128::from(rest >= by);
            rest -= if rest >= by { by } else { 0 };
            shift += 1;
        }
        quotient |= u128::from(rest != 0);
        let float = quotient as f64 * 0.5_f64.powi(shift);
        if (*self < 0) == (*divisor < 0) {
            float
        } else {
            -float
        }
    }

    fn count_bits(&self) -> u64 {
        u64::from(i128::BITS - self.unsigned_abs().leading_zeros())
    }

    fn negate(&self) -> Option<i128> {
        self.checked_neg()
    }

    fn parse_digits(digits: &str, radix: u32) -> Option<i128> {
        i128::from_str_radix(digits, radix).ok()
    }

    fn to_digits(&self, radix: u32) -> (bool, String) {
        let size = self.unsigned_abs();
        let digits = match radix {
            2 => format!("{size:b}"),
            8 => format!("{size:o}"),
            16 => format!("{size:x}"),
            _ => size.to_string(),
        };
        (*self < 0, digits)
    }
}

/// Integers have bounds in templates of Rust structs.
fn whole_from_digits<H: Host>(is_negative: bool, digits: &str, radix: u32) -> Outcome<H, H::Whole> {
    let sign = if is_negative { "-" } else { "" };
    let number = H::Whole::parse_digits(&format!("{sign}{digits}"), radix);
    number.ok_or_else(overflow_error::<H>)
}

pub(crate) fn overflow_error<H: Host>() -> H::Error {
    H::error_with_help(
        "the result is too large for a whole number of 128 bits",
        "make one of the numbers a float, as in `1.0`",
    )
}

/// Whether a whole number is negative, and its decimal digits. Python prints no more than [`MAX_DIGITS`].
pub(crate) fn write_decimal<H: Host>(number: &impl Whole) -> Outcome<H, (bool, String)> {
    // Ten bits are three digits at least: the digits of a number that is much too long, which take long, are not computed.
    let is_long = number.count_bits() * 3 / 10 > MAX_DIGITS as u64;
    let digits = (!is_long).then(|| number.to_digits(10));
    digits
        .filter(|(_, digits)| digits.len() <= MAX_DIGITS)
        .ok_or_else(|| {
            H::make_error(format!(
                "a number with more than {MAX_DIGITS} digits is not printed"
            ))
        })
}

pub(crate) fn negate_number<H: Host>(number: Number<H::Whole>) -> Outcome<H, Number<H::Whole>> {
    Ok(match number {
        Number::Whole(number) => Number::Whole(number.negate().ok_or_else(overflow_error::<H>)?),
        Number::Float(number) => Number::Float(-number),
    })
}

/// The number that a filter works on.
fn require_number<H: Host>(filter: &str, value: &H::Value) -> Outcome<H, Number<H::Whole>> {
    H::check_defined(value)?;
    H::to_number(value).ok_or_else(|| {
        let message = format!(
            "`{filter}` works on a number, and this is {}",
            H::describe_kind(value)
        );
        match H::view_value(value) {
            View::Str(_) => H::error_with_help(
                message,
                format!("make it a number first: `| float | {filter}`"),
            ),
            _ => H::make_error(message),
        }
    })
}

/// `abs`.
pub(crate) fn abs<H: Host>(_: &mut H, value: &H::Value, _: Args<'_, H>) -> Made<H> {
    let number = match require_number::<H>("abs", value)? {
        Number::Float(number) => Number::Float(number.abs()),
        Number::Whole(number) if number < 0.into() => negate_number::<H>(Number::Whole(number))?,
        number => number,
    };
    Ok(H::from_number(number, value))
}

/// `int(default=0, base=10)`: a float without its fraction, the number in a string, or the default.
pub(crate) fn int<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Made<H> {
    H::check_defined(value)?;
    let base = args.get_whole(1, "base", 10)?;
    let number = match (H::view_value(value), H::to_number(value)) {
        (View::Str(text), _) => {
            host.charge_bytes(text.len())?;
            match parse_int::<H>(text, base)? {
                Some(number) => Some(number),
                None => parse_float(text)
                    .filter(|number| number.is_finite())
                    .map(truncate_float::<H>)
                    .transpose()?,
            }
        }
        (_, Some(Number::Float(number))) if number.is_nan() => None,
        (_, Some(Number::Float(number))) => Some(truncate_float::<H>(number)?),
        (_, Some(Number::Whole(number))) => Some(number),
        (_, None) => None,
    };
    Ok(match (number, args.get(0)) {
        (Some(number), _) => H::from_number(Number::Whole(number), value),
        (None, Some(default)) => default.clone(),
        (None, None) => H::from_whole(0, value),
    })
}

fn truncate_float<H: Host>(number: f64) -> Outcome<H, H::Whole> {
    if number.is_infinite() {
        return Err(H::make_error("infinity is not a whole number"));
    }
    H::Whole::from_float(number).ok_or_else(overflow_error::<H>)
}

/// The longest number that Python reads or prints in decimal digits.
pub(crate) const MAX_DIGITS: usize = 4300;

/// As Python's `int(text, base)`; `None` if it is not a number.
fn parse_int<H: Host>(text: &str, base: i64) -> Outcome<H, Option<H::Whole>> {
    let text = ascii_digits(trim_whitespace(text));
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(&text)),
    };
    let lower = digits.to_ascii_lowercase();
    let marked = [("0x", 16), ("0o", 8), ("0b", 2)]
        .into_iter()
        .find(|(mark, of)| lower.starts_with(mark) && (base == *of || base == 0));
    let (base, digits) = match marked {
        Some((_, of)) => (of, &digits[2..]),
        None if base == 0 => (10, digits),
        None => (base, digits),
    };
    let radix = u32::try_from(base)
        .ok()
        .filter(|base| (2..=36).contains(base));
    let (Some(radix), Some(digits)) = (radix, without_underscores(digits, marked.is_some())) else {
        return Ok(None);
    };
    if digits.is_empty()
        || !digits.chars().all(|char| char.is_digit(radix))
        || digits.len() > MAX_DIGITS
    {
        return Ok(None);
    }
    whole_from_digits::<H>(is_negative, &digits, radix).map(Some)
}

/// Decimal digits of all scripts as `0` to `9`.
fn ascii_digits(text: &str) -> String {
    let ascii = |char| decimal_value(char).and_then(|digit| char::from_digit(digit, 10));
    text.chars()
        .map(|char| ascii(char).unwrap_or(char))
        .collect()
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
fn parse_float(text: &str) -> Option<f64> {
    let text = ascii_digits(trim_whitespace(text));
    let digit = |char: Option<char>| char.is_some_and(|char| char.is_ascii_digit());
    for (at, _) in text.match_indices('_') {
        if !digit(text[..at].chars().next_back()) || !digit(text[at + 1..].chars().next()) {
            return None;
        }
    }
    text.replace('_', "").parse().ok()
}

/// The number in a string, or of a number.
fn float_of<H: Host>(host: &mut H, value: &H::Value) -> Outcome<H, Option<f64>> {
    H::check_defined(value)?;
    Ok(match H::view_value(value) {
        View::Str(text) => {
            host.charge_bytes(text.len())?;
            parse_float(text)
        }
        _ => match H::to_number(value) {
            Some(number) => Some(number.require_float::<H>()?),
            None => None,
        },
    })
}

/// `float(default=0.0)`: the number in a string, or the default.
pub(crate) fn float<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Made<H> {
    Ok(match (float_of(host, value)?, args.get(0)) {
        (None, Some(default)) => default.clone(),
        (number, _) => H::from_number(Number::Float(number.unwrap_or(0.0)), value),
    })
}

/// `round(precision=0, method="common")`: half goes to the even neighbour, and an integer stays one; with `"ceil"`
/// and `"floor"`, up or down to a float.
pub(crate) fn round<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Made<H> {
    let precision = args.get_whole(0, "precision", 0)?;
    let method = args.get(1).map(|method| require_str::<H>(method, "method"));
    let number = require_number::<H>("round", value)?;
    let rounded = match method.transpose()?.map(|method| &**method) {
        None | Some("common") => match number {
            Number::Whole(number) => Number::Whole(round_whole(host, number, precision)?),
            Number::Float(number) => Number::Float(round_float(number, precision)),
        },
        Some("ceil") => Number::Float(round_directed::<H>(&number, precision, f64::ceil)?),
        Some("floor") => Number::Float(round_directed::<H>(&number, precision, f64::floor)?),
        Some(_) => {
            return Err(H::make_error(
                "the method of `round` is `common`, `ceil` or `floor`",
            ));
        }
    };
    Ok(H::from_number(rounded, value))
}

fn round_directed<H: Host>(
    number: &Number<H::Whole>,
    precision: i64,
    direction: fn(f64) -> f64,
) -> Outcome<H, f64> {
    let float = number.require_float::<H>()?;
    if let (Number::Whole(_), 0..) = (number, precision) {
        return Ok(float);
    }
    let power: f64 = format!("1e{precision}").parse().unwrap_or(f64::NAN);
    if !power.is_finite() {
        return Err(H::make_error("the precision of `round` is too large"));
    }
    let moved = direction(float * power);
    if !moved.is_finite() {
        return Err(H::make_error(
            "infinity and `nan` cannot be rounded up or down",
        ));
    }
    if power == 0.0 {
        return Err(H::make_error("division by zero"));
    }
    // Python goes through an integer, which has no negative zero.
    Ok((moved + 0.0) / power)
}

fn round_whole<H: Host>(host: &mut H, number: H::Whole, precision: i64) -> Outcome<H, H::Whole> {
    if precision >= 0 {
        return Ok(number);
    }
    // The time to write the digits and to read them again grows as the square of their number.
    let words = usize::try_from(number.count_bits() / 64 + 1).unwrap_or(usize::MAX);
    host.charge_bytes(words.saturating_mul(words))?;
    let (is_negative, digits) = number.to_digits(10);
    let places = usize::try_from(precision.unsigned_abs()).unwrap_or(usize::MAX);
    // Everything is rounded away.
    if places > digits.len() {
        return whole_from_digits::<H>(false, "0", 10);
    }
    let rounded = round_digits(&digits, places, true) + &"0".repeat(places);
    whole_from_digits::<H>(is_negative, &rounded, 10)
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
    let kept = round_digits(&digits, places, number.fract() == 0.0);
    let rounded: f64 = format!("{kept:0>1}e{places}")
        .parse()
        .unwrap_or(f64::INFINITY);
    rounded.copysign(number)
}

/// The digits of a number without its last places, rounded. It is exact if nothing follows these places.
fn round_digits(digits: &str, places: usize, exact: bool) -> String {
    let cut = digits.len().saturating_sub(places);
    let (kept, dropped) = digits.split_at(cut);
    let half = format!("5{}", "0".repeat(places - 1));
    let dropped = format!("{dropped:0>places$}");
    let odd = kept.ends_with(['1', '3', '5', '7', '9']);
    let up = match dropped.cmp(&half) {
        Ordering::Less => false,
        Ordering::Equal => !exact || odd,
        Ordering::Greater => true,
    };
    match up {
        true => increment_digits(kept),
        false => kept.to_owned(),
    }
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
pub(crate) fn filesizeformat<H: Host>(
    host: &mut H,
    value: &H::Value,
    args: Args<'_, H>,
) -> Made<H> {
    let Some(bytes) = float_of(host, value)? else {
        return Err(H::kind_error("`filesizeformat` works on a number", value));
    };
    let (base, first, suffix) = match args.get_flag(0, false)? {
        true => (1024_i128, "K", "iB"),
        false => (1000, "k", "B"),
    };
    let is_below =
        |unit: i128| Number::Float(bytes).compare(&Number::Whole(unit)) == Some(Ordering::Less);
    let text = if bytes == 1.0 {
        "1 Byte".to_owned()
    } else if is_below(base) {
        truncate_float::<H>(bytes)?;
        format!("{:.0} Bytes", bytes.trunc() + 0.0)
    } else {
        let prefixes = [first, "M", "G", "T", "P", "E", "Z", "Y"];
        let mut unit = base * base;
        let mut prefixes = prefixes.into_iter();
        let mut prefix = prefixes.next().unwrap_or(first);
        // Python's last unit is also that of `nan`, which is not smaller than any.
        while !is_below(unit)
            && let Some(next) = prefixes.next()
        {
            unit *= base;
            prefix = next;
        }
        format!(
            "{} {prefix}{suffix}",
            format_decimals(base.to_float() * bytes / unit.to_float(), 'f', 1, false)
        )
    };
    Ok(H::from_str(H::text_of_number(text, value)))
}
