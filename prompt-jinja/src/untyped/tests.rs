//! The tests of the language: what follows `is`.

use super::fault::{Fault, R};
use super::registry::{Args, find_filter, find_test};
use super::run::Run;
use super::value::{Object, Value};
use crate::builtin::Host;

macro_rules! tests {
    ($($name:ident($value:ident) $test:expr;)*) => {$(
        pub(super) fn $name(_: &mut Run<'_>, $value: &Value, _: &mut Args) -> R<Value> {
            Ok(Value::bool($test))
        }
    )*};
}

tests! {
    callable(value) match value {
        Value::Object(object) => matches!(
            **object,
            Object::Macro(_) | Object::Function(_) | Object::Method(..) | Object::Loop(_) | Object::Joiner(..)
        ),
        // `Undefined` has the method that Python looks for.
        value => value.is_undefined(),
    };
    defined(value) !value.is_undefined();
    undefined(value) value.is_undefined();
    escaped(value) value.as_str().is_some_and(|text| text.safe);
    iterable(value) match value {
        Value::Object(object) => matches!(
            **object,
            Object::Range(..) | Object::Generator(_) | Object::Group(_) | Object::View(..) | Object::Loop(_)
        ),
        value => matches!(
            value,
            Value::Undefined(_) | Value::Str(_) | Value::List(_) | Value::Tuple(_) | Value::Dict(_)
        ),
    };
    // What has a length and items.
    sequence(value) match value {
        Value::Object(object) => matches!(**object, Object::Range(..) | Object::Group(_)),
        value => matches!(
            value,
            Value::Undefined(_) | Value::Str(_) | Value::List(_) | Value::Tuple(_) | Value::Dict(_)
        ),
    };
}

pub(super) fn sameas(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let other = args.value(0);
    Ok(Value::bool(match (value, &other) {
        (Value::List(a), Value::List(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
            std::rc::Rc::ptr_eq(a, b)
        }
        (Value::Dict(a), Value::Dict(b)) => std::rc::Rc::ptr_eq(a, b),
        (a, b) => a.kind() == b.kind() && run.are_equal(a, b)?,
    }))
}

pub(super) fn filter(_: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    hashable(value)?;
    let is_known = value
        .as_str()
        .is_some_and(|name| find_filter(name).is_some());
    Ok(Value::bool(is_known))
}

pub(super) fn test(_: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    hashable(value)?;
    let is_known = value.as_str().is_some_and(|name| find_test(name).is_some());
    Ok(Value::bool(is_known))
}

/// A name is looked up, so that it has to be a key.
fn hashable(value: &Value) -> R<()> {
    match value.is_hashable() {
        true => Ok(()),
        false => Err(Fault::new(format!("unhashable type: '{}'", value.kind()))),
    }
}
