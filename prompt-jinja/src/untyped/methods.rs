//! Methods that templates of Rust structs do not have: of the objects of the language, and those that make other texts of strings.

use super::fault::{Fault, FaultKind, R};
use super::registry::Args;
use super::run::Run;
use super::text::{Builder, Str};
use super::value::{Dict, Object, Value};
use crate::builtin::arith::sign_value;
use crate::builtin::number::{Number, Whole};
use crate::builtin::{Host, ITEM_BYTES};

/// The string that a method is called on. What it searches or copies is charged.
fn receiver(run: &mut Run<'_>, value: &Value) -> R<Str> {
    match value {
        Value::Str(text) => {
            run.charge_bytes(text.len())?;
            Ok(text.clone())
        }
        other => Err(Fault::new(format!(
            "'{}' object is not a string",
            other.kind()
        ))),
    }
}

pub(super) fn translate(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let text = receiver(run, value)?;
    let table = args.value(0);
    let mut out = Builder::default();
    for (at, char) in text.char_indices() {
        run.charge_bytes(ITEM_BYTES)?;
        let own = text.slice(at..at + char.len_utf8());
        let mapped = run.item(&table, &Value::int(i64::from(u32::from(char))))?;
        match &mapped {
            Value::Undefined(_) => out.push_str(&own),
            Value::None(_) => {}
            Value::Str(new) => {
                run.charge_bytes(new.len())?;
                // A character takes the place of another one of data.
                out.push(new, own.source().and(new.source()));
            }
            Value::Int(code, _) => {
                let char = u32::try_from(*code).ok().and_then(char::from_u32);
                let char =
                    char.ok_or_else(|| Fault::new("character mapping must be in range(0x110000)"))?;
                out.push(char.encode_utf8(&mut [0; 4]), own.source());
            }
            _ => {
                return Err(Fault::new(
                    "character mapping must return integer, None or str",
                ));
            }
        }
    }
    Ok(Value::Str(out.finish_like(&text)))
}

pub(super) fn left_out_encode(_: &mut Run<'_>, _: &Value, _: &mut Args) -> R<Value> {
    Err(Fault::of(
        FaultKind::Unsupported,
        "the method `encode` is not supported: a template has no bytes",
    ))
}

pub(super) fn format(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let pattern = receiver(run, value)?;
    let named = std::mem::take(&mut args.named).into_iter();
    let named = named
        .map(|(name, value)| (Value::Str(name), value))
        .collect();
    let rest = std::mem::take(&mut args.rest);
    run.format_fields(&pattern, &rest, &Value::dict(named))
}

pub(super) fn format_map(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let pattern = receiver(run, value)?;
    run.format_fields(&pattern, &[], &args.value(0))
}

/// A copy of a value that does not change is the value.
pub(super) fn copy(_: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    Ok(value.clone())
}

pub(super) fn fromkeys(run: &mut Run<'_>, _: &Value, args: &mut Args) -> R<Value> {
    let mut dict = Dict::default();
    for key in run.iterate(&args.value(0))? {
        run.charge_key(&key)?;
        if !key.is_hashable() {
            return Err(Fault::new(format!("unhashable type: '{}'", key.kind())));
        }
        run.insert_entry(&mut dict, key, args.value(1))?;
    }
    run.checked(Value::Dict(std::rc::Rc::new(dict)))
}

pub(super) fn as_integer_ratio(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    let number = sign_value::<Run<'_>>('+', value)?;
    run.tuple(vec![number, Value::Int(1, value.source())])
}

pub(super) fn bit_length(_: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    let bits = match <Run<'_> as Host>::to_number(value) {
        Some(Number::Whole(number)) => number.count_bits(),
        _ => 0,
    };
    let bits = i64::try_from(bits).unwrap_or(i64::MAX);
    Ok(Value::Int(bits, value.source()))
}

pub(super) fn is_integer(_: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    Ok(Value::bool(
        matches!(value, Value::Float(number, _) if number.fract() == 0.0),
    ))
}

pub(super) fn cycler_next(_: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    match value.as_object() {
        Some(Object::Cycler(items, at)) => {
            let item = items.get(at.get()).cloned();
            at.set((at.get() + 1) % items.len().max(1));
            Ok(item.unwrap_or(Value::none()))
        }
        _ => Ok(Value::none()),
    }
}

pub(super) fn cycler_reset(_: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    if let Some(Object::Cycler(_, at)) = value.as_object() {
        at.set(0);
    }
    Ok(Value::none())
}

pub(super) fn loop_cycle(_: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    match value.as_object() {
        Some(Object::Loop(state)) if !args.rest.is_empty() => {
            let at = state.index.get() % args.rest.len();
            Ok(args.rest.swap_remove(at))
        }
        _ => Err(Fault::new("no items for cycling given")),
    }
}

pub(super) fn loop_changed(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let Some(Object::Loop(state)) = value.as_object() else {
        return Ok(Value::bool(true));
    };
    let given = run.tuple(std::mem::take(&mut args.rest))?;
    run.charge_key(&given)?;
    let last = state.changed.borrow().clone();
    let is_same = match &last {
        Some(last) => run.are_equal(last, &given)?,
        None => false,
    };
    if !is_same {
        *state.changed.borrow_mut() = Some(given);
    }
    Ok(Value::bool(!is_same))
}
