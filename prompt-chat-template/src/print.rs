//! Values as templates print them: as Python's `str`, and inside of lists and maps as its `repr`.

use minijinja::value::{Tuple, Value, ValueKind};
use minijinja::{AutoEscape, Error, ErrorKind, Output, State};

use crate::context::RenderContext;
use crate::marks::Marks;
use crate::methods;
use prompt_base::json::{JsonPrinter, JsonStyle};
use prompt_core::python::{float_repr, push_escaped};

/// Prints what `{{ value }}` shows.
pub(crate) fn write_value(
    out: &mut Output<'_>,
    state: &mut State<'_, '_>,
    value: &Value,
) -> Result<(), Error> {
    let context = RenderContext::from_state(state)?;
    let mut text = context.printed_text(value)?;
    // The engine escapes more characters than Jinja2.
    if *state.auto_escape() == AutoEscape::Html && !value.is_safe() {
        text = methods::escape_html(&context, &text)?.to_string().into();
    }
    context.charge_bytes(text.len())?;
    let written = out.write_str(&text);
    written.map_err(|_| Error::new(ErrorKind::WriteFailure, "the text is too long"))
}

/// The text of a value where the engine would print another one: of fractions, lists and maps.
pub(crate) fn print_python(
    value: &Value,
    context: &RenderContext,
) -> Result<Option<String>, Error> {
    let is_plain = match value.kind() {
        ValueKind::Number => value.is_integer(),
        ValueKind::Seq | ValueKind::Map | ValueKind::Iterable => false,
        _ => true,
    };
    if is_plain {
        return Ok(None);
    }
    context.charge_deep(value)?;
    let mut repr = ReprPrinter {
        context,
        printer: JsonPrinter::new(JsonStyle::SPACED),
        charged: 0,
    };
    repr.print_value(value)?;
    context.charge_printed(&repr.printer, &mut repr.charged)?;
    Ok(Some(repr.printer.out))
}

struct ReprPrinter<'a> {
    context: &'a RenderContext,
    printer: JsonPrinter<'static>,
    /// The length of the text that is charged.
    charged: usize,
}

impl ReprPrinter<'_> {
    fn print_value(&mut self, value: &Value) -> Result<(), Error> {
        self.context
            .charge_printed(&self.printer, &mut self.charged)?;
        match value.kind() {
            ValueKind::String => self.print_string(value.as_str().unwrap_or_default()),
            ValueKind::Number if !value.is_integer() => {
                let number = f64::try_from(value.clone()).unwrap_or(f64::NAN);
                self.printer.push(&float_repr(number));
            }
            ValueKind::Seq | ValueKind::Iterable => {
                let is_tuple = value.downcast_object_ref::<Tuple>().is_some();
                self.printer.open_bracket(if is_tuple { "(" } else { "[" });
                for item in value.try_iter()? {
                    self.printer.begin_item();
                    self.print_value(&item)?;
                }
                self.printer.close_bracket(match is_tuple {
                    true if value.len() == Some(1) => ",)",
                    true => ")",
                    false => "]",
                });
            }
            ValueKind::Map => {
                self.printer.open_bracket("{");
                for key in value.try_iter()? {
                    self.printer.begin_item();
                    self.print_value(&key)?;
                    self.printer.end_key();
                    self.print_value(&value.get_item(&key)?)?;
                }
                self.printer.close_bracket("}");
            }
            _ => self.printer.push(&value.to_string()),
        }
        Ok(())
    }

    fn print_string(&mut self, text: &str) {
        let real = self.context.real_text(text);
        let has = |quote| real.contains(quote);
        let quote = if has('\'') && !has('"') { '"' } else { '\'' };
        let out = &mut self.printer.out;
        out.push(quote);
        Marks::add_escaped(self.context.marks(), text, out, |out, char| {
            push_escaped(out, char, quote);
        });
        out.push(quote);
    }
}
