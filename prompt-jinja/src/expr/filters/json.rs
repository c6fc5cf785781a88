//! Values as JSON.

use std::fmt::Write as _;

use crate::expr::args::some;
use crate::expr::order::sorted;
use crate::expr::{Args, Fault, Result, Str, Value};
use prompt_core::python::float_repr;

/// `tojson(indent=none)`: JSON as Jinja2 writes it, with the keys in order, a space after `,` and `:`, and all that is not
/// ASCII, and `<`, `>`, `&` and `'`, as `\u003c`.
///
/// # Errors
/// What is not defined, keys that are no strings or numbers, and keys of different kinds.
///
/// ```
/// use prompt_jinja::expr::{Value, dict, filters::tojson, own};
///
/// let value = dict(vec![(own("b"), Value::None), (own("a"), own("<é>"))])?;
/// assert_eq!(tojson(&value, &[])?.to_string(), r#"{"a": "\u003c\u00e9\u003e", "b": null}"#);
/// # Ok::<(), prompt_jinja::expr::Fault>(())
/// ```
pub fn tojson<'a>(value: &Value<'a>, args: Args<'_, 'a>) -> Result<Value<'a>> {
    let indent = match some(args, 0) {
        None => None,
        Some(Value::Text(text)) => Some(text.to_string()),
        Some(width) => {
            let width = crate::expr::args::whole(width, "indent")?;
            Some(" ".repeat(crate::expr::args::size(width, "indent")?))
        }
    };
    let mut json = Json {
        out: String::new(),
        indent,
        depth: 0,
    };
    json.value(value)?;
    Ok(Str::made(json.out, value.source()).into())
}

struct Json {
    out: String,
    indent: Option<String>,
    depth: usize,
}

impl Json {
    fn value(&mut self, value: &Value<'_>) -> Result<()> {
        match value.defined()? {
            Value::Undefined(_) | Value::Failed(_) | Value::None | Value::Absent => {
                self.out.push_str("null");
            }
            Value::Bool(value) => self.out.push_str(if *value { "true" } else { "false" }),
            Value::Int(value) => {
                let _ = write!(self.out, "{value}");
            }
            Value::Float(value) => self.out.push_str(&float(*value)),
            Value::Text(text) => self.string(text),
            Value::List(items) | Value::Tuple(items) => {
                self.all('[', items, ']', |json, item| json.value(item))?;
            }
            Value::Dict(dict) => {
                let entries = dict.entries().iter().map(|entry| (entry.0.clone(), entry));
                let entries = sorted(entries.collect(), false)?;
                self.all('{', &entries, '}', |json, (key, (_, value))| {
                    json.string(&name(key)?);
                    json.out.push_str(": ");
                    json.value(value)
                })?;
            }
        }
        Ok(())
    }

    fn all<T>(
        &mut self,
        open: char,
        items: &[T],
        close: char,
        mut print: impl FnMut(&mut Json, &T) -> Result<()>,
    ) -> Result<()> {
        self.out.push(open);
        self.depth += 1;
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.out
                    .push_str(if self.indent.is_some() { "," } else { ", " });
            }
            self.line();
            print(self, item)?;
        }
        self.depth -= 1;
        if !items.is_empty() {
            self.line();
        }
        self.out.push(close);
        Ok(())
    }

    fn line(&mut self) {
        if let Some(indent) = &self.indent {
            self.out.push('\n');
            self.out.push_str(&indent.repeat(self.depth));
        }
    }

    fn string(&mut self, text: &str) {
        self.out.push('"');
        for char in text.chars() {
            match char {
                '"' => self.out.push_str("\\\""),
                '\\' => self.out.push_str("\\\\"),
                '\n' => self.out.push_str("\\n"),
                '\r' => self.out.push_str("\\r"),
                '\t' => self.out.push_str("\\t"),
                '\u{8}' => self.out.push_str("\\b"),
                '\u{c}' => self.out.push_str("\\f"),
                ' '..='~' if !matches!(char, '<' | '>' | '&' | '\'') => self.out.push(char),
                char => {
                    for unit in char.encode_utf16(&mut [0; 2]) {
                        let _ = write!(self.out, "\\u{unit:04x}");
                    }
                }
            }
        }
        self.out.push('"');
    }
}

/// A key of a JSON object.
fn name(key: &Value<'_>) -> Result<String> {
    Ok(match key.defined()? {
        Value::Text(text) => text.to_string(),
        Value::None | Value::Absent => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => float(*number),
        other => {
            return Err(Fault::new(format!(
                "{} cannot be the key of a JSON object",
                other.kind()
            )));
        }
    })
}

/// As Python writes it, where JSON has no word for it too.
fn float(number: f64) -> String {
    if number.is_nan() {
        "NaN".to_owned()
    } else if number.is_infinite() {
        if number > 0.0 {
            "Infinity".to_owned()
        } else {
            "-Infinity".to_owned()
        }
    } else {
        float_repr(number)
    }
}
