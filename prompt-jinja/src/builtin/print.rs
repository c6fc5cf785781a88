//! Values as text: Python's `str` and `repr`, and JSON.

use prompt_base::json::{Escapes, JsonPrinter, JsonStyle, push_char};
use prompt_core::python::{float_repr, json_float, push_escaped};

use super::args::clamp_size;
use super::number::{Number, write_decimal};
use super::{Host, Outcome, SourcedStr, StrBuilder, View};

/// How JSON is printed.
pub(crate) struct JsonOptions<S> {
    pub(crate) escapes: Escapes,
    pub(crate) indent: Option<String>,
    /// What is printed between two items.
    pub(crate) item: String,
    /// What is printed between a key and its value.
    pub(crate) key: String,
    /// The given text of these, whose source all signs have.
    pub(crate) given: Option<S>,
    pub(crate) sorted: bool,
}

impl<S: SourcedStr> JsonOptions<S> {
    /// As Python prints it by default, or with the width or text of an indentation.
    pub(crate) fn new<H: Host<Str = S>>(
        host: &mut H,
        indent: Option<&H::Value>,
        escapes: Escapes,
    ) -> Outcome<H, JsonOptions<S>> {
        let mut given = None;
        let indent = match indent.map(|indent| (indent, H::view_value(indent))) {
            None => None,
            Some((_, View::Str(text))) => {
                host.charge_bytes(text.len())?;
                given = Some(text.clone());
                Some(text.to_string())
            }
            Some((width, _)) => {
                let width = clamp_size(H::to_whole(width, "indent")?);
                host.charge_result(width)?;
                Some(" ".repeat(width))
            }
        };
        Ok(JsonOptions {
            escapes,
            item: if indent.is_some() { "," } else { ", " }.to_owned(),
            key: ": ".to_owned(),
            indent,
            given,
            sorted: false,
        })
    }
}

/// Prints nested values. Brackets and separators are text of the template, unless they are given.
pub(crate) struct Printer<'s, B: StrBuilder> {
    brackets: JsonPrinter<'s>,
    /// The bytes of each level of indentation.
    indent: usize,
    /// The bytes in `brackets` that are counted already.
    counted: usize,
    /// A text whose source brackets and separators have.
    given: Option<B::Str>,
    out: B,
}

impl<'s, B: StrBuilder> Printer<'s, B> {
    fn new(style: JsonStyle<'s>) -> Printer<'s, B> {
        Printer {
            indent: style.indent.map_or(0, str::len),
            counted: 0,
            brackets: JsonPrinter::new(style),
            given: None,
            out: B::default(),
        }
    }

    /// How many lists and dicts are open.
    #[cfg(feature = "untyped")]
    pub(crate) fn depth(&self) -> usize {
        self.brackets.depth()
    }

    /// Appends text of the template.
    pub(crate) fn push(&mut self, text: &str) {
        self.brackets.push(text);
    }

    /// Appends the text of the template that precedes a value, and counts it.
    fn flush<H: Host<Str = B::Str>>(&mut self, host: &mut H) -> Outcome<H, ()> {
        host.charge_bytes(self.brackets.out.len() - self.counted)?;
        self.counted = 0;
        match &self.given {
            Some(given) => self.out.push_as(&self.brackets.out, given),
            None => self.out.push_template(&self.brackets.out),
        }
        self.brackets.out.clear();
        Ok(())
    }

    /// Begins an item or an entry. Its indentation is counted before it is made, because it may be much longer than the value.
    fn begin_item<H: Host<Str = B::Str>>(&mut self, host: &mut H) -> Outcome<H, ()> {
        self.charge_indent(host, self.brackets.depth())?;
        self.brackets.begin_item();
        Ok(())
    }

    /// Closes the innermost list or dict, which has so many items. An empty one is closed on its own line.
    fn close_bracket<H: Host<Str = B::Str>>(
        &mut self,
        host: &mut H,
        bracket: &str,
        items: usize,
    ) -> Outcome<H, ()> {
        if items > 0 {
            self.charge_indent(host, self.brackets.depth() - 1)?;
        }
        self.brackets.close_bracket(bracket);
        Ok(())
    }

    fn charge_indent<H: Host<Str = B::Str>>(
        &mut self,
        host: &mut H,
        depth: usize,
    ) -> Outcome<H, ()> {
        let bytes = self.indent.saturating_mul(depth);
        host.charge_result(bytes)?;
        self.counted += bytes;
        Ok(())
    }

    /// Appends a text with its sources.
    pub(crate) fn push_str<H: Host<Str = B::Str>>(
        &mut self,
        host: &mut H,
        text: &H::Str,
    ) -> Outcome<H, ()> {
        self.flush(host)?;
        host.charge_bytes(text.len())?;
        self.out.push_str(text);
        Ok(())
    }

    /// Appends a string, each character of it escaped.
    fn push_escaped<H: Host<Str = B::Str>>(
        &mut self,
        host: &mut H,
        text: &H::Str,
        escape: impl Fn(&mut String, char),
    ) -> Outcome<H, ()> {
        self.flush(host)?;
        host.charge_bytes(text.len())?;
        let change = |piece: &str| {
            let mut out = String::with_capacity(piece.len());
            piece.chars().for_each(|char| escape(&mut out, char));
            out
        };
        match text.has_one_source() {
            true => self.out.push_as(&change(text), text),
            false => self.out.push_str(&text.map_pieces(change)),
        }
        Ok(())
    }

    fn finish<H: Host<Str = B::Str>>(mut self, host: &mut H) -> Outcome<H, B> {
        self.flush(host)?;
        Ok(self.out)
    }

    /// Appends `repr(value)`.
    fn print_value<H: Host<Str = B::Str>>(
        &mut self,
        host: &mut H,
        value: &H::Value,
    ) -> Outcome<H, ()> {
        host.charge_items(1)?;
        self.flush(host)?;
        match H::view_value(value) {
            View::Undefined => {
                self.push("Undefined");
                Ok(())
            }
            View::Str(text) => {
                let has = |quote| text.contains(quote);
                let quote = if has('\'') && !has('"') { '"' } else { '\'' };
                let (open, close) = match H::is_safe(text) {
                    true => ("Markup(", ")"),
                    false => ("", ""),
                };
                let mark = quote.encode_utf8(&mut [0; 4]).to_owned();
                self.push(open);
                self.push(&mark);
                self.push_escaped(host, text, |out, char| push_escaped(out, char, quote))?;
                self.push(&mark);
                self.push(close);
                Ok(())
            }
            View::List(items) => self.print_items(host, "[", items, "]"),
            View::Tuple(items) => {
                let close = if items.len() == 1 { ",)" } else { ")" };
                self.print_items(host, "(", items, close)
            }
            View::Dict(entries) => self.print_entries(host, entries),
            View::Object => host.print_object(value, self),
            View::None | View::Bool(_) | View::Whole | View::Float => {
                let text = scalar_text::<H>(value)?;
                self.push_str(host, &text)
            }
        }
    }

    pub(crate) fn print_items<H: Host<Str = B::Str>>(
        &mut self,
        host: &mut H,
        open: &str,
        items: &[H::Value],
        close: &str,
    ) -> Outcome<H, ()> {
        self.brackets.open_bracket(open);
        for item in items {
            self.begin_item(host)?;
            self.print_value(host, item)?;
        }
        self.close_bracket(host, close, items.len())
    }

    pub(crate) fn print_entries<H: Host<Str = B::Str>>(
        &mut self,
        host: &mut H,
        entries: &[(H::Value, H::Value)],
    ) -> Outcome<H, ()> {
        self.brackets.open_bracket("{");
        for (key, value) in entries {
            self.begin_item(host)?;
            self.print_value(host, key)?;
            self.brackets.end_key();
            self.print_value(host, value)?;
        }
        self.close_bracket(host, "}", entries.len())
    }

    /// Appends `json.dumps(value)`.
    fn print_json<H: Host<Str = B::Str>>(
        &mut self,
        host: &mut H,
        value: &H::Value,
        options: &JsonOptions<H::Str>,
    ) -> Outcome<H, ()> {
        host.charge_items(1)?;
        self.flush(host)?;
        match H::view_value(value) {
            View::Str(text) => self.print_json_string(host, text, options.escapes),
            View::List(items) | View::Tuple(items) => {
                self.brackets.open_bracket("[");
                for item in items {
                    self.begin_item(host)?;
                    self.print_json(host, item, options)?;
                }
                self.close_bracket(host, "]", items.len())
            }
            View::Dict(entries) => {
                let sorted;
                let entries = match options.sorted {
                    true => {
                        sorted = host.sort_entries(entries)?;
                        &sorted
                    }
                    false => entries,
                };
                self.brackets.open_bracket("{");
                for (key, value) in entries {
                    self.begin_item(host)?;
                    self.print_json_key(host, key, options)?;
                    self.brackets.end_key();
                    self.print_json(host, value, options)?;
                }
                self.close_bracket(host, "}", entries.len())
            }
            View::Undefined | View::Object => Err(H::kind_error(
                "JSON is made of text, numbers, lists and dicts",
                value,
            )),
            View::None => self.push_str(host, &H::text_of_number("null".to_owned(), value)),
            View::Bool(is_true) => {
                let word = if is_true { "true" } else { "false" };
                self.push_str(host, &H::text_of_number(word.to_owned(), value))
            }
            View::Whole | View::Float => {
                let text = match H::to_number(value) {
                    Some(Number::Float(number)) => H::text_of_number(json_float(number), value),
                    _ => scalar_text::<H>(value)?,
                };
                self.push_str(host, &text)
            }
        }
    }

    fn print_json_key<H: Host<Str = B::Str>>(
        &mut self,
        host: &mut H,
        key: &H::Value,
        options: &JsonOptions<H::Str>,
    ) -> Outcome<H, ()> {
        match H::view_value(key) {
            View::Str(text) => self.print_json_string(host, text, options.escapes),
            View::None | View::Bool(_) | View::Whole | View::Float => {
                self.push("\"");
                self.print_json(host, key, options)?;
                self.push("\"");
                Ok(())
            }
            _ => Err(H::kind_error(
                "the key of a JSON object is text or a number",
                key,
            )),
        }
    }

    fn print_json_string<H: Host<Str = B::Str>>(
        &mut self,
        host: &mut H,
        text: &H::Str,
        escapes: Escapes,
    ) -> Outcome<H, ()> {
        self.push("\"");
        self.push_escaped(host, text, |out, char| match char {
            // Python's `ensure_ascii` escapes it too.
            '\u{7f}' if escapes != Escapes::Required => out.push_str("\\u007f"),
            char => push_char(out, char, escapes),
        })?;
        self.push("\"");
        Ok(())
    }
}

/// `str` of a value that is neither a string nor a container.
fn scalar_text<H: Host>(value: &H::Value) -> Outcome<H, H::Str> {
    let text = match (H::view_value(value), H::to_number(value)) {
        (View::Bool(true), _) => "True".to_owned(),
        (View::Bool(false), _) => "False".to_owned(),
        (_, Some(Number::Float(number))) => float_repr(number),
        (_, Some(Number::Whole(number))) => {
            let (is_negative, digits) = write_decimal::<H>(&number)?;
            if is_negative {
                format!("-{digits}")
            } else {
                digits
            }
        }
        _ => "None".to_owned(),
    };
    Ok(H::text_of_number(text, value))
}

/// Python's `str(value)`.
pub(super) fn to_str<H: Host>(host: &mut H, value: &H::Value) -> Outcome<H, H::Str> {
    match H::view_value(value) {
        View::Str(text) => Ok(text.clone()),
        View::Undefined => {
            H::check_operand(value)?;
            Ok(H::Str::from_template(""))
        }
        View::List(_) | View::Tuple(_) | View::Dict(_) | View::Object => host.to_repr(value),
        View::None | View::Bool(_) | View::Whole | View::Float => scalar_text::<H>(value),
    }
}

/// Python's `repr(value)`.
pub(crate) fn print_repr<H: Host, B: StrBuilder<Str = H::Str>>(
    host: &mut H,
    value: &H::Value,
) -> Outcome<H, B> {
    let mut printer = Printer::new(JsonStyle::SPACED);
    printer.print_value(host, value)?;
    printer.finish(host)
}

/// Python's `json.dumps(value)`.
pub(crate) fn print_json<H: Host, B: StrBuilder<Str = H::Str>>(
    host: &mut H,
    value: &H::Value,
    options: &JsonOptions<H::Str>,
) -> Outcome<H, B> {
    let mut printer = Printer::new(JsonStyle {
        item: &options.item,
        key: &options.key,
        indent: options.indent.as_deref(),
    });
    printer.given.clone_from(&options.given);
    printer.print_json(host, value, options)?;
    printer.finish(host)
}
