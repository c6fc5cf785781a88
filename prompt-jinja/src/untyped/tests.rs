//! The tests of the language: what follows `is`.

use super::fault::{Fault, R};
use super::nodes::{Arith, Compare};
use super::ops::Number;
use super::registry::{Args, find_filter, find_test};
use super::run::Run;
use super::value::{Object, Value};

macro_rules! tests {
    ($($name:ident($value:ident) $test:expr;)*) => {$(
        pub(super) fn $name(_: &mut Run<'_>, $value: &Value, _: &mut Args) -> R<Value> {
            Ok(Value::Bool($test))
        }
    )*};
}

tests! {
    boolean(value) matches!(value, Value::Bool(_));
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
    is_true(value) matches!(value, Value::Bool(true));
    is_false(value) matches!(value, Value::Bool(false));
    float(value) matches!(value, Value::Float(..));
    integer(value) matches!(value, Value::Int(..) | Value::Big(..));
    number(value) Number::of(value).is_some();
    none(value) matches!(value, Value::None);
    string(value) matches!(value, Value::Str(_));
    mapping(value) matches!(value, Value::Dict(_));
    iterable(value) match value {
        Value::Object(object) => matches!(
            **object,
            Object::Range(_) | Object::Generator(_) | Object::Group(_) | Object::View(..) | Object::Loop(_)
        ),
        value => matches!(
            value,
            Value::Undefined(_) | Value::Str(_) | Value::List(_) | Value::Tuple(_) | Value::Dict(_)
        ),
    };
    // What has a length and items.
    sequence(value) match value {
        Value::Object(object) => matches!(**object, Object::Range(_) | Object::Group(_)),
        value => matches!(
            value,
            Value::Undefined(_) | Value::Str(_) | Value::List(_) | Value::Tuple(_) | Value::Dict(_)
        ),
    };
}

macro_rules! comparisons {
    ($($name:ident: $operator:ident,)*) => {$(
        pub(super) fn $name(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
            run.compare(Compare::$operator, value, &args.value(0)).map(Value::Bool)
        }
    )*};
}

comparisons! {
    eq: Eq,
    ne: Ne,
    lt: Lt,
    le: Le,
    gt: Gt,
    ge: Ge,
    contained: In,
}

fn remainder(run: &mut Run<'_>, value: &Value, by: &Value) -> R<bool> {
    let rest = run.arith(Arith::Rem, value, by)?;
    run.equals(&rest, &Value::int(0))
}

pub(super) fn divisibleby(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    remainder(run, value, &args.value(0)).map(Value::Bool)
}

pub(super) fn even(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    remainder(run, value, &Value::int(2)).map(Value::Bool)
}

pub(super) fn odd(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    let rest = run.arith(Arith::Rem, value, &Value::int(2))?;
    run.equals(&rest, &Value::int(1)).map(Value::Bool)
}

pub(super) fn lower(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    let text = run.str_of(value)?;
    Ok(Value::Bool(super::methods::is_lower(&text)))
}

pub(super) fn upper(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    let text = run.str_of(value)?;
    Ok(Value::Bool(super::methods::is_upper(&text)))
}

pub(super) fn sameas(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let other = args.value(0);
    Ok(Value::Bool(match (value, &other) {
        (Value::List(a), Value::List(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
            std::rc::Rc::ptr_eq(a, b)
        }
        (Value::Dict(a), Value::Dict(b)) => std::rc::Rc::ptr_eq(a, b),
        (a, b) => a.kind() == b.kind() && run.equals(a, b)?,
    }))
}

pub(super) fn filter(_: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    hashable(value)?;
    let is_known = value
        .as_str()
        .is_some_and(|name| find_filter(name).is_some());
    Ok(Value::Bool(is_known))
}

pub(super) fn test(_: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    hashable(value)?;
    let is_known = value.as_str().is_some_and(|name| find_test(name).is_some());
    Ok(Value::Bool(is_known))
}

/// A name is looked up, so that it has to be a key.
fn hashable(value: &Value) -> R<()> {
    match value.is_hashable() {
        true => Ok(()),
        false => Err(Fault::new(format!("unhashable type: '{}'", value.kind()))),
    }
}
