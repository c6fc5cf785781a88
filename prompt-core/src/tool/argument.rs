//! Types of arguments: how each is described and read.

use schemars::SchemaGenerator;
use serde_core::de::{self, Deserializer, IntoDeserializer, Visitor};
use serde_json::Value;

use crate::output::Answer;

/// How the type of an argument is described and parsed. Generated code has one entry point for both, so that a type that can
/// neither is one error.
#[derive(Debug)]
pub struct TypedArgument<T> {
    pub(super) schema: fn(&mut SchemaGenerator) -> Value,
    pub(super) whole: fn() -> Option<Value>,
    /// `None` for a missing argument.
    pub(super) read: fn(Option<Value>) -> Result<T, String>,
}

/// How a type is described and parsed as an argument.
pub fn argument<T: Argument>() -> TypedArgument<T> {
    TypedArgument {
        schema: argument_schema::<T>,
        whole: crate::output::json_schema::<T>,
        read: read_argument::<T>,
    }
}

fn argument_schema<T: Argument>(generator: &mut SchemaGenerator) -> Value {
    generator.subschema_for::<T>().to_value()
}

fn read_argument<T: Argument>(value: Option<Value>) -> Result<T, String> {
    match value {
        Some(value) => T::deserialize(value).map_err(|error| error.to_string()),
        None => T::deserialize(Missing).map_err(|error| error.to_string()),
    }
}

/// A missing field: an `Option` is `None`, and any other type is an error.
struct Missing;

impl<'de> Deserializer<'de> for Missing {
    type Error = de::value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(de::Error::custom("it is missing"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_none()
    }

    serde_core::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, de::value::Error> for Missing {
    type Deserializer = Missing;

    fn into_deserializer(self) -> Missing {
        self
    }
}

/// A type that a tool's argument can have: `serde::Deserialize` and `schemars::JsonSchema`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool",
    label = "cannot be read from JSON, or has no JSON Schema",
    note = "write `#[derive(serde::Deserialize, schemars::JsonSchema)]` above the type, and likewise for the types of its fields; what is borrowed cannot be read: use `String` for `&str`"
)]
pub trait Argument: Answer {}

#[diagnostic::do_not_recommend]
impl<T: Answer> Argument for T {}
