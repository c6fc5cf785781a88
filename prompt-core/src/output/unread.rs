//! Objects of which a type reads nothing: serde drops each of their keys, and each field has its default.

use std::iter;

use serde_core::de::value::{Error, MapDeserializer, SeqDeserializer};
use serde_core::de::{DeserializeOwned, Deserializer, Error as _, IntoDeserializer, Visitor};
use serde_json::{Map, Value};

/// Returns the keys of an object, or of the first item of a list, of which the type reads none.
pub(super) fn keys_without_a_field<T: DeserializeOwned>(
    value: &Value,
) -> Option<&Map<String, Value>> {
    match value {
        Value::Object(map) => {
            let is_unread = !map.is_empty() && T::deserialize(unread_entries(map)).is_ok();
            is_unread.then_some(map)
        }
        Value::Array(items) => items.iter().filter_map(Value::as_object).find(|map| {
            let item = iter::once(unread_entries(map));
            !map.is_empty() && T::deserialize(SeqDeserializer::<_, Error>::new(item)).is_ok()
        }),
        _ => None,
    }
}

pub(super) fn message(keys: &Map<String, Value>, schema: &Value) -> String {
    let names = |map: &Map<String, Value>| {
        let names: Vec<String> = map.keys().map(|name| format!("`{name}`")).collect();
        names.join(", ")
    };
    let fields = schema.get("properties").and_then(Value::as_object);
    let fields = fields.map_or_else(String::new, |fields| format!(" ({})", names(fields)));
    format!(
        "no key of the object is a field of its type{fields}: {}",
        names(keys)
    )
}

fn unread_entries(
    map: &Map<String, Value>,
) -> MapDeserializer<'_, impl Iterator<Item = (&str, Unread)>, Error> {
    MapDeserializer::new(map.keys().map(|key| (key.as_str(), Unread)))
}

/// A value that can only be dropped.
struct Unread;

impl<'de> Deserializer<'de> for Unread {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("it is read"))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    serde_core::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier
    }
}

impl IntoDeserializer<'_, Error> for Unread {
    type Deserializer = Unread;

    fn into_deserializer(self) -> Unread {
        self
    }
}
