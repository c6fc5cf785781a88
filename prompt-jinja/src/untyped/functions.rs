//! The functions of the language, and those that transformers adds.

use std::cell::Cell;

use super::fault::{Fault, FaultKind, R};
use super::registry::Args;
use super::run::Run;
use super::text::{Source, Str};
use super::value::{Dict, Object, Value};
use crate::builtin::{self, Host, range::Range};

pub(super) fn range(_: &mut Run<'_>, _: &Value, args: &mut Args) -> R<Value> {
    let range = Range::from_args::<Run<'_>>(builtin::Args(&args.given))?;
    let data = args.given.iter().flatten().map(Value::source);
    let source = data.fold(Source::TEMPLATE, Source::and);
    Ok(Value::object(Object::Range(range, source)))
}

/// The entries of `dict(…)` and `namespace(…)`.
fn entries(run: &mut Run<'_>, args: &mut Args) -> R<Dict> {
    let mut dict = Dict::default();
    match args.get(0).cloned() {
        None => {}
        Some(Value::Dict(given)) => {
            run.charge_items(given.len())?;
            for (key, value) in given.entries() {
                run.charge_key(key)?;
                run.insert_entry(&mut dict, key.clone(), value.clone())?;
            }
        }
        Some(pairs) => {
            for pair in run.iterate(&pairs)? {
                let items = run.iterate(&pair)?;
                let [key, value] = &items[..] else {
                    let length = items.len();
                    return Err(Fault::new(format!(
                        "dictionary update sequence element has length {length}; 2 is required"
                    )));
                };
                run.charge_key(key)?;
                if !key.is_hashable() {
                    return Err(Fault::new(format!("unhashable type: '{}'", key.kind())));
                }
                run.insert_entry(&mut dict, key.clone(), value.clone())?;
            }
        }
    }
    for (name, value) in std::mem::take(&mut args.named) {
        run.charge_items(1)?;
        run.insert_entry(&mut dict, Value::Str(name), value)?;
    }
    Ok(dict)
}

pub(super) fn dict(run: &mut Run<'_>, _: &Value, args: &mut Args) -> R<Value> {
    let dict = entries(run, args)?;
    run.checked(Value::Dict(std::rc::Rc::new(dict)))
}

pub(super) fn namespace(run: &mut Run<'_>, _: &Value, args: &mut Args) -> R<Value> {
    let dict = entries(run, args)?;
    run.namespace(dict.entries().to_vec())
}

pub(super) fn cycler(run: &mut Run<'_>, _: &Value, args: &mut Args) -> R<Value> {
    if args.rest.is_empty() {
        return Err(Fault::new("at least one item has to be provided"));
    }
    run.charge_items(args.rest.len())?;
    let value = Value::object(Object::Cycler(std::mem::take(&mut args.rest), Cell::new(0)));
    run.checked(value)
}

pub(super) fn joiner(_: &mut Run<'_>, _: &Value, args: &mut Args) -> R<Value> {
    let separator = args
        .get(0)
        .cloned()
        .unwrap_or_else(|| Value::template(", "));
    Ok(Value::object(Object::Joiner(separator, Cell::new(false))))
}

pub(super) fn lipsum(_: &mut Run<'_>, _: &Value, _: &mut Args) -> R<Value> {
    Err(Fault::of(
        FaultKind::Unsupported,
        "the function `lipsum` is not supported: its text is random",
    ))
}

pub(super) fn call_self(_: &mut Run<'_>, _: &Value, _: &mut Args) -> R<Value> {
    Err(left_out_self())
}

pub(super) fn left_out_self() -> Box<Fault> {
    Fault::of(
        FaultKind::Unsupported,
        "`self` is not supported: write the block where it is used",
    )
}

pub(super) fn raise_exception(run: &mut Run<'_>, _: &Value, args: &mut Args) -> R<Value> {
    let message = run.to_str(&args.value(0))?;
    Err(Fault::of(FaultKind::Raised, &*message))
}

pub(super) fn strftime_now(run: &mut Run<'_>, _: &Value, args: &mut Args) -> R<Value> {
    let Value::Str(pattern) = args.value(0) else {
        return Err(Fault::new("strftime_now() takes a string"));
    };
    // `%c`, the longest directive, becomes 24 characters.
    run.charge_bytes(pattern.len().saturating_mul(12))?;
    let text = (run.limits.format_now)(&pattern);
    Ok(Value::Str(Str::new(text, pattern.source())))
}
