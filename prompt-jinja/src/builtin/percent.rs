//! Python's `pattern % values`.

use std::iter::Peekable;
use std::str::CharIndices;

use super::args::clamp_size;
use super::chars::{char_offset, escape_non_ascii};
use super::decimal::format_decimals;
use super::number::{Number, Whole, write_decimal};
use super::{Args, BuilderOf, Host, Made, Outcome, SourcedStr, StrBuilder, View};

type PatternChars<'s> = Peekable<CharIndices<'s>>;

/// Flags, width and precision of a value that is formatted.
#[derive(Clone, Default)]
pub(crate) struct Spec {
    pub(crate) fill: Option<char>,
    /// `<`, `>`, `^` or `=`.
    pub(crate) align: Option<char>,
    pub(crate) sign: Option<char>,
    pub(crate) alternate: bool,
    pub(crate) zero: bool,
    pub(crate) width: usize,
    pub(crate) grouping: Option<char>,
    pub(crate) precision: Option<usize>,
    pub(crate) kind: Option<char>,
}

impl Spec {
    /// A text cut to the precision, and padded. The fill is text of the template.
    pub(crate) fn pad_text<H: Host>(
        &self,
        host: &mut H,
        text: &H::Str,
        default_align: char,
    ) -> Outcome<H, H::Str> {
        let text = match self.precision {
            Some(most) => text.slice(0..char_offset(text, most)),
            None => text.clone(),
        };
        let missing = self.width.saturating_sub(text.chars().count());
        if missing == 0 {
            return Ok(text);
        }
        let fill = self.fill.unwrap_or(' ');
        host.charge_result(missing.saturating_mul(fill.len_utf8()))?;
        let before = match self.align.unwrap_or(default_align) {
            '<' => 0,
            '^' => missing / 2,
            _ => missing,
        };
        let mut out = BuilderOf::<H>::default();
        out.push_template(&repeat_char(fill, before));
        out.push_str(&text);
        out.push_template(&repeat_char(fill, missing - before));
        Ok(out.finish_like(&text))
    }

    /// Pads a number: its fill is placed between its sign and its digits where zeros or `=` ask for that.
    pub(crate) fn pad_number<H: Host>(
        &self,
        host: &mut H,
        sign: &str,
        digits: &str,
        of: &H::Value,
    ) -> Outcome<H, H::Str> {
        let inside = self.align == Some('=') || self.align.is_none() && self.zero;
        let missing = self
            .width
            .saturating_sub(sign.len() + digits.chars().count());
        if !inside || missing == 0 {
            let spec = Spec {
                precision: None,
                ..self.clone()
            };
            let text = H::text_of_number(format!("{sign}{digits}"), of);
            return spec.pad_text(host, &text, '>');
        }
        let fill = self.fill.unwrap_or(if self.zero { '0' } else { ' ' });
        host.charge_result(missing.saturating_mul(fill.len_utf8()))?;
        let fill = repeat_char(fill, missing);
        Ok(H::text_of_number(format!("{sign}{fill}{digits}"), of))
    }

    /// What is written before the digits of a number: its sign, and the mark of its radix.
    pub(crate) fn write_sign(&self, is_negative: bool, mark: &str) -> String {
        let sign = match (is_negative, self.sign) {
            (true, _) => "-",
            (_, Some('+')) => "+",
            (_, Some(' ')) => " ",
            _ => "",
        };
        let mark = if self.alternate { mark } else { "" };
        format!("{sign}{mark}")
    }
}

fn repeat_char(char: char, count: usize) -> String {
    std::iter::repeat_n(char, count).collect()
}

/// A width or precision; what is built from it is charged.
pub(crate) fn charge_size<H: Host>(host: &mut H, number: i64) -> Outcome<H, usize> {
    let size = clamp_size(number);
    host.charge_result(size)?;
    Ok(size)
}

/// The values that are filled in by their order.
struct PatternValues<'s, H: Host> {
    given: &'s [H::Value],
    at: usize,
}

impl<'s, H: Host> PatternValues<'s, H> {
    fn next_value(&mut self) -> Outcome<H, &'s H::Value> {
        let value = self.given.get(self.at);
        self.at += 1;
        value.ok_or_else(|| H::make_error("the pattern has more places than there are values"))
    }

    /// A width or precision: digits, or `*` for the next value.
    fn read_number(&mut self, chars: &mut PatternChars<'_>) -> Outcome<H, Option<i64>> {
        if chars.next_if(|next| next.1 == '*').is_none() {
            return Ok(read_digits(|| {
                let digit = chars.peek().and_then(|next| next.1.to_digit(10))?;
                chars.next();
                Some(digit)
            }));
        }
        let value = self.next_value()?;
        match H::view_value(value) {
            View::Whole | View::Bool(_) => H::to_whole(value, "*").map(Some),
            _ => Err(H::make_error("`*` in a pattern takes a whole number")),
        }
    }
}

/// A decimal number; nothing without digits.
pub(crate) fn read_digits(mut next_digit: impl FnMut() -> Option<u32>) -> Option<i64> {
    let mut number: Option<i64> = None;
    while let Some(digit) = next_digit() {
        let before = number.unwrap_or(0).saturating_mul(10);
        number = Some(before.saturating_add(i64::from(digit)));
    }
    number
}

/// The key between `%(` and `)`.
fn read_key<H: Host>(chars: &mut PatternChars<'_>, pattern: &H::Str) -> Outcome<H, Option<H::Str>> {
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
            return Ok(Some(pattern.slice(start..at)));
        }
    }
    Err(H::make_error("a `%(` in the pattern is never closed"))
}

fn read_spec<H: Host>(
    host: &mut H,
    chars: &mut PatternChars<'_>,
    taken: &mut PatternValues<'_, H>,
) -> Outcome<H, Spec> {
    let mut spec = Spec::default();
    while let Some((_, flag)) = chars.next_if(|next| "-+ 0#".contains(next.1)) {
        match flag {
            '-' => spec.align = Some('<'),
            '+' => spec.sign = Some('+'),
            ' ' => spec.sign = spec.sign.or(Some(' ')),
            '0' => spec.zero = true,
            _ => spec.alternate = true,
        }
    }
    if let Some(width) = taken.read_number(chars)? {
        if width < 0 {
            spec.align = Some('<');
        }
        spec.width = charge_size(host, width.saturating_abs())?;
    }
    if chars.next_if(|next| next.1 == '.').is_some() {
        let precision = taken.read_number(chars)?.unwrap_or(0);
        spec.precision = Some(charge_size(host, precision)?);
    }
    // The length of a C type, which Python accepts and ignores.
    chars.next_if(|next| "hlL".contains(next.1));
    spec.kind = chars.next().map(|next| next.1);
    Ok(spec)
}

/// Fills the conversions of a pattern: `%s`, `%d`, `%.2f`, `%(name)s` and their kin.
pub(crate) fn format_percent<H: Host>(
    host: &mut H,
    pattern: &H::Str,
    values: &H::Value,
) -> Made<H> {
    host.charge_bytes(pattern.len())?;
    let given = match H::view_value(values) {
        View::Tuple(items) => items,
        _ => std::slice::from_ref(values),
    };
    let mut out = BuilderOf::<H>::default();
    let mut taken = PatternValues::<H> { given, at: 0 };
    let mut named = false;
    let mut chars = pattern.char_indices().peekable();
    let mut copied = 0;
    while let Some((at, char)) = chars.next() {
        if char != '%' || !host.may_replace(&pattern.slice(at..at + 1))? {
            continue;
        }
        out.push_range(pattern, copied..at);
        if chars.next_if(|next| next.1 == '%').is_some() {
            out.push_range(pattern, at..at + 1);
            copied = at + 2;
            continue;
        }
        let key = read_key::<H>(&mut chars, pattern)?;
        let spec = read_spec(host, &mut chars, &mut taken)?;
        copied = chars.peek().map_or(pattern.len(), |next| next.0);
        let found;
        let value = match key {
            Some(key) => {
                named = true;
                let View::Dict(_) = H::view_value(values) else {
                    return Err(H::make_error("`%(name)` takes its values from a dict"));
                };
                let missing = || H::make_error(format!("the dict has no key `{}`", &*key));
                let value = host.get_entry(values, &H::from_str(key.clone()))?;
                found = value.ok_or_else(missing)?;
                &found
            }
            None => taken.next_value()?,
        };
        let text = format_value(host, value, &spec)?;
        host.charge_result(text.len())?;
        out.push_str(&text);
    }
    out.push_range(pattern, copied..pattern.len());
    // Python accepts values that no conversion takes if they may have keys, since one value may serve any number of conversions by name.
    let has_keys = matches!(
        H::view_value(values),
        View::Dict(_) | View::List(_) | View::Undefined
    );
    let may_stay = named || has_keys;
    if taken.at < given.len() && !may_stay {
        let (conversions, values) = (taken.at, given.len());
        let help = match given.first().map(H::view_value) {
            Some(View::Str(first)) if conversions == 0 && first.contains('%') => {
                "write the pattern before the filter, and the value in parentheses: `'%.2f' | format(value)`"
            }
            _ => "write a `%s` in the pattern for each value",
        };
        return Err(H::error_with_help(
            format!("the pattern has {conversions} places for {values} values"),
            help,
        ));
    }
    Ok(H::from_str(out.finish_like(pattern)))
}

fn format_value<H: Host>(host: &mut H, value: &H::Value, spec: &Spec) -> Outcome<H, H::Str> {
    let Some(kind) = spec.kind else {
        let help = "write `%%` for a `%`";
        return Err(H::error_with_help("the pattern ends after `%`", help));
    };
    match kind {
        's' | 'r' | 'a' => {
            let text = match kind {
                's' => host.to_str(value)?,
                'r' => host.to_repr(value)?,
                _ => host.to_repr(value)?.map_pieces(escape_non_ascii),
            };
            spec.pad_text(host, &text, '>')
        }
        'c' => {
            let text = format_char::<H>(value)?;
            let whole = Spec {
                precision: None,
                ..spec.clone()
            };
            whole.pad_text(host, &text, '>')
        }
        'd' | 'i' | 'u' => {
            let (is_negative, digits) = match H::to_number(value) {
                Some(Number::Whole(number)) => write_decimal::<H>(&number)?,
                // All digits of the whole part, however many.
                Some(Number::Float(number)) if number.is_finite() => {
                    (number <= -1.0, format!("{:.0}", number.trunc().abs()))
                }
                _ => return Err(conversion_error::<H>(kind, "a finite number", value)),
            };
            let sign = spec.write_sign(is_negative, "");
            spec.pad_number(host, &sign, &spec_digits(spec, &digits), value)
        }
        'x' | 'X' | 'o' => {
            let Some(Number::Whole(number)) = H::to_number(value) else {
                return Err(conversion_error::<H>(kind, "a whole number", value));
            };
            let (is_negative, mark, digits) = radix_digits(&number, kind);
            let sign = spec.write_sign(is_negative, mark);
            spec.pad_number(host, &sign, &spec_digits(spec, &digits), value)
        }
        'e' | 'E' | 'f' | 'F' | 'g' | 'G' => {
            let Some(number) = H::to_number(value) else {
                return Err(conversion_error::<H>(kind, "a number", value));
            };
            let number = number.require_float::<H>()?;
            let precision = spec.precision.unwrap_or(6);
            let digits = format_decimals(number.abs(), kind, precision, spec.alternate);
            let sign = spec.write_sign(number.is_sign_negative() && !number.is_nan(), "");
            spec.pad_number(host, &sign, &digits, value)
        }
        other => Err(H::error_with_help(
            format!("a pattern has no `%{other}`"),
            "write `%%` for a `%`, and `%s` for any value",
        )),
    }
}

fn conversion_error<H: Host>(kind: char, wanted: &str, value: &H::Value) -> H::Error {
    H::kind_error(&format!("`%{kind}` takes {wanted}"), value)
}

/// The character that `%c` writes.
fn format_char<H: Host>(value: &H::Value) -> Outcome<H, H::Str> {
    if let View::Str(text) = H::view_value(value)
        && text.chars().count() == 1
    {
        return Ok(text.clone());
    }
    let code = match H::view_value(value) {
        View::Whole | View::Bool(_) => u32::try_from(H::to_whole(value, "%c")?).ok(),
        _ => None,
    };
    let char = code.and_then(char::from_u32);
    let char = char.ok_or_else(|| conversion_error::<H>('c', "a character", value))?;
    Ok(H::text_of_number(char.to_string(), value))
}

/// Whether a number is negative, the mark of its radix, and its digits.
pub(crate) fn radix_digits(number: &impl Whole, kind: char) -> (bool, &'static str, String) {
    let (mark, radix) = match kind {
        'b' => ("0b", 2),
        'o' => ("0o", 8),
        'x' => ("0x", 16),
        _ => ("0X", 16),
    };
    let (is_negative, digits) = number.to_digits(radix);
    match kind {
        'X' => (is_negative, mark, digits.to_uppercase()),
        _ => (is_negative, mark, digits),
    }
}

/// The digits of a whole number, as many as the precision at least.
fn spec_digits(spec: &Spec, digits: &str) -> String {
    let missing = spec.precision.unwrap_or(0).saturating_sub(digits.len());
    "0".repeat(missing) + digits
}

/// `"%s is %d" | format(name, age)`, as Python's `%`.
pub(crate) fn format<H: Host>(host: &mut H, value: &H::Value, args: Args<'_, H>) -> Made<H> {
    let pattern = host.to_str(value)?;
    let values = host.make_tuple(args.0.iter().flatten().cloned().collect())?;
    format_percent(host, &pattern, &values)
}
