//! Rust values and JSON as values of the dialect.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, LinkedList, VecDeque};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use crate::expr::value::Dict;
use crate::expr::{EvalError, Str, Value};
use prompt_core::filter::{Filtered, Lines};
use prompt_core::{
    DebugValue, DisplayValue, Json, JsonKind, Origin, Python, Text, ToPrompt, Trusted, Writer,
};

/// A value that an expression can work on: text, numbers, `bool`, lists, tuples, maps, `Option`s and JSON.
///
/// ```
/// use prompt_core::Origin;
/// use prompt_jinja::ToValue;
///
/// let value = [Some(1), None].to_value(Origin::Data(Some("found")));
/// assert_eq!(value.to_string(), "[1, None]");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand in an expression",
    label = "this is no text, number, `bool`, list, map or JSON value",
    note = "a field of it can: write `{{{{ value.field }}}}`",
    note = "a hash set or map has no order of its own: collect it into a `BTreeMap` or a sorted `Vec` first",
    note = "a type of your own: derive a fragment with `#[prompt(fragment = \"…\")]`, or implement `ToValue`"
)]
pub trait ToValue {
    /// The value; its text is of this source.
    fn to_value(&self, source: Origin) -> Value<'_>;
}

macro_rules! texts {
    ($($ty:ty, |$value:ident| $text:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl ToValue for $ty {
            fn to_value(&self, source: Origin) -> Value<'_> {
                let $value = self;
                Value::Text(Str::new($text, source))
            }
        }
    )*};
}

texts! {
    str, |text| text;
    String, |text| text;
}

macro_rules! numbers {
    ($($ty:ty, $variant:ident;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl ToValue for $ty {
            fn to_value(&self, _: Origin) -> Value<'_> {
                Value::$variant(*self)
            }
        }
    )*};
}

numbers! {
    i128, Int;
    f64, Float;
}

macro_rules! whole_numbers {
    ($($ty:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl ToValue for $ty {
            fn to_value(&self, _: Origin) -> Value<'_> {
                Value::Int(i128::from(*self))
            }
        }
    )*};
}

whole_numbers! { i8 i16 i32 i64 u8 u16 u32 u64 }

macro_rules! wide_numbers {
    ($($ty:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl ToValue for $ty {
            fn to_value(&self, source: Origin) -> Value<'_> {
                match i128::try_from(*self) {
                    Ok(number) => Value::Int(number),
                    // Beyond what can be counted with: it can still be printed.
                    Err(_) => Value::Text(Str::made(self.to_string(), source)),
                }
            }
        }
    )*};
}

wide_numbers! { isize usize u128 }

/// The shortest digits that give the same `f32`: `0.1`, where Python's `float(0.1f)` shows more.
#[diagnostic::do_not_recommend]
impl ToValue for f32 {
    fn to_value(&self, _: Origin) -> Value<'_> {
        let shortest = self.to_string().parse().unwrap_or(f64::from(*self));
        Value::Float(shortest)
    }
}

macro_rules! non_zero {
    ($($ty:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl ToValue for std::num::$ty {
            fn to_value(&self, source: Origin) -> Value<'_> {
                match i128::try_from(self.get()) {
                    Ok(number) => Value::Int(number),
                    Err(_) => Value::Text(Str::made(self.to_string(), source)),
                }
            }
        }
    )*};
}

non_zero! {
    NonZeroI8 NonZeroI16 NonZeroI32 NonZeroI64 NonZeroI128 NonZeroIsize
    NonZeroU8 NonZeroU16 NonZeroU32 NonZeroU64 NonZeroU128 NonZeroUsize
}

#[diagnostic::do_not_recommend]
impl ToValue for bool {
    fn to_value(&self, _: Origin) -> Value<'_> {
        Value::Bool(*self)
    }
}

#[diagnostic::do_not_recommend]
impl ToValue for char {
    fn to_value(&self, source: Origin) -> Value<'_> {
        Value::Text(Str::made(&*self.encode_utf8(&mut [0; 4]), source))
    }
}

#[diagnostic::do_not_recommend]
impl ToValue for () {
    fn to_value(&self, _: Origin) -> Value<'_> {
        Value::None
    }
}

/// A path that is not Unicode shows `�` for what cannot be text.
#[diagnostic::do_not_recommend]
impl ToValue for Path {
    fn to_value(&self, source: Origin) -> Value<'_> {
        Value::Text(match self.to_string_lossy() {
            Cow::Borrowed(text) => Str::new(text, source),
            Cow::Owned(text) => Str::made(text, source),
        })
    }
}

/// A path that is not Unicode shows `�` for what cannot be text.
#[diagnostic::do_not_recommend]
impl ToValue for PathBuf {
    fn to_value(&self, source: Origin) -> Value<'_> {
        self.as_path().to_value(source)
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToValue> ToValue for Option<T> {
    fn to_value(&self, source: Origin) -> Value<'_> {
        self.as_ref()
            .map_or(Value::Absent, |value| value.to_value(source))
    }
}

macro_rules! pointers {
    ($($ty:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: ToValue + ?Sized> ToValue for $ty {
            fn to_value(&self, source: Origin) -> Value<'_> {
                (**self).to_value(source)
            }
        }
    )*};
}

pointers! { &T &mut T Box<T> Rc<T> Arc<T> }

#[diagnostic::do_not_recommend]
impl<T: ToValue + ToOwned + ?Sized> ToValue for Cow<'_, T> {
    fn to_value(&self, source: Origin) -> Value<'_> {
        (**self).to_value(source)
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToValue + ?Sized> ToValue for Trusted<T> {
    fn to_value(&self, source: Origin) -> Value<'_> {
        self.0.to_value(source)
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToValue> ToValue for Python<T> {
    fn to_value(&self, source: Origin) -> Value<'_> {
        self.0.to_value(source)
    }
}

macro_rules! lists {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> ToValue for $ty {
            fn to_value(&self, source: Origin) -> Value<'_> {
                Value::List(self.iter().map(|item| item.to_value(source)).collect())
            }
        }
    )*};
}

lists! {
    [T: ToValue] [T];
    [T: ToValue, const N: usize] [T; N];
    [T: ToValue] Vec<T>;
    [T: ToValue] VecDeque<T>;
    [T: ToValue] LinkedList<T>;
    [T: ToValue] BTreeSet<T>;
}

macro_rules! tuples {
    ($($name:ident)*) => {
        #[diagnostic::do_not_recommend]
        #[allow(non_snake_case)] // The variables are named as their types.
        impl<$($name: ToValue),*> ToValue for ($($name,)*) {
            fn to_value(&self, source: Origin) -> Value<'_> {
                let ($($name,)*) = self;
                Value::Tuple(Rc::new([$($name.to_value(source)),*]))
            }
        }
    };
}

tuples! { A }
tuples! { A B }
tuples! { A B C }
tuples! { A B C D }
tuples! { A B C D E }
tuples! { A B C D E F }

#[diagnostic::do_not_recommend]
impl<K: ToValue, V: ToValue> ToValue for BTreeMap<K, V> {
    fn to_value(&self, source: Origin) -> Value<'_> {
        let entries = self
            .iter()
            .map(|(key, value)| (key.to_value(source), value.to_value(source)));
        Dict::from_entries(entries.collect()).into()
    }
}

macro_rules! written {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> ToValue for $ty {
            fn to_value(&self, source: Origin) -> Value<'_> {
                written(self, source)
            }
        }
    )*};
}

written! {
    [] Text;
    [] Filtered;
    [] Lines;
    [T: std::fmt::Display] DisplayValue<T>;
    [T: std::fmt::Debug] DebugValue<T>;
}

/// What a fragment writes, with its own record of what in it is data.
pub fn written<'a>(value: &(impl ToPrompt + ?Sized), source: Origin) -> Value<'a> {
    made(source, |out| value.write(out))
}

/// The text of a part of the template: of a `set` block, a filter block or a macro.
///
/// ```
/// use prompt_jinja::expr::{block, of};
///
/// let text = block(|out| out.text("Dear "));
/// assert_eq!(text.to_string(), "Dear ");
/// ```
pub fn block<'a>(write: impl FnOnce(&mut Writer)) -> Value<'a> {
    made(Origin::Template, write)
}

fn made<'a>(source: Origin, write: impl FnOnce(&mut Writer)) -> Value<'a> {
    let mut out = Writer::new();
    write(&mut out);
    let text = match out.finish_text() {
        Ok(text) => text,
        Err(error) => return Value::Failed(EvalError::from(error)),
    };
    let mut whole = Text::new();
    match source {
        Origin::Data(slot) => whole.push_in(slot, &text),
        _ => whole.push(&text),
    }
    Value::from(whole)
}

#[diagnostic::do_not_recommend]
impl ToValue for serde_json::Value {
    fn to_value(&self, source: Origin) -> Value<'_> {
        match self {
            serde_json::Value::Null => Value::None,
            serde_json::Value::Bool(value) => Value::Bool(*value),
            serde_json::Value::Number(number) => number.as_i128().map_or_else(
                || Value::Float(number.as_f64().unwrap_or(f64::NAN)),
                Value::Int,
            ),
            serde_json::Value::String(text) => text.to_value(source),
            serde_json::Value::Array(items) => items.to_value(source),
            serde_json::Value::Object(entries) => entries.to_value(source),
        }
    }
}

#[diagnostic::do_not_recommend]
impl ToValue for serde_json::Map<String, serde_json::Value> {
    fn to_value(&self, source: Origin) -> Value<'_> {
        let entries = self
            .iter()
            .map(|(key, value)| (key.to_value(source), value.to_value(source)));
        Dict::from_entries(entries.collect()).into()
    }
}

/// What can be read from the JSON text, in its own order.
#[diagnostic::do_not_recommend]
impl ToValue for Json {
    fn to_value(&self, source: Origin) -> Value<'_> {
        json(self, source)
    }
}

fn json<'a>(json: &Json, source: Origin) -> Value<'a> {
    if let Some(entries) = json.unique_entries() {
        let mut dict = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            let key = Value::Text(Str::made(key, source));
            dict.push((key, self::json(&value, source)));
        }
        return Dict::from_entries(dict).into();
    }
    if let Some(items) = json.items() {
        let mut list = Vec::with_capacity(items.len());
        for item in &items {
            list.push(self::json(item, source));
        }
        return Value::List(list.into());
    }
    match json.kind() {
        JsonKind::Bool => Value::Bool(json.as_str() == "true"),
        JsonKind::Number => number(json.as_str()),
        JsonKind::Str => {
            let text = json.as_string();
            text.map_or(Value::None, |text| Value::Text(Str::made(text, source)))
        }
        _ => Value::None,
    }
}

/// A number as Python reads it: whole without a point, and endless where it is too large.
fn number<'a>(text: &str) -> Value<'a> {
    match text.parse() {
        Ok(number) => Value::Int(number),
        Err(_) => Value::Float(text.parse().unwrap_or(f64::NAN)),
    }
}
