//! Rust values and JSON as values of the dialect.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use std::num::{
    NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroI128, NonZeroIsize, NonZeroU8,
    NonZeroU16, NonZeroU32, NonZeroU64, NonZeroU128, NonZeroUsize,
};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use crate::expr::value::Dict;
use crate::expr::{EvalError, Str, Value};
use prompt_base::{Kind, StructKinds, ValueKind};
use prompt_core::filter::{Filtered, Lines};
use prompt_core::python::Python;
use prompt_core::{
    DebugValue, DisplayValue, Json, JsonKind, Origin, Text, ToPrompt, Trusted, Untrusted, Writer,
};

/// A value that an expression can work on: text, numbers, `bool`, lists, tuples, maps, `Option`s and JSON.
///
/// ```
/// use typed_prompt::{jinja::ToValue, message::Origin};
///
/// let value = [Some(1), None].to_value(Origin::Data(Some("found")));
/// assert_eq!(value.to_string(), "[1, None]");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used in an expression",
    label = "this is not text, a number, a `bool`, a list, a map or a JSON value",
    note = "a field of it can: write `{{{{ value.field }}}}`",
    note = "a hash set or map has no order of its own: collect it into a `BTreeMap` or a sorted `Vec` first",
    note = "a type of your own: derive `typed_prompt::jinja::ToValue`, or a fragment with `#[prompt(fragment = \"…\")]`; a type of another crate: make the field `DisplayValue<T>`, from `typed_prompt::value`"
)]
pub trait ToValue {
    /// The value; its text is of this source.
    fn to_value(&self, source: Origin) -> Value<'_>;

    /// The kind of its values, as far as it follows from the type alone. A template that is loaded at run time is checked against it;
    /// what is not known, as by default, is checked when it is rendered. `derive(ToValue)` returns the fields of the struct.
    fn kind() -> ValueKind {
        Kind::Unknown.into_value_kind()
    }

    /// Writes the value where it fills a slot alone: by default its text. A fragment writes itself, with its images.
    fn print(&self, out: &mut Writer) {
        let written = match self.to_value(Origin::Data(None)) {
            Value::Text(text) => return text.write_to(out),
            value => value.with_printed(|text| out.data(text)),
        };
        if let Err(fault) = written {
            out.fail(fault.into());
        }
    }
}

/// Implements [`ToValue`] for types, each with its generics: their kind, and their values.
macro_rules! to_value {
    ($kind:expr, |$value:ident, $source:ident| $result:expr; $([$($generics:tt)*] $ty:ty),* $(,)?) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> ToValue for $ty {
            fn kind() -> ValueKind {
                Kind::into_value_kind($kind)
            }

            fn to_value(&self, $source: Origin) -> Value<'_> {
                let $value = self;
                $result
            }
        }
    )*};
}

to_value! { Kind::Text, |text, source| Value::Text(Str::new(text, source)); [] str, [] String }
to_value! { Kind::Text, |char, source| Value::Text(Str::from_shared(&*char.encode_utf8(&mut [0; 4]), source)); [] char }
to_value! { Kind::Bool, |value, _source| Value::Bool(*value); [] bool }
to_value! { Kind::None, |_value, _source| Value::None; [] () }
to_value! { Kind::Float, |number, _source| Value::Float(*number); [] f64 }
// The shortest digits that give the same `f32`: `0.1`, where Python's `float(0.1f)` shows more.
to_value! { Kind::Float, |number, _source| Value::Float(number.to_string().parse().unwrap_or(f64::from(*number))); [] f32 }
to_value! { Kind::Int, |number, source| integer_value(*number, source);
    [] i8, [] i16, [] i32, [] i64, [] i128, [] isize, [] u8, [] u16, [] u32, [] u64, [] u128, [] usize,
}
to_value! { Kind::Int, |number, source| integer_value(number.get(), source);
    [] NonZeroI8, [] NonZeroI16, [] NonZeroI32, [] NonZeroI64, [] NonZeroI128, [] NonZeroIsize,
    [] NonZeroU8, [] NonZeroU16, [] NonZeroU32, [] NonZeroU64, [] NonZeroU128, [] NonZeroUsize,
}
to_value! { Kind::Text, |path, source| path_text(path, source); [] Path, [] PathBuf }
to_value! { Kind::Option(Box::new(Kind::from_part(T::kind()))), |value, source| value.as_ref().map_or(Value::Absent, |value| value.to_value(source)); [T: ToValue] Option<T> }

/// Implements [`ToValue`] for pointers.
macro_rules! pointers {
    ($([$($generics:tt)*] $ty:ty),* $(,)?) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> ToValue for $ty {
            fn kind() -> ValueKind {
                T::kind()
            }

            fn to_value(&self, source: Origin) -> Value<'_> {
                (**self).to_value(source)
            }

            fn print(&self, out: &mut Writer) {
                (**self).print(out);
            }
        }
    )*};
}

pointers! {
    [T: ToValue + ?Sized] &T, [T: ToValue + ?Sized] &mut T, [T: ToValue + ?Sized] Box<T>, [T: ToValue + ?Sized] Rc<T>,
    [T: ToValue + ?Sized] Arc<T>, [T: ToValue + ToOwned + ?Sized] Cow<'_, T>,
}

to_value! { Kind::from_value_kind(T::kind()), |value, source| value.0.to_value(source); [T: ToValue + ?Sized] Trusted<T>, [T: ToValue] Python<T> }
to_value! { Kind::list(Kind::from_part(T::kind())), |list, source| Value::List(list.iter().map(|item| item.to_value(source)).collect());
    [T: ToValue] [T], [T: ToValue, const N: usize] [T; N], [T: ToValue] Vec<T>, [T: ToValue] VecDeque<T>,
    [T: ToValue] LinkedList<T>, [T: ToValue] BTreeSet<T>,
}
to_value! { map_kind(V::kind()), |map, source| entries_value(map.iter(), source); [K: ToValue, V: ToValue] BTreeMap<K, V> }
to_value! { Kind::Dict(Box::new(Kind::Dynamic)), |map, source| entries_value(map.iter(), source);
    [] serde_json::Map<String, serde_json::Value>,
}
to_value! { Kind::Text, |value, source| fragment_text(value, source);
    [] Text, [] Filtered, [] Lines, [T: ToPrompt] Untrusted<T>, [T: std::fmt::Display] DisplayValue<T>, [T: std::fmt::Debug] DebugValue<T>,
}
// What can be read from the JSON text, in its own order.
to_value! { Kind::Dynamic, |value, source| json_value(value, source); [] Json }

/// An integer; one beyond 128 bits is text, since it can only be printed.
fn integer_value<'a>(number: impl TryInto<i128> + Copy + ToString, source: Origin) -> Value<'a> {
    match number.try_into() {
        Ok(number) => Value::Int(number),
        Err(_) => Value::Text(Str::from_shared(number.to_string(), source)),
    }
}

/// A path that is not Unicode shows `�` for what cannot be text.
fn path_text(path: &Path, source: Origin) -> Value<'_> {
    Value::Text(match path.to_string_lossy() {
        Cow::Borrowed(text) => Str::new(text, source),
        Cow::Owned(text) => Str::from_shared(text, source),
    })
}

fn entries_value<'a, K: ToValue + 'a, V: ToValue + 'a>(
    map: impl Iterator<Item = (&'a K, &'a V)>,
    source: Origin,
) -> Value<'a> {
    let entries = map.map(|(key, value)| (key.to_value(source), value.to_value(source)));
    Dict::from_entries(entries.collect()).into()
}

/// In the order of the keys.
#[diagnostic::do_not_recommend]
impl<K: ToValue + Ord, V: ToValue, S> ToValue for HashMap<K, V, S> {
    fn kind() -> ValueKind {
        Kind::Unordered.into_value_kind()
    }

    fn to_value(&self, source: Origin) -> Value<'_> {
        let mut pairs: Vec<_> = self.iter().collect();
        pairs.sort_by_key(|pair| pair.0);
        entries_value(pairs.into_iter(), source)
    }
}

/// In order.
#[diagnostic::do_not_recommend]
impl<T: ToValue + Ord, S> ToValue for HashSet<T, S> {
    fn kind() -> ValueKind {
        Kind::Unordered.into_value_kind()
    }

    fn to_value(&self, source: Origin) -> Value<'_> {
        let mut items: Vec<_> = self.iter().collect();
        items.sort();
        Value::List(
            items
                .into_iter()
                .map(|item| item.to_value(source))
                .collect(),
        )
    }
}

macro_rules! tuples {
    ($($name:ident)*) => {
        #[diagnostic::do_not_recommend]
        #[allow(non_snake_case)] // The variables are named as their types.
        impl<$($name: ToValue),*> ToValue for ($($name,)*) {
            fn kind() -> ValueKind {
                Kind::Tuple(vec![$(Kind::from_part($name::kind())),*]).into_value_kind()
            }

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

/// The kind of a map with such values. A condition shows nothing about a key, so whether its value is `None` is only known at run time.
fn map_kind(value: ValueKind) -> Kind {
    Kind::Dict(Box::new(match Kind::from_part(value) {
        Kind::Option(_) => Kind::Dynamic,
        kind => kind,
    }))
}

/// The kind of a struct with these fields; generated code calls it.
pub fn struct_kind(fields: StructKinds) -> ValueKind {
    Kind::Struct(fields).into_value_kind()
}

/// The kind of text; generated code calls it.
pub fn text_kind() -> ValueKind {
    Kind::Text.into_value_kind()
}

/// The text of a fragment with its origins.
pub fn fragment_text<'a>(value: &(impl ToPrompt + ?Sized), source: Origin) -> Value<'a> {
    written_text(source, |out| value.write(out))
}

/// The text of a part of the template: of a `set` block, a filter block or a macro.
///
/// ```
/// use prompt_jinja::private::{block_text, field_value};
///
/// let text = block_text(|out| out.text("Dear "));
/// assert_eq!(text.to_string(), "Dear ");
/// ```
pub fn block_text<'a>(write: impl FnOnce(&mut Writer)) -> Value<'a> {
    written_text(Origin::Template, write)
}

fn written_text<'a>(source: Origin, write: impl FnOnce(&mut Writer)) -> Value<'a> {
    let mut out = Writer::new();
    let slot = match source {
        Origin::Data(slot) => slot,
        _ => None,
    };
    prompt_core::private::note_conversion(slot, || write(&mut out));
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
    fn kind() -> ValueKind {
        Kind::Dynamic.into_value_kind()
    }

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

fn json_value<'a>(json: &Json, source: Origin) -> Value<'a> {
    if let Some(entries) = json.unique_entries() {
        let mut dict = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            let key = Value::Text(Str::from_shared(key, source));
            dict.push((key, self::json_value(&value, source)));
        }
        return Dict::from_entries(dict).into();
    }
    if let Some(items) = json.items() {
        let mut list = Vec::with_capacity(items.len());
        for item in &items {
            list.push(self::json_value(item, source));
        }
        return Value::List(list.into());
    }
    match json.kind() {
        JsonKind::Bool => Value::Bool(json.as_str() == "true"),
        JsonKind::Number => json_number(json.as_str()),
        JsonKind::Str => {
            let text = json.as_string();
            text.map_or(Value::None, |text| {
                Value::Text(Str::from_shared(text, source))
            })
        }
        _ => Value::None,
    }
}

/// A number as Python reads it: whole without a point, and endless where it is too large.
fn json_number<'a>(text: &str) -> Value<'a> {
    match text.parse() {
        Ok(number) => Value::Int(number),
        Err(_) => Value::Float(text.parse().unwrap_or(f64::NAN)),
    }
}
