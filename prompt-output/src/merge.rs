//! Schemas that are made of several: `allOf`, and `$ref` with keywords beside it.

use serde_json::{Map, Value};

/// How many references may lead to each other in one place.
const STEPS: usize = 16;

/// What only describes; all else says something about the value.
const ANNOTATIONS: [&str; 14] = [
    "$ref",
    "$schema",
    "$id",
    "$defs",
    "definitions",
    "$comment",
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "format",
];

/// Whether a schema says anything about the value beside its `$ref`.
pub(super) fn has_structure(map: &Map<String, Value>) -> bool {
    map.keys().any(|key| {
        let extension = key.starts_with("x-") || super::alias::is_alias(key);
        !ANNOTATIONS.contains(&key.as_str()) && !extension && key != "type"
    })
}

/// Whether a schema without a `type` is an object's.
pub(super) fn is_object(map: &Map<String, Value>) -> bool {
    [
        "properties",
        "additionalProperties",
        "patternProperties",
        "required",
    ]
    .iter()
    .any(|keyword| map.contains_key(*keyword))
}

/// The schema a pointer leads to.
pub(super) fn target<'s>(root: &'s Value, pointer: &str) -> Result<&'s Value, String> {
    pointer
        .strip_prefix('#')
        .and_then(|path| root.pointer(path))
        .ok_or_else(|| format!("the schema refers to `{pointer}`, which is not in it"))
}

/// A schema with its own `$ref` and `allOf` written out.
pub(super) fn resolve(
    root: &Value,
    map: &Map<String, Value>,
) -> Result<Map<String, Value>, String> {
    resolve_within(root, map, STEPS)
}

fn resolve_within(
    root: &Value,
    map: &Map<String, Value>,
    steps: usize,
) -> Result<Map<String, Value>, String> {
    let Some(steps) = steps.checked_sub(1) else {
        return Err("the schema's references lead in a circle".to_owned());
    };
    let mut whole = map.clone();
    let mut parts = Vec::new();
    if let Some(Value::String(pointer)) = whole.remove("$ref") {
        parts.push(target(root, &pointer)?.clone());
    }
    if let Some(Value::Array(all)) = whole.remove("allOf") {
        parts.extend(all);
    }
    for part in parts {
        if let Value::Object(part) = part {
            whole = merge(whole, &resolve_within(root, &part, steps)?);
        }
    }
    Ok(whole)
}

/// Both schemas at once: the fields of both, and the keywords of the second where the first has
/// none.
pub(super) fn merge(first: Map<String, Value>, second: &Map<String, Value>) -> Map<String, Value> {
    let mut whole = first;
    let chooses = whole.contains_key("anyOf");
    for (key, value) in second {
        match (key.as_str(), whole.get_mut(key), value) {
            ("properties" | "$defs", Some(Value::Object(own)), Value::Object(more)) => {
                for (name, schema) in more {
                    if !own.contains_key(name) {
                        own.insert(name.clone(), schema.clone());
                    }
                }
            }
            ("required", Some(Value::Array(own)), Value::Array(more)) => {
                own.extend(more.iter().cloned());
            }
            // Two choices at once, each with its own variants: `compile` takes both keywords.
            ("oneOf", Some(_), value) if !chooses => {
                whole.insert("anyOf".to_owned(), value.clone());
            }
            (_, Some(_), _) => {}
            (_, None, value) => {
                whole.insert(key.clone(), value.clone());
            }
        }
    }
    whole
}
