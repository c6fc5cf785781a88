use std::fmt::Write as _;

use minijinja::value::{Kwargs, Value, ValueKind};
use minijinja::{Error, ErrorKind};

use crate::marks::Marks;
use prompt_core::python::float_repr;

/// How Python's `json.dumps` is asked to print.
pub(crate) struct Form {
    ascii: bool,
    indent: Option<String>,
    item: String,
    key: String,
    sorted: bool,
}

/// How deep values may nest.
pub(crate) const DEPTH: usize = 200;

impl Form {
    /// `first`: the argument without a name.
    pub(crate) fn read(first: Option<&Value>, kwargs: &Kwargs) -> Result<Form, Error> {
        let named = |name: &str| kwargs.get::<Option<Value>>(name);
        let is = |value: Option<Value>| value.is_some_and(|value| value.is_true());
        let indent = match named("indent")? {
            None => None,
            Some(value) if value.is_none() => None,
            Some(value) => match (value.as_str(), value.as_usize()) {
                (Some(text), _) => Some(text.to_owned()),
                (None, Some(width)) => Some(" ".repeat(width.min(64))),
                (None, None) => return Err(invalid("`indent` is a number or a string")),
            },
        };
        let (mut item, mut key) = (", ".to_owned(), ": ".to_owned());
        if indent.is_some() {
            item = ",".to_owned();
        }
        if let Some(separators) = named("separators")?.filter(|value| !value.is_none()) {
            let pair: Vec<Value> = separators.try_iter()?.take(3).collect();
            let [first, second] = &pair[..] else {
                return Err(invalid("`separators` are two"));
            };
            (item, key) = (first.to_string(), second.to_string());
        }
        let form = Form {
            ascii: is(first.cloned().or(named("ensure_ascii")?)),
            indent,
            item,
            key,
            sorted: is(named("sort_keys")?),
        };
        kwargs.assert_all_used()?;
        Ok(form)
    }
}

pub(crate) fn invalid(message: &'static str) -> Error {
    Error::new(ErrorKind::InvalidOperation, message)
}

/// A value as Python's `json.dumps` prints it. Marked characters are escaped as what they stand for, and stay marked.
pub(crate) fn dump(value: &Value, form: &Form, marks: Option<&Marks>) -> Result<Value, Error> {
    let mut printer = Printer {
        form,
        marks,
        out: String::new(),
    };
    printer.value(value, 0)?;
    Ok(Value::from(printer.out))
}

struct Printer<'a> {
    form: &'a Form,
    marks: Option<&'a Marks>,
    out: String,
}

impl Printer<'_> {
    fn value(&mut self, value: &Value, depth: usize) -> Result<(), Error> {
        if depth > DEPTH {
            return Err(invalid("the value nests too deep for JSON"));
        }
        match value.kind() {
            ValueKind::None => self.out.push_str("null"),
            ValueKind::Bool => self
                .out
                .push_str(if value.is_true() { "true" } else { "false" }),
            ValueKind::Number => self.number(value),
            ValueKind::String => self.string(value.as_str().unwrap_or_default()),
            ValueKind::Seq | ValueKind::Iterable => {
                let items: Vec<Value> = value.try_iter()?.collect();
                self.block(('[', ']'), &items, depth, |printer, item| {
                    printer.value(item, depth + 1)
                })?;
            }
            ValueKind::Map => {
                let mut keys: Vec<Value> = value.try_iter()?.collect();
                if self.form.sorted {
                    keys.sort();
                }
                self.block(('{', '}'), &keys, depth, |printer, key| {
                    match key.kind() {
                        ValueKind::String => printer.string(key.as_str().unwrap_or_default()),
                        _ => {
                            printer.out.push('"');
                            printer.value(key, depth + 1)?;
                            printer.out.push('"');
                        }
                    }
                    printer.out.push_str(&printer.form.key);
                    printer.value(&value.get_item(key)?, depth + 1)
                })?;
            }
            kind => {
                let message = format!("{kind} cannot be written as JSON");
                return Err(Error::new(ErrorKind::InvalidOperation, message));
            }
        }
        Ok(())
    }

    fn block(
        &mut self,
        (open, close): (char, char),
        items: &[Value],
        depth: usize,
        mut write: impl FnMut(&mut Self, &Value) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.out.push(open);
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.out.push_str(&self.form.item);
            }
            self.new_line(depth + 1);
            write(self, item)?;
        }
        if !items.is_empty() {
            self.new_line(depth);
        }
        self.out.push(close);
        Ok(())
    }

    fn new_line(&mut self, depth: usize) {
        if let Some(indent) = &self.form.indent {
            self.out.push('\n');
            self.out.extend(std::iter::repeat_n(&**indent, depth));
        }
    }

    fn number(&mut self, value: &Value) {
        if value.is_integer() {
            let _ = write!(self.out, "{value}");
            return;
        }
        let float = f64::try_from(value.clone()).unwrap_or(f64::NAN);
        match float {
            float if float.is_nan() => self.out.push_str("NaN"),
            float if float.is_infinite() => {
                self.out
                    .push_str(if float > 0.0 { "Infinity" } else { "-Infinity" });
            }
            float => self.out.push_str(&float_repr(float)),
        }
    }

    fn string(&mut self, text: &str) {
        self.out.push('"');
        let ascii = self.form.ascii;
        Marks::add_escaped(self.marks, text, &mut self.out, |out, char| {
            escape(out, char, ascii);
        });
        self.out.push('"');
    }
}

fn escape(out: &mut String, char: char, ascii: bool) {
    match char {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\u{8}' => out.push_str("\\b"),
        '\u{c}' => out.push_str("\\f"),
        char if char < ' ' || (ascii && !char.is_ascii()) => {
            let mut units = [0; 2];
            for unit in char.encode_utf16(&mut units) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
        char => out.push(char),
    }
}
