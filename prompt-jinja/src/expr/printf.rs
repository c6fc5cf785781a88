//! Python's `text % values`.

use std::iter::Peekable;
use std::str::CharIndices;

use crate::expr::args::checked_size;
use crate::expr::number::as_float;
use crate::expr::{EvalError, Result, Str, Value};
use prompt_core::{Origin, Text};

/// Fills the conversions of a pattern: `%s`, `%d`, `%.2f`, `%(name)s` and their kin.
pub(crate) fn format_pattern<'a>(pattern: &Str<'a>, values: &Value<'a>) -> Result<Value<'a>> {
    let given = match values.as_defined()? {
        Value::Tuple(items) => items.to_vec(),
        other => vec![other.clone()],
    };
    let mut out = Text::new();
    let mut taken = PatternValues {
        given: &given,
        at: 0,
    };
    let mut named = false;
    let mut chars = pattern.char_indices().peekable();
    let mut copied = 0;
    while let Some((at, char)) = chars.next() {
        if char != '%' {
            continue;
        }
        pattern.slice(copied..at).push_to(&mut out);
        if chars.next_if(|next| next.1 == '%').is_some() {
            out.push_from(Origin::Template, "%");
            copied = at + 2;
            continue;
        }
        crate::expr::number::check_result_size(1, out.as_str().len())?;
        let key = read_key(&mut chars, pattern)?;
        let conversion = Conversion::parse_conversion(&mut chars, &mut taken)?;
        copied = chars.peek().map_or(pattern.len(), |next| next.0);
        let value = match key {
            Some(key) => {
                named = true;
                let Value::Dict(dict) = values else {
                    return Err(EvalError::new("`%(name)` takes its values from a dict"));
                };
                let missing = || eval_error!("the dict has no key `{key}`");
                dict.get_str(key).ok_or_else(missing)?
            }
            None => taken.next_value()?,
        };
        conversion.format_value(value)?.push_to(&mut out);
    }
    pattern.slice(copied..pattern.len()).push_to(&mut out);
    // Python accepts values that no conversion takes if they are a dict or a list, since one value may serve any number of conversions by name.
    let may_stay = named || matches!(values, Value::Dict(_) | Value::List(_));
    if taken.at < given.len() && !may_stay {
        let (conversions, values) = (taken.at, given.len());
        return Err(eval_error!(
            "the pattern has {conversions} places for {values} values"
        ));
    }
    Ok(out.into())
}

type PatternChars<'s> = Peekable<CharIndices<'s>>;

/// The values that are filled in by their order.
struct PatternValues<'s, 'a> {
    given: &'s [Value<'a>],
    at: usize,
}

impl<'s, 'a> PatternValues<'s, 'a> {
    fn next_value(&mut self) -> Result<&'s Value<'a>> {
        let value = self.given.get(self.at);
        self.at += 1;
        value.ok_or_else(|| EvalError::new("the pattern has more places than there are values"))
    }

    fn next_whole(&mut self) -> Result<i128> {
        let number = self.next_value()?.as_whole();
        number.ok_or_else(|| EvalError::new("`*` in a pattern takes a whole number"))
    }
}

/// The key between `%(` and `)`.
fn read_key<'s>(chars: &mut PatternChars<'_>, pattern: &'s str) -> Result<Option<&'s str>> {
    if chars.next_if(|next| next.1 == '(').is_none() {
        return Ok(None);
    }
    let start = chars.peek().map_or(pattern.len(), |next| next.0);
    let mut depth = 1;
    for (at, char) in chars {
        match char {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Ok(Some(&pattern[start..at]));
        }
    }
    Err(EvalError::new("a `%(` in the pattern is never closed"))
}

/// One conversion of a pattern.
struct Conversion {
    left: bool,
    plus: bool,
    space: bool,
    zero: bool,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
    conversion: char,
}

impl Conversion {
    fn parse_conversion(
        chars: &mut PatternChars<'_>,
        taken: &mut PatternValues<'_, '_>,
    ) -> Result<Conversion> {
        let mut flags = String::new();
        while let Some((_, flag)) = chars.next_if(|next| "-+ 0#".contains(next.1)) {
            flags.push(flag);
        }
        let width = read_number(chars, taken)?.unwrap_or(0);
        let precision = match chars.next_if(|next| next.1 == '.') {
            Some(_) => Some(read_number(chars, taken)?.unwrap_or(0).max(0)),
            None => None,
        };
        // The length of a C type, which Python accepts and ignores.
        chars.next_if(|next| "hlL".contains(next.1));
        let Some((_, conversion)) = chars.next() else {
            return Err(
                EvalError::new("the pattern ends after `%`").with_help("write `%%` for a `%`")
            );
        };
        Ok(Conversion {
            left: flags.contains('-') || width < 0,
            plus: flags.contains('+'),
            space: flags.contains(' '),
            zero: flags.contains('0'),
            alternate: flags.contains('#'),
            width: checked_size(width.checked_abs().unwrap_or(i128::MAX), "width")?,
            precision: precision
                .map(|number| checked_size(number, "precision"))
                .transpose()?,
            conversion,
        })
    }

    fn format_value<'a>(&self, value: &Value<'a>) -> Result<Str<'a>> {
        value.as_defined()?;
        match self.conversion {
            's' => Ok(self.pad_text(&self.truncate_text(&value.to_str()?))),
            'r' => Ok(self.pad_text(&self.truncate_text(&value.to_repr()?))),
            'c' => self.format_char(value),
            'd' | 'i' | 'u' => self.format_whole(value),
            'x' | 'X' | 'o' => self.format_radix(value),
            'e' | 'E' | 'f' | 'F' | 'g' | 'G' => self.format_float(value),
            other => Err(eval_error!("a pattern has no `%{other}`")
                .with_help("write `%%` for a `%`, and `%s` for any value")),
        }
    }

    fn truncate_text<'a>(&self, text: &Str<'a>) -> Str<'a> {
        match self.precision {
            Some(most) => text.slice(0..crate::expr::chars::char_offset(text, most)),
            None => text.clone(),
        }
    }

    fn pad_text<'a>(&self, text: &Str<'a>) -> Str<'a> {
        let spaces = " ".repeat(self.width.saturating_sub(text.chars().count()));
        let mut out = Text::new();
        if !self.left {
            out.push_from(Origin::Template, &spaces);
        }
        text.push_to(&mut out);
        if self.left {
            out.push_from(Origin::Template, &spaces);
        }
        out.into()
    }

    fn kind_error(&self, kind: &str, value: &Value<'_>) -> EvalError {
        eval_error!(
            "`%{}` takes {kind}, and this is {}",
            self.conversion,
            value.describe_kind()
        )
    }

    fn format_char<'a>(&self, value: &Value<'a>) -> Result<Str<'a>> {
        let char = match value {
            Value::Text(text) if text.chars().count() == 1 => text.clone(),
            _ => {
                let code = value.as_whole().and_then(|code| u32::try_from(code).ok());
                let char = code.and_then(char::from_u32);
                let char = char.ok_or_else(|| self.kind_error("a character", value))?;
                Str::from_shared(char.to_string(), Origin::Data(None))
            }
        };
        Ok(self.pad_text(&char))
    }

    fn format_whole<'a>(&self, value: &Value<'a>) -> Result<Str<'a>> {
        let (negative, digits) = match value {
            Value::Float(number) if number.is_finite() => {
                // All digits of the whole part, however many.
                (*number <= -1.0, format!("{:.0}", number.trunc().abs()))
            }
            _ => {
                let number = value
                    .as_whole()
                    .ok_or_else(|| self.kind_error("a finite number", value))?;
                (number < 0, number.unsigned_abs().to_string())
            }
        };
        Ok(self.pad_number(negative, "", &self.pad_digits(&digits)))
    }

    fn format_radix<'a>(&self, value: &Value<'a>) -> Result<Str<'a>> {
        let number = value
            .as_whole()
            .ok_or_else(|| self.kind_error("a whole number", value))?;
        let size = number.unsigned_abs();
        let (mark, digits) = match self.conversion {
            'x' => ("0x", format!("{size:x}")),
            'X' => ("0X", format!("{size:X}")),
            _ => ("0o", format!("{size:o}")),
        };
        let mark = if self.alternate { mark } else { "" };
        Ok(self.pad_number(number < 0, mark, &self.pad_digits(&digits)))
    }

    /// Pads the digits to the precision.
    fn pad_digits(&self, digits: &str) -> String {
        let missing = self.precision.unwrap_or(0).saturating_sub(digits.len());
        "0".repeat(missing) + digits
    }

    fn format_float<'a>(&self, value: &Value<'a>) -> Result<Str<'a>> {
        let number = value
            .as_number()
            .ok_or_else(|| self.kind_error("a number", value))?;
        let number = as_float(&number);
        let digits = format_decimals(
            number.abs(),
            self.conversion,
            self.precision.unwrap_or(6),
            self.alternate,
        );
        Ok(self.pad_number(number.is_sign_negative() && !number.is_nan(), "", &digits))
    }

    fn pad_number<'a>(&self, negative: bool, mark: &str, digits: &str) -> Str<'a> {
        let sign = match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        };
        let len = sign.len() + mark.len() + digits.len();
        let pad = self.width.saturating_sub(len);
        let text = match (self.left, self.zero) {
            (true, _) => format!("{sign}{mark}{digits}{}", " ".repeat(pad)),
            (_, true) => format!("{sign}{mark}{}{digits}", "0".repeat(pad)),
            _ => format!("{}{sign}{mark}{digits}", " ".repeat(pad)),
        };
        Str::from_shared(text, Origin::Data(None))
    }
}

fn read_number(
    chars: &mut PatternChars<'_>,
    taken: &mut PatternValues<'_, '_>,
) -> Result<Option<i128>> {
    if chars.next_if(|next| next.1 == '*').is_some() {
        return taken.next_whole().map(Some);
    }
    let mut number: Option<i128> = None;
    while let Some(digit) = chars.peek().and_then(|next| next.1.to_digit(10)) {
        chars.next();
        number = Some(
            number
                .unwrap_or(0)
                .saturating_mul(10)
                .saturating_add(i128::from(digit)),
        );
    }
    Ok(number)
}

/// A float that is not negative with so many decimals, in the style of its letter.
pub(crate) fn format_decimals(
    number: f64,
    style: char,
    precision: usize,
    alternate: bool,
) -> String {
    let text = if !number.is_finite() {
        if number.is_nan() {
            "nan".to_owned()
        } else {
            "inf".to_owned()
        }
    } else {
        match style.to_ascii_lowercase() {
            'f' => {
                let point = if alternate && precision == 0 { "." } else { "" };
                let (exact, zeros) = split_precision(precision);
                format!("{number:.exact$}{zeros}{point}")
            }
            'e' => format_scientific(number, precision, alternate),
            _ => format_general(number, precision.clamp(1, MAX_DECIMALS), alternate),
        }
    };
    if style.is_ascii_uppercase() {
        text.to_uppercase()
    } else {
        text
    }
}

/// No float has more digits behind its point; beyond, there are zeros, which Rust does not print in any number.
const MAX_DECIMALS: usize = 1100;

/// The number of decimals to format, and the zeros after them.
fn split_precision(precision: usize) -> (usize, String) {
    let exact = precision.min(MAX_DECIMALS);
    (exact, "0".repeat(precision - exact))
}

fn format_scientific(number: f64, precision: usize, alternate: bool) -> String {
    let (exact, zeros) = split_precision(precision);
    let text = format!("{number:.exact$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (mark, exponent) = exponent
        .strip_prefix('-')
        .map_or(('+', exponent), |rest| ('-', rest));
    let point = if alternate && precision == 0 { "." } else { "" };
    format!("{digits}{zeros}{point}e{mark}{exponent:0>2}")
}

/// So many digits in all, without zeros at the end unless asked.
fn format_general(number: f64, digits: usize, alternate: bool) -> String {
    let rounded = format!("{number:.*e}", digits - 1);
    let exponent: i64 = rounded
        .split_once('e')
        .and_then(|parts| parts.1.parse().ok())
        .unwrap_or(0);
    let digits_i = i64::try_from(digits).unwrap_or(i64::MAX);
    if exponent < -4 || exponent >= digits_i {
        let text = format_scientific(number, digits - 1, alternate);
        if alternate {
            return text;
        }
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "+00"));
        return format!("{}e{exponent}", without_zeros(mantissa));
    }
    let decimals = usize::try_from(digits_i - 1 - exponent).unwrap_or(0);
    let text = format!("{number:.decimals$}");
    if alternate {
        return if text.contains('.') { text } else { text + "." };
    }
    without_zeros(&text).to_owned()
}

fn without_zeros(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{template_str, tuple};

    /// Unusual formats give Python's text, or an error.
    #[test]
    fn many_digits() {
        let filled = |pattern: &'static str| {
            let Value::Text(pattern) = template_str(pattern) else {
                panic!("no text")
            };
            format_pattern(&pattern, &tuple(vec![Value::Float(0.5)])).map(|text| text.to_string())
        };
        assert_eq!(filled("%.70000f").unwrap().len(), 70_002);
        assert_eq!(filled("%.70000e").unwrap().len(), 70_006);
        assert_eq!(filled("%.70000g").unwrap(), "0.5");
        assert_eq!(filled("%70000f").unwrap().len(), 70_000);
        assert!(filled("%999999999999f").is_err());
    }
}
