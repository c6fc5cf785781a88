//! Values as JSON.

use crate::builtin::args::clamp_size;
use crate::builtin::sort::sort_by_keys;
use crate::builtin::{Args, Host};
use crate::expr::host::Typed;
use crate::expr::number::check_result_size;
use crate::expr::{Result, Str, Value};
use prompt_base::json::{Escapes, JsonPrinter, JsonStyle};
use prompt_core::python::json_float;

/// `tojson(indent=none)`: JSON as Jinja2 writes it, with the keys in order, a space after `,` and `:`, and all that is not
/// ASCII, and `<`, `>`, `&` and `'`, as `\u003c`.
pub(crate) fn tojson<'a>(
    host: &mut Typed<'a>,
    value: &Value<'a>,
    args: Args<'_, Typed<'a>>,
) -> Result<Value<'a>> {
    let indent = match args.get_some(0) {
        None => None,
        Some(Value::Text(text)) => Some(text.to_string()),
        Some(width) => {
            let width = clamp_size(Typed::to_whole(width, "indent")?);
            check_result_size(width, 1)?;
            Some(" ".repeat(width))
        }
    };
    let style = indent
        .as_deref()
        .map_or(JsonStyle::SPACED, JsonStyle::indented);
    let mut printer = JsonPrinter::new(style);
    print_json(host, &mut printer, value)?;
    Ok(Str::from_shared(printer.out, value.source()).into())
}

fn print_json<'a>(
    host: &mut Typed<'a>,
    printer: &mut JsonPrinter<'_>,
    value: &Value<'a>,
) -> Result<()> {
    match value.as_defined()? {
        Value::Undefined(_) | Value::Failed(_) | Value::None | Value::Absent => {
            printer.push("null");
        }
        Value::Bool(value) => printer.push(if *value { "true" } else { "false" }),
        Value::Int(value) => printer.push(&value.to_string()),
        Value::Float(value) => printer.push(&json_float(*value)),
        Value::Text(text) => printer.push_string(text, Escapes::Html),
        Value::List(items) | Value::Tuple(items) => {
            printer.open_bracket("[");
            for item in items.iter() {
                printer.begin_item();
                print_json(host, printer, item)?;
            }
            printer.close_bracket("]");
        }
        Value::Dict(dict) => {
            let entries = dict.entries().iter().map(|entry| (entry.0.clone(), entry));
            printer.open_bracket("{");
            for (key, (_, value)) in sort_by_keys(host, entries.collect(), false)? {
                printer.begin_item();
                printer.push_string(&json_key(&key)?, Escapes::Html);
                printer.end_key();
                print_json(host, printer, value)?;
            }
            printer.close_bracket("}");
        }
    }
    Ok(())
}

/// A key of a JSON object.
fn json_key(key: &Value<'_>) -> Result<String> {
    Ok(match key.as_defined()? {
        Value::Text(text) => text.to_string(),
        Value::None | Value::Absent => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => json_float(*number),
        other => {
            return Err(eval_error!(
                "{} cannot be the key of a JSON object",
                other.describe_kind()
            ));
        }
    })
}
