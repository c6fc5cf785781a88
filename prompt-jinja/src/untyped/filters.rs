//! The filters of the language.

use prompt_base::json::Escapes;

use super::fault::{Fault, FaultKind, R};
use super::parser::unknown;
use super::registry;
use super::registry::{Args, Builtin, find_filter, find_test};
use super::run::Run;
use super::text::{Builder, Str};
use super::value::{Object, Value};
use crate::builtin::list::{self, attribute_path};
use crate::builtin::percent::format_percent;
use crate::builtin::print::{JsonOptions, print_json};
use crate::builtin::{self, Host, Lazy};

/// The text that a filter works on.
fn text(run: &mut Run<'_>, value: &Value) -> R<Str> {
    let text = run.to_str(value)?;
    run.charge_bytes(text.len())?;
    Ok(text)
}

pub(super) fn attr(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let name = run.to_str(&args.value(0))?;
    if let Value::Dict(_) = value {
        return Ok(match registry::find_method(value, &name) {
            Some(method) if run.acts(&Str::template(&*name), &name)? => {
                Value::object(Object::Method(value.clone(), method))
            }
            _ => Value::undefined(format!("'dict object' has no attribute '{}'", &*name)),
        });
    }
    run.attribute_by(value, &name)
}

impl Run<'_> {
    /// A value whose dicts are in the order of their keys.
    fn sort_keys(&mut self, value: &Value) -> R<Value> {
        self.charge_items(1)?;
        Ok(match value {
            Value::List(list) | Value::Tuple(list) => {
                let items = list.items.iter().map(|item| self.sort_keys(item));
                let items = items.collect::<R<Vec<Value>>>()?;
                match value {
                    Value::List(_) => Value::list(items),
                    _ => Value::tuple(items),
                }
            }
            Value::Dict(dict) => {
                let mut entries = self.sort_entries(dict.entries())?;
                for (_, value) in &mut entries {
                    *value = self.sort_keys(value)?;
                }
                Value::dict(entries)
            }
            other => other.clone(),
        })
    }
}

fn no_mapping(value: &Value, name: &str) -> Box<Fault> {
    match value {
        Value::Undefined(reason) => Fault::new(&**reason),
        other => Fault::new(format!(
            "'{} object' has no attribute '{name}'",
            other.kind()
        )),
    }
}

pub(super) fn first(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    if let Value::Object(object) = value
        && let Object::Generator(generator) = &**object
    {
        if let Some(item) = generator.items.borrow_mut().next() {
            return Ok(item);
        }
        if let Some(error) = generator.error.borrow_mut().take() {
            return Err(error);
        }
    }
    let item = list::first(run, value, builtin::Args(&[]))?;
    Ok(char_of(value, item))
}

/// A character of a safe string is not safe.
fn char_of(value: &Value, item: Value) -> Value {
    match (value, item) {
        (Value::Str(_), Value::Str(mut text)) => {
            text.safe = false;
            Value::Str(text)
        }
        (_, item) => item,
    }
}

pub(super) fn last(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    if let Value::Object(object) = value
        && !matches!(
            **object,
            Object::Range(..) | Object::Group(_) | Object::View(..)
        )
    {
        return Err(Fault::new(format!(
            "'{}' object is not reversible",
            value.kind()
        )));
    }
    let item = list::last(run, value, builtin::Args(&[]))?;
    Ok(char_of(value, item))
}

pub(super) fn format(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let pattern = text(run, value)?;
    if !args.rest.is_empty() && !args.named.is_empty() {
        return Err(Fault::new(
            "can't handle positional and keyword arguments at the same time",
        ));
    }
    let values = match args.named.is_empty() {
        true => run.tuple(std::mem::take(&mut args.rest))?,
        false => {
            let entries = std::mem::take(&mut args.named).into_iter();
            Value::dict(
                entries
                    .map(|(name, value)| (Value::Str(name), value))
                    .collect(),
            )
        }
    };
    format_percent(run, &pattern, &values)
}

/// A filter or test that is named by a value.
fn by_name(run: &mut Run<'_>, name: &Value, is_filter: bool) -> R<&'static Builtin> {
    let name = run.to_str(name)?;
    let found = match is_filter {
        true => find_filter(&name),
        false => find_test(&name),
    };
    match found {
        Some(found) if run.acts(&Str::template(&*name), &name)? => Ok(found),
        _ => Err(unknown(&name, is_filter)),
    }
}

/// The items of a value. A filter of items takes none of what is false.
fn items_if_true(run: &mut Run<'_>, value: &Value) -> R<Lazy<Run<'static>>> {
    match value.is_true() {
        true => run.lazy_items(value),
        false => Ok((Vec::new(), None)),
    }
}

pub(super) fn map(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let mut rest = std::mem::take(&mut args.rest);
    let mut named = std::mem::take(&mut args.named);
    let items = items_if_true(run, value)?;
    if !rest.is_empty() {
        let filter = by_name(run, &rest.remove(0), true)?;
        return list::map_items(run, items, |run, item| {
            run.call_builtin(filter, item, rest.clone(), named.clone())
        });
    }
    let path = run.take_named(&mut named, "attribute")?;
    let path = path.ok_or_else(|| Fault::new("map requires a filter argument"))?;
    let default = run.take_named(&mut named, "default")?;
    if let Some((unknown, _)) = named.first() {
        return Err(Fault::new(format!(
            "Unexpected keyword argument '{}'",
            &**unknown
        )));
    }
    if let Some(default) = &default {
        run.charge_key(default)?;
    }
    list::map_items(run, items, |run, item| {
        attribute_path(run, item, &path, default.as_ref())
    })
}

/// `select`, `reject` and their kin.
fn filter_items(
    run: &mut Run<'_>,
    value: &Value,
    args: &mut Args,
    keeps: bool,
    by_attribute: bool,
) -> R<Value> {
    let mut rest = std::mem::take(&mut args.rest);
    let named = std::mem::take(&mut args.named);
    let path = match by_attribute {
        true if rest.is_empty() => return Err(Fault::new("Missing parameter for attribute name")),
        true => Some(rest.remove(0)),
        false => None,
    };
    let test = match rest.is_empty() {
        true => None,
        false => Some(by_name(run, &rest.remove(0), false)?),
    };
    let items = items_if_true(run, value)?;
    list::select_items(run, items, |run, item| {
        run.charge_call()?;
        let tested = match &path {
            Some(path) => attribute_path(run, item, path, None)?,
            None => item.clone(),
        };
        let tested = match test {
            Some(test) => run.call_builtin(test, &tested, rest.clone(), named.clone())?,
            None => tested,
        };
        Ok(tested.is_true() == keeps)
    })
}

pub(super) fn select(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    filter_items(run, value, args, true, false)
}

pub(super) fn reject(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    filter_items(run, value, args, false, false)
}

pub(super) fn selectattr(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    filter_items(run, value, args, true, true)
}

pub(super) fn rejectattr(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    filter_items(run, value, args, false, true)
}

/// Python's `pprint`, which sorts the keys of dicts; only what fits into its line.
pub(super) fn pprint(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    let value = run.sort_keys(value).map_err(|fault| match fault.kind {
        // Python orders such keys by their types.
        FaultKind::Runtime => Fault::of(
            FaultKind::Unsupported,
            "the filter `pprint` is not supported for dicts whose keys have no order",
        ),
        _ => fault,
    })?;
    let text = run.to_repr(&value)?;
    match text.chars().count() > 80 && !matches!(value, Value::Str(_)) {
        true => Err(Fault::of(
            FaultKind::Unsupported,
            "the filter `pprint` is not supported for values that are longer than 80 characters; use `tojson(indent=1)`",
        )),
        false => Ok(Value::Str(text)),
    }
}

pub(super) fn left_out_random(_: &mut Run<'_>, _: &Value, _: &mut Args) -> R<Value> {
    Err(Fault::of(
        FaultKind::Unsupported,
        "the filter `random` is not supported: a prompt is the same each time",
    ))
}

pub(super) fn left_out_urlize(_: &mut Run<'_>, _: &Value, _: &mut Args) -> R<Value> {
    Err(Fault::of(
        FaultKind::Unsupported,
        "the filter `urlize` is not supported: it makes HTML",
    ))
}

pub(super) fn safe(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    let mut text = text(run, value)?;
    text.safe = true;
    Ok(Value::Str(text))
}

/// A text without the parts between two delimiters.
fn without_parts(text: &Str, open: &str, close: &str) -> Str {
    let mut out = Builder::default();
    let mut from = 0;
    while let Some(start) = text[from..].find(open).map(|found| from + found) {
        let Some(end) = text[start..].find(close) else {
            break;
        };
        out.push_str(&text.slice(from..start));
        from = start + end + close.len();
    }
    out.push_str(&text.slice(from..text.len()));
    out.finish()
}

/// Removes comments and tags, and the white space around words.
pub(super) fn striptags(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    let text = text(run, value)?;
    run.charge_bytes(text.len().saturating_mul(2))?;
    // Comments first: they may contain tags.
    let whole = without_parts(&text, "<!--", "-->");
    let whole = without_parts(&whole, "<", ">");
    let mut out = Builder::default();
    for word in whole
        .split(prompt_core::python::is_whitespace)
        .filter(|word| !word.is_empty())
    {
        if out.len() > 0 {
            out.push_template(" ");
        }
        let start = word.as_ptr() as usize - whole.as_ptr() as usize;
        out.push_str(&whole.slice(start..start + word.len()));
    }
    let text = out.finish();
    if text.contains('&') {
        return Err(Fault::of(
            FaultKind::Unsupported,
            "the filter `striptags` is not supported for text with `&`, which it would read as HTML",
        ));
    }
    Ok(Value::Str(text))
}

pub(super) fn tojson(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let escapes = match args.flag(0, false) {
        true => Escapes::NonAscii,
        false => Escapes::Required,
    };
    let mut options = JsonOptions {
        sorted: args.flag(3, false),
        ..JsonOptions::new(run, args.some(1), escapes)?
    };
    if let Some(separators) = args.some(2) {
        let pair = run.iterate(separators)?;
        let [Value::Str(item), Value::Str(key)] = &pair[..] else {
            return Err(Fault::new("`separators` are two strings"));
        };
        run.charge_bytes(item.len() + key.len())?;
        options.item = item.to_string();
        options.key = key.to_string();
        let mut given = Builder::default();
        options
            .given
            .iter()
            .chain([item, key])
            .for_each(|text| given.push_str(text));
        options.given = Some(given.finish());
    }
    let printed: Builder = print_json(run, value, &options)?;
    Ok(Value::Str(printed.finish()))
}

pub(super) fn xmlattr(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let Value::Dict(dict) = value else {
        return Err(no_mapping(value, "items"));
    };
    let mut out = Builder::default();
    for (key, value) in dict.entries() {
        if matches!(value, Value::None(_) | Value::Undefined(_)) {
            continue;
        }
        let Value::Str(key) = key else {
            return Err(Fault::new(format!(
                "the name of an attribute is text, and this is {}",
                key.kind()
            )));
        };
        let value = run.to_str(value)?;
        run.charge_bytes((key.len() + value.len()).saturating_mul(6))?;
        if key
            .contains(|char: char| prompt_core::python::is_whitespace(char) || "/>=".contains(char))
        {
            return Err(Fault::new(format!(
                "Invalid character in attribute name: '{}'",
                &**key
            )));
        }
        if out.len() > 0 || args.flag(0, true) {
            out.push_template(" ");
        }
        out.push_str(&key.escape_html());
        out.push_template("=\"");
        out.push_str(&value.escape_html());
        out.push_template("\"");
    }
    Ok(Value::Str(out.finish()))
}
