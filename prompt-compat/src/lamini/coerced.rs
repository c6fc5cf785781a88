//! Values of an answer that Lamini's typed calls convert.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use prompt_core::python::float_repr;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_core::de::{Error, Unexpected, Visitor};
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

/// A field of an answer that accepts what Lamini's typed calls (1.0.3) convert to its type, by pydantic's rules.
///
/// | type | also accepted |
/// | --- | --- |
/// | `Coerced<bool>` | `0`, `1`, and the strings `0`, `1`, `on`, `off`, `t`, `f`, `y`, `n`, `yes`, `no` |
/// | `Coerced<i64>`, `Coerced<f64>` | `true` as 1, `false` as 0 |
/// | `Coerced<String>` | numbers and booleans, as Python prints them |
///
/// Lamini converts `null` and a missing value to zero and cuts fractions for integers. Here these are errors.
///
/// ```
/// use typed_prompt::{Reply, compat::lamini::Coerced, output};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Answer { done: Coerced<bool>, share: Coerced<f64>, label: Coerced<String> }
///
/// let answer: Answer = output::parse_json(&Reply::new(r#"{"done": "y", "share": true, "label": 17}"#))?;
/// assert_eq!((answer.done.0, answer.share.0, answer.label.0.as_str()), (true, 1.0, "17"));
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Coerced<T>(pub T);

/// The types of [`Coerced`].
pub trait Coerce: Sized + sealed::Sealed {}

mod sealed {
    use super::Scalar;
    use schemars::Schema;

    pub trait Sealed: Sized {
        fn value_schema() -> Schema;
        fn coerce_scalar(value: &Scalar) -> Option<Self>;
    }
}

/// A value of JSON that is not a list, an object or null.
pub enum Scalar {
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
}

impl Coerce for bool {}
impl sealed::Sealed for bool {
    fn value_schema() -> Schema {
        json_schema!({"anyOf": [
            {"type": "boolean"},
            {"enum": [0, 1, "0", "1", "on", "off", "t", "f", "y", "n", "yes", "no", "true", "false"]},
        ]})
    }

    fn coerce_scalar(value: &Scalar) -> Option<bool> {
        match value {
            Scalar::Bool(value) => Some(*value),
            Scalar::Int(number @ (0 | 1)) => Some(*number == 1),
            Scalar::Text(text) => match text.to_lowercase().as_str() {
                "1" | "on" | "t" | "true" | "y" | "yes" => Some(true),
                "0" | "off" | "f" | "false" | "n" | "no" => Some(false),
                _ => None,
            },
            Scalar::Int(_) | Scalar::Float(_) => None,
        }
    }
}

impl Coerce for i64 {}
impl sealed::Sealed for i64 {
    fn value_schema() -> Schema {
        json_schema!({"type": ["integer", "boolean"]})
    }

    fn coerce_scalar(value: &Scalar) -> Option<i64> {
        match value {
            Scalar::Bool(value) => Some(i64::from(*value)),
            Scalar::Int(number) => Some(*number),
            Scalar::Float(_) | Scalar::Text(_) => None,
        }
    }
}

impl Coerce for f64 {}
impl sealed::Sealed for f64 {
    fn value_schema() -> Schema {
        json_schema!({"type": ["number", "boolean"]})
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "as Python's `float` and serde_json convert integers"
    )]
    fn coerce_scalar(value: &Scalar) -> Option<f64> {
        match value {
            Scalar::Bool(value) => Some(f64::from(u8::from(*value))),
            Scalar::Int(number) => Some(*number as f64),
            Scalar::Float(number) => Some(*number),
            Scalar::Text(_) => None,
        }
    }
}

impl Coerce for String {}
impl sealed::Sealed for String {
    fn value_schema() -> Schema {
        json_schema!({"type": ["string", "integer", "number", "boolean"]})
    }

    fn coerce_scalar(value: &Scalar) -> Option<String> {
        Some(match value {
            Scalar::Bool(true) => "True".to_owned(),
            Scalar::Bool(false) => "False".to_owned(),
            Scalar::Int(number) => number.to_string(),
            Scalar::Float(number) => float_repr(*number),
            Scalar::Text(text) => text.clone(),
        })
    }
}

impl<T: Coerce> JsonSchema for Coerced<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Coerced".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        T::value_schema()
    }
}

impl<'de, T: Coerce> Deserialize<'de> for Coerced<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor(PhantomData))
    }
}

impl<T: Serialize> Serialize for Coerced<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

struct ScalarVisitor<T>(PhantomData<T>);

impl<T: Coerce> ScalarVisitor<T> {
    fn coerce_visited<E: Error>(
        self,
        value: &Scalar,
        found: Unexpected<'_>,
    ) -> Result<Coerced<T>, E> {
        let coerced = T::coerce_scalar(value).map(Coerced);
        coerced.ok_or_else(|| E::invalid_value(found, &self))
    }
}

impl<T: Coerce> Visitor<'_> for ScalarVisitor<T> {
    type Value = Coerced<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a value that pydantic converts, such as {}",
            T::value_schema().to_value()
        )
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Coerced<T>, E> {
        self.coerce_visited(&Scalar::Bool(value), Unexpected::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Coerced<T>, E> {
        self.coerce_visited(&Scalar::Int(value), Unexpected::Signed(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Coerced<T>, E> {
        match i64::try_from(value) {
            Ok(value) => self.visit_i64(value),
            Err(_) => Err(E::invalid_value(Unexpected::Unsigned(value), &self)),
        }
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Coerced<T>, E> {
        self.coerce_visited(&Scalar::Float(value), Unexpected::Float(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Coerced<T>, E> {
        self.coerce_visited(&Scalar::Text(value.to_owned()), Unexpected::Str(value))
    }
}
