//! Values as templates print them: as Python's `str`, and inside of lists and maps as its `repr`.

use minijinja::value::{Tuple, Value, ValueKind};
use minijinja::{Error, ErrorKind, Output, State, escape_formatter};

use crate::json::invalid;
use crate::marks::Marks;
use prompt_core::python::{float_repr, push_escaped};
use prompt_syntax::json::{MAX_DEPTH, Printer, Style};

/// Prints what `{{ value }}` shows.
pub(crate) fn write(
    out: &mut Output<'_>,
    state: &mut State<'_, '_>,
    value: &Value,
    marks: Option<&Marks>,
) -> Result<(), Error> {
    match text(value, marks)? {
        Some(text) => out.write_str(&text).map_err(|_| {
            // The text has grown too long.
            Error::new(ErrorKind::WriteFailure, "the text cannot be written")
        }),
        None => escape_formatter(out, state, value),
    }
}

/// The text of a value where the engine would print another one: of fractions, lists and maps.
pub(crate) fn text(value: &Value, marks: Option<&Marks>) -> Result<Option<String>, Error> {
    let is_plain = match value.kind() {
        ValueKind::Number => value.is_integer(),
        ValueKind::Seq | ValueKind::Map => false,
        _ => true,
    };
    if is_plain {
        return Ok(None);
    }
    let mut repr = Repr {
        marks,
        printer: Printer::new(Style::SPACED),
    };
    repr.value(value)?;
    Ok(Some(repr.printer.out))
}

struct Repr<'a> {
    marks: Option<&'a Marks>,
    printer: Printer<'static>,
}

impl Repr<'_> {
    fn value(&mut self, value: &Value) -> Result<(), Error> {
        if self.printer.depth() > MAX_DEPTH {
            return Err(invalid("the value nests too deep to be printed"));
        }
        match value.kind() {
            ValueKind::String => self.string(value.as_str().unwrap_or_default()),
            ValueKind::Number if !value.is_integer() => {
                let number = f64::try_from(value.clone()).unwrap_or(f64::NAN);
                self.printer.push(&float_repr(number));
            }
            ValueKind::Seq => {
                let is_tuple = value.downcast_object_ref::<Tuple>().is_some();
                self.printer.open(if is_tuple { "(" } else { "[" });
                for item in value.try_iter()? {
                    self.printer.item();
                    self.value(&item)?;
                }
                self.printer.close(match is_tuple {
                    true if value.len() == Some(1) => ",)",
                    true => ")",
                    false => "]",
                });
            }
            ValueKind::Map => {
                self.printer.open("{");
                for key in value.try_iter()? {
                    self.printer.item();
                    self.value(&key)?;
                    self.printer.key();
                    self.value(&value.get_item(&key)?)?;
                }
                self.printer.close("}");
            }
            _ => self.printer.push(&value.to_string()),
        }
        Ok(())
    }

    fn string(&mut self, text: &str) {
        let meaning = |char| self.marks.and_then(|marks| marks.meaning(char));
        let real = |char| meaning(char).map_or(char, |(real, _)| real);
        let has = |quote| text.chars().any(|char| real(char) == quote);
        let quote = if has('\'') && !has('"') { '"' } else { '\'' };
        let out = &mut self.printer.out;
        out.push(quote);
        Marks::add_escaped(self.marks, text, out, |out, char| {
            push_escaped(out, char, quote);
        });
        out.push(quote);
    }
}
