//! Values as text: Python's `str` and `repr`, and JSON as transformers writes it.

use prompt_base::json::{Escapes, JsonPrinter, JsonStyle, push_char};
use prompt_core::python::{float_repr, json_float, push_escaped};

use super::fault::{Fault, FaultKind, R};
use super::ops::{ITEM_BYTES, big_digits};
use super::run::Run;
use super::text::{Builder, Source, Str};
use super::value::{MAX_DEPTH, Object, Value};

/// How `json.dumps` is asked to print.
pub(super) struct JsonOptions {
    pub(super) ascii: bool,
    pub(super) indent: Option<String>,
    pub(super) item: String,
    pub(super) key: String,
    pub(super) sorted: bool,
}

/// Prints nested values, and keeps the source of each byte.
struct Printer<'s> {
    json: JsonPrinter<'s>,
    runs: Vec<(usize, Source)>,
    /// The length of the text that is charged.
    charged: usize,
}

impl Printer<'_> {
    fn mark(&mut self, source: Source) {
        let end = self.json.out.len();
        match self.runs.last_mut() {
            Some(last) if last.1 == source => last.0 = end,
            Some(last) if last.0 == end => {}
            None if end == 0 => {}
            _ => self.runs.push((end, source)),
        }
    }

    fn push(&mut self, text: &str, source: Source) {
        self.mark(Source::TEMPLATE);
        self.json.push(text);
        self.mark(source);
    }

    fn push_pieces(&mut self, text: &Str, escape: impl Fn(&mut String, char)) {
        for (piece, source) in text.pieces() {
            self.mark(Source::TEMPLATE);
            piece
                .chars()
                .for_each(|char| escape(&mut self.json.out, char));
            self.mark(source);
        }
    }

    fn finish(mut self) -> Str {
        self.mark(Source::TEMPLATE);
        Builder::from_parts(self.json.out, self.runs).finish()
    }
}

impl Run<'_> {
    /// Python's `str(value)`.
    pub(super) fn str_of(&mut self, value: &Value) -> R<Str> {
        Ok(match value {
            Value::Str(text) => text.clone(),
            Value::Undefined(_) => Str::template(""),
            Value::None => Str::template("None"),
            Value::Bool(true) => Str::template("True"),
            Value::Bool(false) => Str::template("False"),
            Value::Int(number, source) => Str::new(number.to_string(), *source),
            Value::Big(number, source) => Str::new(big_digits(number)?, *source),
            Value::Float(number, source) => Str::new(float_repr(*number), *source),
            _ => self.repr(value)?,
        })
    }

    /// Python's `repr(value)`.
    pub(super) fn repr(&mut self, value: &Value) -> R<Str> {
        let mut printer = Printer {
            json: JsonPrinter::new(JsonStyle::SPACED),
            runs: Vec::new(),
            charged: 0,
        };
        self.print_repr(value, &mut printer)?;
        self.charge_printed(&mut printer)?;
        Ok(printer.finish())
    }

    fn charge_printed(&mut self, printer: &mut Printer<'_>) -> R<()> {
        let len = printer.json.out.len();
        self.charge_bytes(len - std::mem::replace(&mut printer.charged, len) + ITEM_BYTES)?;
        match printer.json.depth() > MAX_DEPTH {
            true => Err(depth_fault()),
            false => Ok(()),
        }
    }

    fn print_repr(&mut self, value: &Value, printer: &mut Printer<'_>) -> R<()> {
        self.charge_printed(printer)?;
        match value {
            Value::Undefined(_) => printer.push("Undefined", Source::TEMPLATE),
            Value::Str(text) => {
                let has = |quote| text.contains(quote);
                let quote = if has('\'') && !has('"') { '"' } else { '\'' };
                let quoted: &str = if quote == '"' { "\"" } else { "'" };
                if text.safe {
                    printer.json.push("Markup(");
                }
                printer.json.push(quoted);
                printer.push_pieces(text, |out, char| push_escaped(out, char, quote));
                printer.push(quoted, Source::TEMPLATE);
                if text.safe {
                    printer.json.push(")");
                }
            }
            Value::List(list) => {
                self.print_items("[", &list.items, "]", printer)?;
            }
            Value::Tuple(list) => {
                let close = if list.items.len() == 1 { ",)" } else { ")" };
                self.print_items("(", &list.items, close, printer)?;
            }
            Value::Dict(dict) => self.print_entries(dict.entries(), printer)?,
            Value::Object(object) => match &**object {
                Object::Range(range) => {
                    let mut text = format!("range({}, {}", range.start, range.stop);
                    if range.step != 1 {
                        text += &format!(", {}", range.step);
                    }
                    printer.json.push(&(text + ")"));
                }
                Object::Namespace(entries) => {
                    printer.json.push("<Namespace ");
                    let entries = entries.borrow().entries().to_vec();
                    self.print_entries(&entries, printer)?;
                    printer.json.push(">");
                }
                Object::Group(list) => self.print_items("(", &list.items, ")", printer)?,
                Object::View(name, list) => {
                    printer.json.push(name);
                    printer.json.push("(");
                    self.print_items("[", &list.items, "]", printer)?;
                    printer.json.push(")");
                }
                Object::Macro(found) => {
                    printer.json.push(&format!("<Macro '{}'>", found.node.name));
                }
                Object::Loop(state) => {
                    let (index, length) = (state.index.get() + 1, state.items.len());
                    printer
                        .json
                        .push(&format!("<LoopContext {index}/{length}>"));
                }
                Object::Generator(generator) => {
                    printer
                        .json
                        .push(&format!("<generator object {}>", generator.name));
                }
                Object::Function(found) => printer.json.push(&format!("<function {}>", found.name)),
                Object::Method(_, found) => {
                    printer
                        .json
                        .push(&format!("<built-in method {}>", found.name));
                }
                Object::Cycler(..) => printer.json.push("<Cycler>"),
                Object::Joiner(..) => printer.json.push("<Joiner>"),
            },
            scalar => {
                let text = self.str_of(scalar)?;
                printer.push(&text, text.source());
            }
        }
        Ok(())
    }

    fn print_items(
        &mut self,
        open: &str,
        items: &[Value],
        close: &str,
        printer: &mut Printer<'_>,
    ) -> R<()> {
        printer.json.open_bracket(open);
        for item in items {
            printer.json.begin_item();
            self.print_repr(item, printer)?;
        }
        printer.json.close_bracket(close);
        Ok(())
    }

    fn print_entries(&mut self, entries: &[(Value, Value)], printer: &mut Printer<'_>) -> R<()> {
        printer.json.open_bracket("{");
        for (key, value) in entries {
            printer.json.begin_item();
            self.print_repr(key, printer)?;
            printer.json.end_key();
            self.print_repr(value, printer)?;
        }
        printer.json.close_bracket("}");
        Ok(())
    }

    /// Python's `json.dumps(value)`.
    pub(super) fn json(&mut self, value: &Value, options: &JsonOptions) -> R<Str> {
        let mut printer = Printer {
            json: JsonPrinter::new(JsonStyle {
                item: &options.item,
                key: &options.key,
                indent: options.indent.as_deref(),
            }),
            runs: Vec::new(),
            charged: 0,
        };
        self.print_json(value, options, &mut printer)?;
        self.charge_printed(&mut printer)?;
        Ok(printer.finish())
    }

    fn print_json(
        &mut self,
        value: &Value,
        options: &JsonOptions,
        printer: &mut Printer<'_>,
    ) -> R<()> {
        self.charge_printed(printer)?;
        match value {
            Value::Str(text) => print_json_string(text, options, printer),
            Value::List(list) | Value::Tuple(list) => {
                self.print_json_items(&list.items, options, printer)?;
            }
            Value::Dict(dict) => {
                let entries = match options.sorted {
                    true => self.sort_entries(dict.entries())?,
                    false => dict.entries().to_vec(),
                };
                printer.json.open_bracket("{");
                for (key, value) in entries {
                    printer.json.begin_item();
                    match &key {
                        Value::Str(text) => print_json_string(text, options, printer),
                        Value::None
                        | Value::Bool(_)
                        | Value::Int(..)
                        | Value::Big(..)
                        | Value::Float(..) => {
                            printer.json.push("\"");
                            self.print_json(&key, options, printer)?;
                            printer.json.push("\"");
                        }
                        other => {
                            let kind = other.kind();
                            return Err(Fault::new(format!(
                                "keys must be str, int, float, bool or None, not {kind}"
                            )));
                        }
                    }
                    printer.json.end_key();
                    self.print_json(&value, options, printer)?;
                }
                printer.json.close_bracket("}");
            }
            Value::None => printer.json.push("null"),
            Value::Bool(value) => printer.json.push(if *value { "true" } else { "false" }),
            Value::Float(number, source) => printer.push(&json_float(*number), *source),
            Value::Int(..) | Value::Big(..) => {
                let text = self.str_of(value)?;
                printer.push(&text, text.source());
            }
            Value::Object(object) if matches!(**object, Object::Group(_)) => {
                if let Object::Group(list) = &**object {
                    self.print_json_items(&list.items, options, printer)?;
                }
            }
            Value::Undefined(reason) => {
                return Err(Fault::new(format!(
                    "Undefined is not JSON serializable: {reason}"
                )));
            }
            other => {
                let kind = other.kind();
                return Err(Fault::new(format!(
                    "Object of type {kind} is not JSON serializable"
                )));
            }
        }
        Ok(())
    }

    fn print_json_items(
        &mut self,
        items: &[Value],
        options: &JsonOptions,
        printer: &mut Printer<'_>,
    ) -> R<()> {
        printer.json.open_bracket("[");
        for item in items {
            printer.json.begin_item();
            self.print_json(item, options, printer)?;
        }
        printer.json.close_bracket("]");
        Ok(())
    }
}

fn print_json_string(text: &Str, options: &JsonOptions, printer: &mut Printer<'_>) {
    printer.json.push("\"");
    let escapes = if options.ascii {
        Escapes::NonAscii
    } else {
        Escapes::Required
    };
    printer.push_pieces(text, |out, char| match char {
        // Python's `ensure_ascii` escapes it too.
        '\u{7f}' if options.ascii => out.push_str("\\u007f"),
        char => push_char(out, char, escapes),
    });
    printer.push("\"", Source::TEMPLATE);
}

pub(super) fn depth_fault() -> Box<Fault> {
    Fault::of(
        FaultKind::Depth,
        format!("builds values nested more than {MAX_DEPTH} levels deep"),
    )
}
