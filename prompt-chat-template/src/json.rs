//! The filter `tojson`, as transformers defines it.

use minijinja::value::{Kwargs, Value, ValueKind};
use minijinja::{Error, ErrorKind};

use crate::context::RenderContext;
use crate::marks::Marks;
use prompt_base::json::{Escapes, JsonPrinter, JsonStyle, push_char};
use prompt_core::python::json_float;

/// How Python's `json.dumps` is asked to print.
pub(crate) struct JsonOptions {
    ascii: bool,
    indent: Option<String>,
    item: String,
    key: String,
    sorted: bool,
}

impl JsonOptions {
    /// `first`: the argument without a name.
    pub(crate) fn from_arguments(
        first: Option<&Value>,
        kwargs: &Kwargs,
    ) -> Result<JsonOptions, Error> {
        let named = |name: &str| kwargs.get::<Option<Value>>(name);
        let is = |value: Option<Value>| value.is_some_and(|value| value.is_true());
        let indent = match named("indent")? {
            None => None,
            Some(value) if value.is_none() => None,
            Some(value) => match (value.as_str(), value.as_usize()) {
                (Some(text), _) => Some(text.to_owned()),
                (None, Some(width)) => Some(" ".repeat(width.min(64))),
                (None, None) => return Err(invalid_operation("`indent` is a number or a string")),
            },
        };
        let (mut item, mut key) = (", ".to_owned(), ": ".to_owned());
        if indent.is_some() {
            item = ",".to_owned();
        }
        if let Some(separators) = named("separators")?.filter(|value| !value.is_none()) {
            let pair: Vec<Value> = separators.try_iter()?.take(3).collect();
            let [first, second] = &pair[..] else {
                return Err(invalid_operation("`separators` are two"));
            };
            (item, key) = (first.to_string(), second.to_string());
        }
        let form = JsonOptions {
            ascii: is(first.cloned().or(named("ensure_ascii")?)),
            indent,
            item,
            key,
            sorted: is(named("sort_keys")?),
        };
        kwargs.assert_all_used()?;
        Ok(form)
    }

    /// The length of its texts.
    pub(crate) fn separator_bytes(&self) -> usize {
        self.indent.as_ref().map_or(0, String::len) + self.item.len() + self.key.len()
    }
}

pub(crate) fn invalid_operation(message: &'static str) -> Error {
    Error::new(ErrorKind::InvalidOperation, message)
}

/// A value as Python's `json.dumps` prints it. Placeholders are escaped as the characters that they represent.
pub(crate) fn print_json(
    value: &Value,
    form: &JsonOptions,
    context: &RenderContext,
) -> Result<Value, Error> {
    let style = JsonStyle {
        item: &form.item,
        key: &form.key,
        indent: form.indent.as_deref(),
    };
    // Printing an item takes longer than its few bytes would cost.
    context.charge_deep(value)?;
    let mut dump = JsonDump {
        form,
        context,
        printer: JsonPrinter::new(style),
        charged: 0,
    };
    dump.print_value(value)?;
    context.charge_printed(&dump.printer, &mut dump.charged)?;
    Ok(Value::from(dump.printer.out))
}

struct JsonDump<'a> {
    form: &'a JsonOptions,
    context: &'a RenderContext,
    printer: JsonPrinter<'a>,
    /// The length of the text that is charged.
    charged: usize,
}

impl JsonDump<'_> {
    fn print_value(&mut self, value: &Value) -> Result<(), Error> {
        self.context
            .charge_printed(&self.printer, &mut self.charged)?;
        match value.kind() {
            ValueKind::None => self.printer.push("null"),
            ValueKind::Bool if value.is_true() => self.printer.push("true"),
            ValueKind::Bool => self.printer.push("false"),
            ValueKind::Number if value.is_integer() => self.printer.push(&value.to_string()),
            ValueKind::Number => {
                let number = f64::try_from(value.clone()).unwrap_or(f64::NAN);
                self.printer.push(&json_float(number));
            }
            ValueKind::String => self.print_string(value.as_str().unwrap_or_default()),
            ValueKind::Seq | ValueKind::Iterable => {
                self.printer.open_bracket("[");
                for item in value.try_iter()? {
                    self.printer.begin_item();
                    self.print_value(&item)?;
                }
                self.printer.close_bracket("]");
            }
            ValueKind::Map => {
                let mut keys: Vec<Value> = value.try_iter()?.collect();
                if self.form.sorted {
                    keys.sort();
                }
                self.printer.open_bracket("{");
                for key in keys {
                    self.printer.begin_item();
                    match key.as_str() {
                        Some(key) => self.print_string(key),
                        None => {
                            self.printer.push("\"");
                            self.print_value(&key)?;
                            self.printer.push("\"");
                        }
                    }
                    self.printer.end_key();
                    self.print_value(&value.get_item(&key)?)?;
                }
                self.printer.close_bracket("}");
            }
            kind => {
                let message = format!("{kind} cannot be written as JSON");
                return Err(Error::new(ErrorKind::InvalidOperation, message));
            }
        }
        Ok(())
    }

    fn print_string(&mut self, text: &str) {
        let escapes = match self.form.ascii {
            true => Escapes::NonAscii,
            false => Escapes::Required,
        };
        self.printer.push("\"");
        Marks::add_escaped(
            self.context.marks(),
            text,
            &mut self.printer.out,
            |out, char| {
                push_char(out, char, escapes);
            },
        );
        self.printer.push("\"");
    }
}
