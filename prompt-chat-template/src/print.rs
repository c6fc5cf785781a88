//! Values as templates print them: as Python's `str`, and inside of lists and maps as its `repr`.

use std::fmt::Write as _;

use minijinja::value::{Tuple, Value, ValueKind};
use minijinja::{Error, ErrorKind, Output, State, escape_formatter};

use crate::json::{DEPTH, invalid};
use crate::marks::Marks;
use prompt_core::python::{float_repr, push_escaped};

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
    let mut printer = Printer {
        marks,
        out: String::new(),
    };
    printer.repr(value, 0)?;
    Ok(Some(printer.out))
}

struct Printer<'a> {
    marks: Option<&'a Marks>,
    out: String,
}

impl Printer<'_> {
    fn repr(&mut self, value: &Value, depth: usize) -> Result<(), Error> {
        if depth > DEPTH {
            return Err(invalid("the value nests too deep to be printed"));
        }
        match value.kind() {
            ValueKind::String => self.string(value.as_str().unwrap_or_default()),
            ValueKind::Number if !value.is_integer() => {
                let number = f64::try_from(value.clone()).unwrap_or(f64::NAN);
                self.out.push_str(&float_repr(number));
            }
            ValueKind::Seq => {
                let items: Vec<Value> = value.try_iter()?.collect();
                let is_tuple = value.downcast_object_ref::<Tuple>().is_some();
                self.out.push(if is_tuple { '(' } else { '[' });
                self.items(&items, |printer, item| printer.repr(item, depth + 1))?;
                if is_tuple && items.len() == 1 {
                    self.out.push(',');
                }
                self.out.push(if is_tuple { ')' } else { ']' });
            }
            ValueKind::Map => {
                let keys: Vec<Value> = value.try_iter()?.collect();
                self.out.push('{');
                self.items(&keys, |printer, key| {
                    printer.repr(key, depth + 1)?;
                    printer.out.push_str(": ");
                    printer.repr(&value.get_item(key)?, depth + 1)
                })?;
                self.out.push('}');
            }
            _ => drop(write!(self.out, "{value}")),
        }
        Ok(())
    }

    fn items(
        &mut self,
        items: &[Value],
        mut write: impl FnMut(&mut Self, &Value) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            write(self, item)?;
        }
        Ok(())
    }

    fn string(&mut self, text: &str) {
        let meaning = |char| self.marks.and_then(|marks| marks.meaning(char));
        let real = |char| meaning(char).map_or(char, |(real, _)| real);
        let has = |quote| text.chars().any(|char| real(char) == quote);
        let quote = if has('\'') && !has('"') { '"' } else { '\'' };
        self.out.push(quote);
        Marks::add_escaped(self.marks, text, &mut self.out, |out, char| {
            push_escaped(out, char, quote);
        });
        self.out.push(quote);
    }
}
