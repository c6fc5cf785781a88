//! Answers as Arrow values: the types that a JSON Schema has, and the values of answers in them.

use std::sync::Arc;

use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Fields};
use datafusion::common::{DataFusionError, Result};
use serde_json::{Map, Value, json};
use typed_prompt::llm::Usage;

/// How deep types are nested; deeper ones are JSON as text, and so are recursive ones.
const MAX_DEPTH: usize = 16;

/// The type of an answer's value: of its JSON Schema, or text.
pub(crate) fn value_type(schema: Option<&Value>) -> DataType {
    match schema {
        Some(schema) => data_type(schema, schema, MAX_DEPTH),
        None => DataType::Utf8,
    }
}

/// The type of the column `answer`.
pub(crate) fn answer_field(name: &str, schema: Option<&Value>) -> Field {
    let text = |name: &str| Field::new(name, DataType::Utf8, true);
    let count = |name: &str| Field::new(name, DataType::UInt64, false);
    let usage = DataType::Struct(Fields::from(vec![count("input"), count("output")]));
    let fields = vec![
        Field::new("value", value_type(schema), true),
        text("text"),
        text("error"),
        Field::new("usage", usage, true),
        Field::new("fingerprint", DataType::Utf8, false),
        Field::new("kept", DataType::Boolean, false),
    ];
    Field::new(name, DataType::Struct(Fields::from(fields)), false)
}

fn data_type(schema: &Value, root: &Value, depth: usize) -> DataType {
    let Some(depth) = depth.checked_sub(1) else {
        return DataType::Utf8;
    };
    if let Some(target) = resolve_reference(schema, root) {
        return data_type(target, root, depth);
    }
    // `Option<T>` is a union with null.
    for key in ["anyOf", "oneOf"] {
        if let Some(variants) = schema.get(key).and_then(Value::as_array) {
            let mut others = variants.iter().filter(|variant| variant["type"] != "null");
            return match (others.next(), others.next()) {
                (Some(only), None) => data_type(only, root, depth),
                _ => DataType::Utf8,
            };
        }
    }
    let name = match &schema["type"] {
        Value::String(name) => Some(name.as_str()),
        Value::Array(names) => {
            let mut names = names
                .iter()
                .filter_map(Value::as_str)
                .filter(|name| *name != "null");
            names.next().filter(|_| names.next().is_none())
        }
        _ => None,
    };
    match name {
        Some("boolean") => DataType::Boolean,
        Some("integer")
            if schema["format"]
                .as_str()
                .is_some_and(|format| format.starts_with("uint")) =>
        {
            DataType::UInt64
        }
        Some("integer") => DataType::Int64,
        Some("number") => DataType::Float64,
        Some("array") if schema["items"].is_object() => DataType::List(Arc::new(Field::new(
            "item",
            data_type(&schema["items"], root, depth),
            true,
        ))),
        Some("object") => object_type(schema, root, depth),
        _ => DataType::Utf8,
    }
}

fn object_type(schema: &Value, root: &Value, depth: usize) -> DataType {
    if let Some(properties) = schema["properties"]
        .as_object()
        .filter(|properties| !properties.is_empty())
    {
        let field = |(name, schema): (&String, &Value)| {
            Field::new(name, data_type(schema, root, depth), true)
        };
        return DataType::Struct(properties.iter().map(field).collect());
    }
    if schema["additionalProperties"].is_object() {
        let value = data_type(&schema["additionalProperties"], root, depth);
        let entries = vec![
            Field::new("key", DataType::Utf8, false),
            Field::new("value", value, true),
        ];
        let entries = Field::new("entries", DataType::Struct(Fields::from(entries)), false);
        return DataType::Map(Arc::new(entries), false);
    }
    DataType::Utf8
}

/// The schema that a `$ref` refers to.
fn resolve_reference<'a>(schema: &Value, root: &'a Value) -> Option<&'a Value> {
    root.pointer(schema.get("$ref")?.as_str()?.strip_prefix('#')?)
}

/// The value in the form that its type takes: JSON as text where the type is text.
fn fit_value(value: Value, data_type: &DataType) -> Value {
    match (value, data_type) {
        (Value::String(text), _) => Value::String(text),
        (Value::Null, _) => Value::Null,
        (value, DataType::Utf8) => Value::String(value.to_string()),
        (Value::Array(items), DataType::List(item)) => items
            .into_iter()
            .map(|value| fit_value(value, item.data_type()))
            .collect(),
        (Value::Object(mut values), DataType::Struct(fields)) => {
            let field = |field: &FieldRef| {
                let value = values.remove(field.name()).unwrap_or_default();
                (field.name().clone(), fit_value(value, field.data_type()))
            };
            Value::Object(fields.iter().map(field).collect::<Map<_, _>>())
        }
        (Value::Object(values), DataType::Map(entries, _)) => {
            let value_type = match entries.data_type() {
                DataType::Struct(fields) => fields[1].data_type().clone(),
                _ => DataType::Utf8,
            };
            values
                .into_iter()
                .map(|(key, value)| (key, fit_value(value, &value_type)))
                .collect::<Map<_, _>>()
                .into()
        }
        (value, _) => value,
    }
}

/// The outcome of a row.
pub(crate) struct RowOutcome {
    pub(crate) value: Option<Value>,
    pub(crate) text: Option<String>,
    pub(crate) error: Option<String>,
    pub(crate) usage: Option<Usage>,
    pub(crate) fingerprint: String,
    /// Whether the answer was in the store already.
    pub(crate) kept: bool,
}

/// The column `answer` of a batch.
pub(crate) fn answer_array(field: &FieldRef, outcomes: Vec<RowOutcome>) -> Result<ArrayRef> {
    let DataType::Struct(fields) = field.data_type() else {
        return Err(DataFusionError::Internal(
            "the answer is a struct".to_owned(),
        ));
    };
    let value_type = fields[0].data_type();
    let rows: Vec<Value> = outcomes
        .into_iter()
        .map(|outcome| {
            let usage = outcome
                .usage
                .map(|usage| json!({"input": usage.input, "output": usage.output}));
            json!({field.name(): {
                "value": outcome.value.map(|value| fit_value(value, value_type)),
                "text": outcome.text,
                "error": outcome.error,
                "usage": usage,
                "fingerprint": outcome.fingerprint,
                "kept": outcome.kept,
            }})
        })
        .collect();
    let arrays = serde_arrow::to_arrow(std::slice::from_ref(field), &rows);
    let mut arrays = arrays.map_err(|error| DataFusionError::External(error.into()))?;
    Ok(arrays.swap_remove(0))
}
