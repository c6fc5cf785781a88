//! The answer of a prompt. Its traits are implemented by hand, because the derives of other crates need the real `core`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Deserialize, Deserializer, Error};

/// The answer of the model.
#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    /// The answer's number.
    pub number: u8,
}

impl<'de> Deserialize<'de> for Answer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fields = BTreeMap::<String, u8>::deserialize(deserializer)?;
        let number = fields.get("number").copied();
        let number = number.ok_or_else(|| D::Error::missing_field("number"))?;
        Ok(Answer { number })
    }
}

impl JsonSchema for Answer {
    fn schema_name() -> Cow<'static, str> {
        Cow::Borrowed("Answer")
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let schema = serde_json::json!({
            "type": "object",
            "properties": { "number": { "type": "integer", "minimum": 0, "maximum": 255 } },
            "required": ["number"],
        });
        schema.try_into().expect("an object is a schema")
    }
}
