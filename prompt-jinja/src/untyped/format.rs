//! Python's `pattern % values` and `pattern.format(…)`.

use std::iter::Peekable;
use std::str::CharIndices;

use num_bigint::BigInt;
use num_traits::{FromPrimitive, Signed};

use super::fault::{Fault, R};
use super::ops::{Number, source_of};
use super::run::Run;
use super::text::{Builder, Source, Str};
use super::value::Value;
use crate::expr::chars::char_offset;
use crate::expr::printf::format_decimals;

type Chars<'s> = Peekable<CharIndices<'s>>;

/// Flags, width and precision of a field.
#[derive(Default)]
struct Spec {
    fill: Option<char>,
    /// `<`, `>`, `^` or `=`.
    align: Option<char>,
    sign: Option<char>,
    alternate: bool,
    zero: bool,
    width: usize,
    grouping: Option<char>,
    precision: Option<usize>,
    kind: Option<char>,
}

impl Run<'_> {
    /// Pads a text. The fill is text of the template.
    fn pad(&mut self, text: &Str, spec: &Spec, default: char) -> R<Str> {
        let missing = spec.width.saturating_sub(text.chars().count());
        if missing == 0 {
            return Ok(text.clone());
        }
        let fill = spec.fill.unwrap_or(' ');
        self.charge_bytes(missing.saturating_mul(fill.len_utf8()))?;
        let before = match spec.align.unwrap_or(default) {
            '<' => 0,
            '^' => missing / 2,
            _ => missing,
        };
        let fills = |count: usize| std::iter::repeat_n(fill, count).collect::<String>();
        let mut out = Builder::default();
        out.push_template(&fills(before));
        out.push_str(text);
        out.push_template(&fills(missing - before));
        Ok(out.finish())
    }

    /// Pads a number: its fill is placed between its sign and its digits where zeros or `=` ask for that.
    fn pad_number(&mut self, sign: &str, digits: &str, spec: &Spec, source: Source) -> R<Str> {
        let inside = spec.align == Some('=') || spec.align.is_none() && spec.zero;
        let count = digits.chars().count();
        let missing = spec.width.saturating_sub(sign.len() + count);
        if !inside || missing == 0 {
            let text = Str::new(format!("{sign}{digits}"), source);
            return self.pad(&text, spec, '>');
        }
        let fill = spec.fill.unwrap_or(if spec.zero { '0' } else { ' ' });
        self.charge_bytes(missing.saturating_mul(fill.len_utf8()))?;
        let fills: String = std::iter::repeat_n(fill, missing).collect();
        Ok(Str::new(format!("{sign}{fills}{digits}"), source))
    }

    fn sized(&mut self, number: i64, what: &str) -> R<usize> {
        let size =
            usize::try_from(number).map_err(|_| Fault::new(format!("the {what} is negative")))?;
        self.charge_bytes(size)?;
        Ok(size)
    }

    /// `pattern % values`.
    pub(super) fn format_percent(&mut self, pattern: &Str, values: &Value) -> R<Value> {
        self.charge_bytes(pattern.len())?;
        let given = match values {
            Value::Tuple(list) => list.items.clone(),
            other => vec![other.clone()],
        };
        let mut out = Builder::default();
        let mut next = given.iter();
        let mut is_named = false;
        let mut chars = pattern.char_indices().peekable();
        let mut copied = 0;
        while let Some((at, char)) = chars.next() {
            if char != '%' {
                continue;
            }
            out.push_str(&pattern.slice(copied..at));
            let key = percent_key(&mut chars, pattern)?;
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
            if let Some(width) = self.percent_number(&mut chars, &mut next)? {
                if width < 0 {
                    spec.align = Some('<');
                }
                spec.width = self.sized(width.saturating_abs(), "width")?;
            }
            if chars.next_if(|next| next.1 == '.').is_some() {
                let precision = self
                    .percent_number(&mut chars, &mut next)?
                    .unwrap_or(0)
                    .max(0);
                spec.precision = Some(self.sized(precision, "precision")?);
            }
            chars.next_if(|next| "hlL".contains(next.1));
            let Some((at, kind)) = chars.next() else {
                return Err(Fault::new("incomplete format"));
            };
            copied = at + kind.len_utf8();
            if kind == '%' {
                out.push_template("%");
                continue;
            }
            let value = match &key {
                Some(key) => {
                    is_named = true;
                    let Value::Dict(_) = values else {
                        return Err(Fault::new("format requires a mapping"));
                    };
                    self.lookup_key(values, &Value::template(&**key))?
                        .ok_or_else(|| Fault::new(format!("'{key}'")))?
                }
                None => next
                    .next()
                    .cloned()
                    .ok_or_else(|| Fault::new("not enough arguments for format string"))?,
            };
            spec.kind = Some(kind);
            let text = self.percent_value(&value, &spec)?;
            self.charge_bytes(text.len())?;
            out.push_str(&text);
        }
        out.push_str(&pattern.slice(copied..pattern.len()));
        let may_stay = is_named || matches!(values, Value::Dict(_) | Value::List(_));
        if next.next().is_some() && !may_stay {
            return Err(Fault::new(
                "not all arguments converted during string formatting",
            ));
        }
        Ok(Value::Str(out.finish_like(pattern)))
    }

    fn percent_number(
        &mut self,
        chars: &mut Chars<'_>,
        next: &mut std::slice::Iter<'_, Value>,
    ) -> R<Option<i64>> {
        if chars.next_if(|next| next.1 == '*').is_some() {
            return match next.next() {
                Some(number @ (Value::Int(..) | Value::Big(..) | Value::Bool(_))) => {
                    number.to_index().map(Some)
                }
                Some(_) => Err(Fault::new("* wants int")),
                None => Err(Fault::new("not enough arguments for format string")),
            };
        }
        let mut number: Option<i64> = None;
        while let Some(digit) = chars.peek().and_then(|next| next.1.to_digit(10)) {
            chars.next();
            let before = number.unwrap_or(0).saturating_mul(10);
            number = Some(before.saturating_add(i64::from(digit)));
        }
        Ok(number)
    }

    fn percent_value(&mut self, value: &Value, spec: &Spec) -> R<Str> {
        let kind = spec.kind.unwrap_or('s');
        match kind {
            's' | 'r' | 'a' => {
                let text = match kind {
                    's' => self.str_of(value)?,
                    'r' => self.repr(value)?,
                    _ => ascii(&self.repr(value)?),
                };
                let text = match spec.precision {
                    Some(most) => text.slice(0..char_offset(&text, most)),
                    None => text,
                };
                self.pad(&text, spec, '>')
            }
            'c' => {
                let text = match value {
                    Value::Str(text) if text.chars().count() == 1 => text.clone(),
                    Value::Int(code, source) => {
                        let char = u32::try_from(*code).ok().and_then(char::from_u32);
                        let char =
                            char.ok_or_else(|| Fault::new("%c arg not in range(0x110000)"))?;
                        Str::new(char.to_string(), *source)
                    }
                    _ => return Err(Fault::new("%c requires int or char")),
                };
                self.pad(&text, spec, '>')
            }
            'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'e' | 'E' | 'f' | 'F' | 'g' | 'G' => {
                let Some(number) = Number::of(value) else {
                    let found = value.kind();
                    if let Value::Undefined(reason) = value {
                        return Err(Fault::new(&**reason));
                    }
                    return Err(Fault::new(format!(
                        "%{kind} format: a real number is required, not {found}"
                    )));
                };
                if "eEfFgG".contains(kind) {
                    let number = number.to_f64();
                    let precision = spec.precision.unwrap_or(6);
                    let digits = format_decimals(number.abs(), kind, precision, spec.alternate);
                    let is_negative = number.is_sign_negative() && !number.is_nan();
                    let sign = sign_text(is_negative, spec.sign);
                    let spec = without_zeros(spec, number);
                    return self.pad_number(sign, &digits, &spec, value.source());
                }
                let whole = match number {
                    Number::Float(float) if "diu".contains(kind) => BigInt::from_f64(float.trunc())
                        .ok_or_else(|| {
                            Fault::new("cannot convert float infinity or NaN to integer")
                        })?,
                    Number::Float(_) => {
                        return Err(Fault::new(format!(
                            "%{kind} format: an integer is required, not float"
                        )));
                    }
                    number => number.to_big().unwrap_or_default(),
                };
                let magnitude = whole.abs();
                let (mark, digits) = match kind {
                    'x' => ("0x", format!("{magnitude:x}")),
                    'X' => ("0X", format!("{magnitude:X}")),
                    'o' => ("0o", format!("{magnitude:o}")),
                    _ => ("", super::ops::big_digits(&magnitude)?),
                };
                let mark = if spec.alternate { mark } else { "" };
                let missing = spec.precision.unwrap_or(0).saturating_sub(digits.len());
                let digits = "0".repeat(missing) + &digits;
                let sign = format!("{}{mark}", sign_text(whole.is_negative(), spec.sign));
                self.pad_number(&sign, &digits, spec, value.source())
            }
            other => Err(Fault::new(format!(
                "unsupported format character '{other}'"
            ))),
        }
    }

    /// `pattern.format(*given, **named)`.
    pub(super) fn format_fields(
        &mut self,
        pattern: &Str,
        given: &[Value],
        named: &Value,
    ) -> R<Value> {
        self.charge_bytes(pattern.len())?;
        let mut auto = Numbering::default();
        let text = self.format_part(pattern, given, named, &mut auto, 2)?;
        Ok(Value::Str(text))
    }

    fn format_part(
        &mut self,
        pattern: &Str,
        given: &[Value],
        named: &Value,
        auto: &mut Numbering,
        levels: usize,
    ) -> R<Str> {
        let mut out = Builder::default();
        let mut at = 0;
        while let Some(found) = pattern[at..].find(['{', '}']) {
            let brace = at + found;
            out.push_str(&pattern.slice(at..brace));
            let rest = &pattern[brace..];
            if rest.starts_with("{{") || rest.starts_with("}}") {
                out.push_str(&pattern.slice(brace..brace + 1));
                at = brace + 2;
                continue;
            }
            if rest.starts_with('}') {
                return Err(Fault::new("Single '}' encountered in format string"));
            }
            let end =
                field_end(rest).ok_or_else(|| Fault::new("expected '}' before end of string"))?;
            let field = pattern.slice(brace + 1..brace + end);
            at = brace + end + 1;
            let text = self.format_field(&field, given, named, auto, levels)?;
            self.charge_bytes(text.len())?;
            out.push_str(&text);
        }
        out.push_str(&pattern.slice(at..pattern.len()));
        Ok(out.finish_like(pattern))
    }

    fn format_field(
        &mut self,
        field: &Str,
        given: &[Value],
        named: &Value,
        auto: &mut Numbering,
        levels: usize,
    ) -> R<Str> {
        if levels == 0 {
            return Err(Fault::new("Max string recursion exceeded"));
        }
        let name_end = field_name_end(field);
        let (name, rest) = (&field[..name_end], &field[name_end..]);
        let (conversion, spec_start) = match rest.strip_prefix('!') {
            Some(rest) => {
                let conversion = rest.chars().next();
                let conversion = conversion.ok_or_else(|| {
                    Fault::new("end of string while looking for conversion specifier")
                })?;
                (Some(conversion), name_end + 1 + conversion.len_utf8())
            }
            None => (None, name_end),
        };
        let value = self.field_value(name, given, named, auto)?;
        let spec = match &field[spec_start..] {
            "" => Str::template(""),
            rest if rest.starts_with(':') => {
                let spec = field.slice(spec_start + 1..field.len());
                self.format_part_of_spec(&spec, given, named, auto, levels)?
            }
            _ => return Err(Fault::new("expected ':' after conversion specifier")),
        };
        let value = match conversion {
            None => value,
            Some('s') => Value::Str(self.str_of(&value)?),
            Some('r') => Value::Str(self.repr(&value)?),
            Some('a') => Value::Str(ascii(&self.repr(&value)?)),
            Some(other) => return Err(Fault::new(format!("Unknown conversion specifier {other}"))),
        };
        self.format_value(&value, &spec)
    }

    fn format_part_of_spec(
        &mut self,
        spec: &Str,
        given: &[Value],
        named: &Value,
        auto: &mut Numbering,
        levels: usize,
    ) -> R<Str> {
        match spec.contains('{') {
            true => self.format_part(spec, given, named, auto, levels - 1),
            false => Ok(spec.clone()),
        }
    }

    /// The value of a field such as `0.name[key]`.
    fn field_value(
        &mut self,
        name: &str,
        given: &[Value],
        named: &Value,
        auto: &mut Numbering,
    ) -> R<Value> {
        let first_end = name.find(['.', '[']).unwrap_or(name.len());
        let (first, mut rest) = name.split_at(first_end);
        let by_index = |index: usize| {
            given.get(index).cloned().ok_or_else(|| {
                Fault::new(format!(
                    "Replacement index {index} out of range for positional args tuple"
                ))
            })
        };
        let mut value = if first.is_empty() {
            if auto.is_manual {
                return Err(Fault::new(
                    "cannot switch from manual field specification to automatic field numbering",
                ));
            }
            auto.next += 1;
            by_index(auto.next - 1)?
        } else if let Ok(index) = first.parse::<usize>() {
            if auto.next > 0 {
                return Err(Fault::new(
                    "cannot switch from automatic field numbering to manual field specification",
                ));
            }
            auto.is_manual = true;
            by_index(index)?
        } else {
            let found = self.lookup_key(named, &Value::template(first))?;
            found.ok_or_else(|| Fault::new(format!("'{first}'")))?
        };
        while !rest.is_empty() {
            if let Some(after) = rest.strip_prefix('.') {
                let end = after.find(['.', '[']).unwrap_or(after.len());
                value = self.attribute(&value, &after[..end])?;
                rest = &after[end..];
            } else if let Some(after) = rest.strip_prefix('[') {
                let end = after
                    .find(']')
                    .ok_or_else(|| Fault::new("Missing ']' in format string"))?;
                let key = match after[..end].parse::<i64>() {
                    Ok(index) => Value::int(index),
                    Err(_) => Value::template(&after[..end]),
                };
                value = self.item(&value, &key)?;
                rest = &after[end + 1..];
            } else {
                return Err(Fault::new(
                    "Only '.' or '[' may follow ']' in format field specifier",
                ));
            }
        }
        Ok(value)
    }

    /// Python's `format(value, spec)`.
    fn format_value(&mut self, value: &Value, text: &Str) -> R<Str> {
        if text.is_empty() {
            return self.str_of(value);
        }
        let spec = self.parse_spec(text)?;
        match value {
            Value::Str(text) => {
                if spec.grouping.is_some()
                    || spec.kind.is_some_and(|kind| kind != 's')
                    || spec.sign.is_some()
                    || spec.align == Some('=')
                {
                    return Err(Fault::new("the format is not one of a string"));
                }
                let text = match spec.precision {
                    Some(most) => text.slice(0..char_offset(text, most)),
                    None => text.clone(),
                };
                let spec = match spec.zero && spec.fill.is_none() {
                    true => Spec {
                        fill: Some('0'),
                        ..spec
                    },
                    false => spec,
                };
                self.pad(&text, &spec, '<')
            }
            Value::Bool(_) if spec.kind.is_none() => {
                let number = Value::int(i64::from(value.is_true()));
                self.format_number(&number, &spec)
            }
            Value::Bool(_) | Value::Int(..) | Value::Big(..) | Value::Float(..) => {
                self.format_number(value, &spec)
            }
            other => Err(Fault::new(format!(
                "unsupported format string passed to {}.__format__",
                other.kind()
            ))),
        }
    }

    fn format_number(&mut self, value: &Value, spec: &Spec) -> R<Str> {
        let source = source_of(&[value]);
        let Some(number) = Number::of(value) else {
            return self.str_of(value);
        };
        let is_float = matches!(number, Number::Float(_));
        let kind = match spec.kind {
            None if !is_float => 'd',
            None if spec.precision.is_some() => 'g',
            None => 'r',
            Some(kind) => kind,
        };
        match kind {
            'd' | 'b' | 'o' | 'x' | 'X' | 'c' | 'n' if !is_float => {
                let whole = number.to_big().unwrap_or_default();
                if spec.precision.is_some() {
                    return Err(Fault::new(
                        "Precision not allowed in integer format specifier",
                    ));
                }
                let magnitude = whole.abs();
                let (mark, digits) = match kind {
                    'b' => ("0b", format!("{magnitude:b}")),
                    'o' => ("0o", format!("{magnitude:o}")),
                    'x' => ("0x", format!("{magnitude:x}")),
                    'X' => ("0X", format!("{magnitude:X}")),
                    'c' => {
                        let code = magnitude.iter_u32_digits().next().unwrap_or(0);
                        let char = char::from_u32(code)
                            .ok_or_else(|| Fault::new("%c arg not in range(0x110000)"))?;
                        let text = Str::new(char.to_string(), source);
                        return self.pad(&text, spec, '>');
                    }
                    _ => ("", super::ops::big_digits(&magnitude)?),
                };
                let each = if matches!(kind, 'd' | 'n') { 3 } else { 4 };
                let digits = match spec.grouping {
                    Some(sign) => group_digits(&digits, sign, each),
                    None => digits,
                };
                let mark = if spec.alternate { mark } else { "" };
                let sign = format!("{}{mark}", sign_text(whole.is_negative(), spec.sign));
                self.pad_number(&sign, &digits, spec, source)
            }
            'e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%' | 'r' | 'n' => {
                let float = number.to_f64();
                let precision = spec.precision.unwrap_or(6);
                let digits = match kind {
                    '%' => {
                        format_decimals(float.abs() * 100.0, 'f', precision, spec.alternate) + "%"
                    }
                    'r' => prompt_core::python::float_repr(float.abs()),
                    'n' => format_decimals(float.abs(), 'g', precision, spec.alternate),
                    // Without a type, a number keeps one digit behind its point.
                    'g' if spec.kind.is_none() => {
                        let text = format_decimals(float.abs(), 'g', precision, spec.alternate);
                        match float.is_finite() && !text.contains(['.', 'e']) {
                            true => text + ".0",
                            false => text,
                        }
                    }
                    kind => format_decimals(float.abs(), kind, precision, spec.alternate),
                };
                let digits = match spec.grouping {
                    Some(sign) => {
                        let end = digits
                            .find(|char: char| !char.is_ascii_digit())
                            .unwrap_or(digits.len());
                        group_digits(&digits[..end], sign, 3) + &digits[end..]
                    }
                    None => digits,
                };
                let is_negative = float.is_sign_negative() && !float.is_nan();
                self.pad_number(sign_text(is_negative, spec.sign), &digits, spec, source)
            }
            other => {
                let kind = value.kind();
                Err(Fault::new(format!(
                    "Unknown format code '{other}' for object of type '{kind}'"
                )))
            }
        }
    }

    fn parse_spec(&mut self, text: &str) -> R<Spec> {
        let mut spec = Spec::default();
        let mut chars = text.chars().peekable();
        let mut ahead = text.chars();
        let (first, second) = (ahead.next(), ahead.next());
        let is_align = |char: Option<char>| char.is_some_and(|char| "<>=^".contains(char));
        if is_align(second) {
            spec.fill = first;
            spec.align = second;
            chars.nth(1);
        } else if is_align(first) {
            spec.align = first;
            chars.next();
        }
        spec.sign = chars
            .next_if(|char| "+- ".contains(*char))
            .filter(|sign| *sign != '-');
        spec.alternate = chars.next_if_eq(&'#').is_some();
        spec.zero = chars.next_if_eq(&'0').is_some();
        let digits = |chars: &mut Peekable<std::str::Chars<'_>>| {
            let mut number: Option<i64> = None;
            while let Some(digit) = chars.peek().and_then(|char| char.to_digit(10)) {
                chars.next();
                number = Some(
                    number
                        .unwrap_or(0)
                        .saturating_mul(10)
                        .saturating_add(i64::from(digit)),
                );
            }
            number
        };
        if let Some(width) = digits(&mut chars) {
            spec.width = self.sized(width, "width")?;
        }
        spec.grouping = chars.next_if(|char| ",_".contains(*char));
        if chars.next_if_eq(&'.').is_some() {
            let precision = digits(&mut chars)
                .ok_or_else(|| Fault::new("Format specifier missing precision"))?;
            spec.precision = Some(self.sized(precision, "precision")?);
        }
        spec.kind = chars.next();
        match chars.next() {
            Some(_) => Err(Fault::new(format!("Invalid format specifier '{text}'"))),
            None => Ok(spec),
        }
    }
}

/// How fields without a name are numbered.
#[derive(Default)]
struct Numbering {
    next: usize,
    is_manual: bool,
}

/// Infinity and `nan` are not padded with zeros by `%`.
fn without_zeros(spec: &Spec, number: f64) -> Spec {
    Spec {
        zero: spec.zero && number.is_finite(),
        fill: spec.fill,
        align: spec.align,
        sign: spec.sign,
        alternate: spec.alternate,
        width: spec.width,
        grouping: None,
        precision: spec.precision,
        kind: spec.kind,
    }
}

/// Python's `ascii`, of a text that `repr` wrote.
fn ascii(text: &Str) -> Str {
    text.map_pieces(|piece| {
        let mut out = String::with_capacity(piece.len());
        for char in piece.chars() {
            let code = u32::from(char);
            match code {
                0..=0x7f => out.push(char),
                0x80..=0xff => out.push_str(&format!("\\x{code:02x}")),
                0x100..=0xffff => out.push_str(&format!("\\u{code:04x}")),
                _ => out.push_str(&format!("\\U{code:08x}")),
            }
        }
        out
    })
}

fn sign_text(is_negative: bool, sign: Option<char>) -> &'static str {
    match (is_negative, sign) {
        (true, _) => "-",
        (_, Some('+')) => "+",
        (_, Some(' ')) => " ",
        _ => "",
    }
}

fn group_digits(digits: &str, sign: char, each: usize) -> String {
    let mut out = String::with_capacity(digits.len() * 2);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(each) {
            out.push(sign);
        }
        out.push(digit);
    }
    out
}

/// The key between `%(` and `)`.
fn percent_key(chars: &mut Chars<'_>, pattern: &str) -> R<Option<String>> {
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
            return Ok(Some(pattern[start..at].to_owned()));
        }
    }
    Err(Fault::new("incomplete format key"))
}

/// The end of the name of a field: `:` and `!` within brackets belong to it.
fn field_name_end(field: &str) -> usize {
    let mut is_inside = false;
    for (at, char) in field.char_indices() {
        match char {
            '[' => is_inside = true,
            ']' => is_inside = false,
            ':' | '!' if !is_inside => return at,
            _ => {}
        }
    }
    field.len()
}

/// The position of the brace that closes a field.
fn field_end(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, char) in text.char_indices() {
        match char {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}
