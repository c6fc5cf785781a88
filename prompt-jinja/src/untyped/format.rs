//! Python's `pattern.format(…)`.

use std::iter::Peekable;

use super::fault::{Fault, R};
use super::run::Run;
use super::text::{Builder, Str};
use super::value::Value;
use crate::builtin::chars::escape_non_ascii;
use crate::builtin::decimal::format_decimals;
use crate::builtin::number::{Number, write_decimal};
use crate::builtin::percent::{Spec, charge_size, radix_digits, read_digits};
use crate::builtin::{Host, SourcedStr};

impl Run<'_> {
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
        let (mut at, mut from) = (0, 0);
        while let Some(found) = pattern[from..].find(['{', '}']) {
            let brace = from + found;
            if !self.acts_as_placeholder(&pattern.slice(brace..brace + 1))? {
                from = brace + 1;
                continue;
            }
            out.push_str(&pattern.slice(at..brace));
            let rest = &pattern[brace..];
            if rest.starts_with("{{") || rest.starts_with("}}") {
                out.push_str(&pattern.slice(brace..brace + 1));
                (at, from) = (brace + 2, brace + 2);
                continue;
            }
            if rest.starts_with('}') {
                return Err(Fault::new("Single '}' encountered in format string"));
            }
            let end =
                field_end(rest).ok_or_else(|| Fault::new("expected '}' before end of string"))?;
            let field = pattern.slice(brace + 1..brace + end);
            (at, from) = (brace + end + 1, brace + end + 1);
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
        let (name, rest) = (field.slice(0..name_end), &field[name_end..]);
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
        let value = self.field_value(&name, given, named, auto)?;
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
            Some('s') => Value::Str(self.to_str(&value)?),
            Some('r') => Value::Str(self.to_repr(&value)?),
            Some('a') => Value::Str(self.to_repr(&value)?.map_pieces(escape_non_ascii)),
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
        name: &Str,
        given: &[Value],
        named: &Value,
        auto: &mut Numbering,
    ) -> R<Value> {
        let first_end = name.find(['.', '[']).unwrap_or(name.len());
        let (first, mut at) = (name.slice(0..first_end), first_end);
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
            let found = self.lookup_key(named, &Value::Str(first.clone()))?;
            found.ok_or_else(|| Fault::new(format!("'{}'", &*first)))?
        };
        while at < name.len() {
            let rest = &name[at..];
            if let Some(after) = rest.strip_prefix('.') {
                let end = after.find(['.', '[']).unwrap_or(after.len());
                value = self.attribute_by(&value, &name.slice(at + 1..at + 1 + end))?;
                at += 1 + end;
            } else if let Some(after) = rest.strip_prefix('[') {
                let end = after
                    .find(']')
                    .ok_or_else(|| Fault::new("Missing ']' in format string"))?;
                let key = match after[..end].parse::<i64>() {
                    Ok(index) => Value::int(index),
                    Err(_) => Value::Str(name.slice(at + 1..at + 1 + end)),
                };
                value = self.item(&value, &key)?;
                at += end + 2;
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
            return self.to_str(value);
        }
        let formatted = self.format_by_spec(value, text)?;
        // A specification that is data may be written as the fill.
        Ok(match text.source().is_data() {
            true => text.with_content(formatted.to_string()),
            false => formatted,
        })
    }

    fn format_by_spec(&mut self, value: &Value, text: &Str) -> R<Str> {
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
                let spec = match spec.zero && spec.fill.is_none() {
                    true => Spec {
                        fill: Some('0'),
                        ..spec
                    },
                    false => spec,
                };
                spec.pad_text(self, text, '<')
            }
            Value::Bool(..) if spec.kind.is_none() => {
                let number = Value::int(i64::from(value.is_true()));
                self.format_number(&number, &spec)
            }
            Value::Bool(..) | Value::Int(..) | Value::Big(..) | Value::Float(..) => {
                self.format_number(value, &spec)
            }
            other => Err(Fault::new(format!(
                "unsupported format string passed to {}.__format__",
                other.kind()
            ))),
        }
    }

    fn format_number(&mut self, value: &Value, spec: &Spec) -> R<Str> {
        let Some(number) = <Self as Host>::to_number(value) else {
            return self.to_str(value);
        };
        let is_float = matches!(number, Number::Float(_));
        let kind = match spec.kind {
            None if !is_float => 'd',
            None if spec.precision.is_some() => 'g',
            None => 'r',
            Some(kind) => kind,
        };
        match (kind, &number) {
            ('d' | 'b' | 'o' | 'x' | 'X' | 'c' | 'n', Number::Whole(whole)) => {
                if spec.precision.is_some() {
                    return Err(Fault::new(
                        "Precision not allowed in integer format specifier",
                    ));
                }
                if kind == 'c' {
                    let code = u32::try_from(value.to_index()?).ok();
                    let char = code.and_then(char::from_u32);
                    let char = char.ok_or_else(|| Fault::new("%c arg not in range(0x110000)"))?;
                    let text = Str::new(char.to_string(), value.source());
                    return spec.pad_text(self, &text, '>');
                }
                let (is_negative, mark, digits, each) = match kind {
                    'd' | 'n' => {
                        let (is_negative, digits) = write_decimal::<Self>(whole)?;
                        (is_negative, "", digits, 3)
                    }
                    kind => {
                        let (is_negative, mark, digits) = radix_digits(whole, kind);
                        (is_negative, mark, digits, 4)
                    }
                };
                let digits = match spec.grouping {
                    Some(sign) => group_digits(&digits, sign, each),
                    None => digits,
                };
                let sign = spec.write_sign(is_negative, mark);
                spec.pad_number(self, &sign, &digits, value)
            }
            ('e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%' | 'r' | 'n', number) => {
                let float = number.require_float::<Self>()?;
                let size = float.abs();
                let precision = spec.precision.unwrap_or(6);
                let decimals = |size, kind| format_decimals(size, kind, precision, spec.alternate);
                let digits = match kind {
                    '%' => decimals(size * 100.0, 'f') + "%",
                    'r' => prompt_core::python::float_repr(size),
                    'n' => decimals(size, 'g'),
                    // Without a type, a number keeps one digit behind its point.
                    'g' if spec.kind.is_none() => {
                        let text = decimals(size, 'g');
                        match float.is_finite() && !text.contains(['.', 'e']) {
                            true => text + ".0",
                            false => text,
                        }
                    }
                    kind => decimals(size, kind),
                };
                let digits = match spec.grouping {
                    Some(sign) => {
                        let is_end = |char: char| !char.is_ascii_digit();
                        let end = digits.find(is_end).unwrap_or(digits.len());
                        group_digits(&digits[..end], sign, 3) + &digits[end..]
                    }
                    None => digits,
                };
                let sign = spec.write_sign(float.is_sign_negative() && !float.is_nan(), "");
                spec.pad_number(self, &sign, &digits, value)
            }
            _ => {
                let of = value.kind();
                Err(Fault::new(format!(
                    "Unknown format code '{kind}' for object of type '{of}'"
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
            read_digits(|| {
                let digit = chars.peek().and_then(|char| char.to_digit(10))?;
                chars.next();
                Some(digit)
            })
        };
        if let Some(width) = digits(&mut chars) {
            spec.width = charge_size(self, width)?;
        }
        spec.grouping = chars.next_if(|char| ",_".contains(*char));
        if chars.next_if_eq(&'.').is_some() {
            let precision = digits(&mut chars)
                .ok_or_else(|| Fault::new("Format specifier missing precision"))?;
            spec.precision = Some(charge_size(self, precision)?);
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
