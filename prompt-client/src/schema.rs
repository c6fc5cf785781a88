//! JSON Schemas of answers, in the form that each provider accepts.

use std::borrow::Cow;

use prompt_core::openai::schema::described;
pub(crate) use prompt_core::openai::schema::{schema_name, without_metadata};
use prompt_core::{Messages, Request, Structured};
use serde_json::{Map, Value, json};

/// The schema with its objects closed, so that a constrained model cannot write unknown fields.
///
/// Objects that define their additional properties, or that combine several schemas, stay as they are.
pub(crate) fn closed(schema: &Value) -> Value {
    const OPEN: &[&str] = &[
        "additionalProperties",
        "unevaluatedProperties",
        "patternProperties",
        "$ref",
        "allOf",
        "anyOf",
        "oneOf",
        "if",
        "not",
    ];
    match schema {
        Value::Object(map) => {
            let is_closable =
                map.contains_key("properties") && !OPEN.iter().any(|key| map.contains_key(*key));
            let properties = |map: &Value| match map {
                Value::Object(map) => map
                    .iter()
                    .map(|(name, schema)| (name.clone(), closed(schema)))
                    .collect(),
                other => other.clone(),
            };
            let inner = |(key, value): (&String, &Value)| {
                let value = match key.as_str() {
                    "properties" | "$defs" | "definitions" => properties(value),
                    "items" | "prefixItems" | "anyOf" | "oneOf" | "additionalProperties" => {
                        closed(value)
                    }
                    // Not schemas, or parts that are a schema only together.
                    _ => value.clone(),
                };
                (key.clone(), value)
            };
            let mut map: serde_json::Map<_, _> = map.iter().map(inner).collect();
            if is_closable {
                map.insert("additionalProperties".to_owned(), Value::Bool(false));
            }
            Value::Object(map)
        }
        Value::Array(items) => items.iter().map(closed).collect(),
        _ => schema.clone(),
    }
}

/// The closed schema with all fields required, as OpenAI's strict mode requires it.
pub(crate) fn strict(schema: &Value) -> Value {
    let mut schema = closed(schema);
    require_all(&mut schema);
    schema
}

fn require_all(schema: &mut Value) {
    let Value::Object(map) = schema else {
        return;
    };
    let is_closed = map.get("additionalProperties") == Some(&Value::Bool(false));
    let properties = map.get("properties").and_then(Value::as_object);
    if let Some(properties) = properties.filter(|_| is_closed) {
        let names: Vec<Value> = properties.keys().map(|name| json!(name)).collect();
        map.insert("required".to_owned(), Value::Array(names));
    }
    for (key, value) in map {
        match (key.as_str(), value) {
            ("properties" | "$defs" | "definitions", Value::Object(schemas)) => {
                schemas.values_mut().for_each(require_all);
            }
            ("prefixItems" | "anyOf" | "oneOf" | "allOf", Value::Array(schemas)) => {
                schemas.iter_mut().for_each(require_all);
            }
            ("items" | "additionalProperties", schema) => require_all(schema),
            _ => {}
        }
    }
}

/// The messages of a request. The schema is appended to the last user message if `structured` is `Described`.
pub(crate) fn describe<'a>(
    request: &'a Request,
    structured: Option<&Structured>,
) -> Cow<'a, Messages> {
    match (&request.schema, structured) {
        (Some(schema), Some(Structured::Described)) => {
            Cow::Owned(described(&request.messages, schema))
        }
        _ => Cow::Borrowed(&request.messages),
    }
}

/// OpenAI's `response_format` for a server that constrains its answers to any schema.
pub(crate) fn response_format(request: &Request, schema: &Value) -> Value {
    let format = json!({"name": schema_name(request.info.name), "schema": closed(schema)});
    json!({"type": "json_schema", "json_schema": format})
}

/// The subset of JSON Schema that a provider supports. Providers reject a request with an unsupported keyword, so a schema
/// is either converted to the subset, or described in the prompt.
///
/// Bounds that a provider does not support are moved to the description, where the model reads them. The answer is
/// checked against the whole schema anyway.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Subset {
    /// Whether bounds of numbers and of list lengths are supported.
    pub(crate) bounds: bool,
    /// Whether types may be recursive.
    pub(crate) recursion: bool,
}

/// Keywords without an effect on validation.
const ANNOTATIONS: &[&str] = &[
    "$schema",
    "$id",
    "$comment",
    "title",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
];

const BOUNDS: &[&str] = &["minimum", "maximum", "minItems", "maxItems"];

/// Keywords that can be moved to the description.
const DESCRIBABLE: &[&str] = &[
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "uniqueItems",
    "default",
];

/// The string formats that every provider supports. Formats of numbers repeat their bounds.
const FORMATS: &[&str] = &[
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
];

impl Subset {
    /// The schema in this subset, or `None` if the subset cannot express it.
    pub(crate) fn write(self, schema: &Value) -> Option<Value> {
        if schema.get("type").and_then(Value::as_str) != Some("object") {
            return None;
        }
        if !self.recursion && is_recursive(schema) {
            return None;
        }
        self.node(schema)
    }

    fn node(self, schema: &Value) -> Option<Value> {
        let Value::Object(from) = schema else {
            // `true` accepts any value.
            return None;
        };
        if !["type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref"]
            .iter()
            .any(|key| from.contains_key(*key))
        {
            return None;
        }
        let (mut to, mut described) = (Map::new(), Vec::new());
        for (key, value) in from {
            let (key, value) = match key.as_str() {
                "type" | "enum" | "$ref" | "required" | "description" => (&**key, value.clone()),
                "const" => ("enum", Value::Array(vec![value.clone()])),
                "properties" | "$defs" | "definitions" => (&**key, self.properties(value)?),
                "items" => ("items", self.node(value)?),
                "anyOf" | "oneOf" => ("anyOf", self.each(value)?),
                "allOf" if value.as_array().is_some_and(|all| all.len() == 1) => {
                    ("anyOf", self.each(value)?)
                }
                "additionalProperties" if *value == Value::Bool(false) => (&**key, value.clone()),
                "format" if is_known_format(value) => (&**key, value.clone()),
                "format" => continue,
                known if BOUNDS.contains(&known) && self.bounds => (known, value.clone()),
                known if BOUNDS.contains(&known) || DESCRIBABLE.contains(&known) => {
                    described.push(format!("{known}: {value}"));
                    continue;
                }
                key if ANNOTATIONS.contains(&key) || key.starts_with("x-") => continue,
                _ => return None,
            };
            // Two unions of one schema would become one.
            if to.insert(key.to_owned(), value).is_some() {
                return None;
            }
        }
        if to.contains_key("anyOf") && to.contains_key("properties") {
            return None;
        }
        if !described.is_empty() {
            let described = format!("({})", described.join(", "));
            let text = match to.get("description").and_then(Value::as_str) {
                Some(text) => format!("{text} {described}"),
                None => described,
            };
            to.insert("description".to_owned(), text.into());
        }
        Some(Value::Object(isolate_reference(to)))
    }

    fn properties(self, schemas: &Value) -> Option<Value> {
        let schemas = schemas.as_object()?.iter();
        schemas
            .map(|(name, schema)| Some((name.clone(), self.node(schema)?)))
            .collect::<Option<Map<_, _>>>()
            .map(Value::Object)
    }

    fn each(self, schemas: &Value) -> Option<Value> {
        let each = schemas.as_array()?.iter();
        each.map(|schema| self.node(schema))
            .collect::<Option<Vec<_>>>()
            .map(Value::Array)
    }
}

fn is_known_format(format: &Value) -> bool {
    format
        .as_str()
        .is_some_and(|format| FORMATS.contains(&format))
}

/// Wraps a reference with sibling keywords in `anyOf`, since providers reject siblings.
fn isolate_reference(mut node: Map<String, Value>) -> Map<String, Value> {
    if node.len() > 1
        && !node.contains_key("anyOf")
        && let Some(reference) = node.remove("$ref")
    {
        let reference = Map::from_iter([("$ref".to_owned(), reference)]);
        node.insert(
            "anyOf".to_owned(),
            Value::Array(vec![Value::Object(reference)]),
        );
    }
    node
}

/// Whether a type of the schema is recursive.
fn is_recursive(schema: &Value) -> bool {
    fn references<'a>(schema: &'a Value, found: &mut Vec<&'a str>) {
        match schema {
            Value::Object(map) => {
                for (key, value) in map {
                    match value {
                        Value::String(to) if key == "$ref" => found.push(to),
                        _ if key == "$defs" || key == "definitions" => {}
                        _ => references(value, found),
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| references(item, found)),
            _ => {}
        }
    }
    fn reaches<'a>(root: &'a Value, schema: &'a Value, path: &mut Vec<&'a str>) -> bool {
        let mut found = Vec::new();
        references(schema, &mut found);
        found.into_iter().any(|to| {
            if to == "#" || path.contains(&to) {
                return true;
            }
            let Some(target) = to.strip_prefix('#').and_then(|to| root.pointer(to)) else {
                return false;
            };
            path.push(to);
            let reached = reaches(root, target, path);
            path.pop();
            reached
        })
    }
    reaches(schema, schema, &mut Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_closed() {
        let leaf = json!({"type": "object", "properties": {"a": {"type": "string"}}});
        let closed_leaf = json!({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false});
        assert_eq!(closed(&leaf), closed_leaf);
        assert_eq!(
            closed(&json!({"$defs": {"A": leaf}, "anyOf": [leaf]})),
            json!({"$defs": {"A": closed_leaf}, "anyOf": [closed_leaf]})
        );
        let named = json!({"properties": {"properties": {"type": "string"}}, "additionalProperties": false});
        assert_eq!(
            closed(&json!({"properties": {"properties": {"type": "string"}}})),
            named
        );
        for open in [
            json!({"allOf": [leaf]}),
            json!({"properties": {}, "additionalProperties": true}),
            json!({"const": leaf}),
        ] {
            assert_eq!(closed(&open), open);
        }
    }

    const WIDE: Subset = Subset {
        bounds: true,
        recursion: true,
    };
    const NARROW: Subset = Subset {
        bounds: false,
        recursion: false,
    };

    /// The schema of a field, in an object.
    fn within(subset: Subset, field: &Value) -> Option<Value> {
        let schema = json!({"type": "object", "properties": {"a": field}, "required": ["a"]});
        Some(subset.write(&schema)?["properties"]["a"].clone())
    }

    #[test]
    fn unsupported_bounds_are_moved_to_the_description() {
        let field = json!({
            "type": "integer", "format": "uint8", "minimum": 1, "maximum": 9, "description": "How many.", "title": "A",
        });
        let wide =
            json!({"type": "integer", "minimum": 1, "maximum": 9, "description": "How many."});
        assert_eq!(within(WIDE, &field), Some(wide));
        let narrow =
            json!({"type": "integer", "description": "How many. (minimum: 1, maximum: 9)"});
        assert_eq!(within(NARROW, &field), Some(narrow));
        let text = json!({"type": "string", "pattern": "^a", "maxLength": 3, "format": "date", "default": "a"});
        let described = r#"(pattern: "^a", maxLength: 3, default: "a")"#;
        let written = json!({"type": "string", "format": "date", "description": described});
        for subset in [WIDE, NARROW] {
            assert_eq!(within(subset, &text), Some(written.clone()));
        }
    }

    #[test]
    fn references_are_isolated_and_unions_are_open() {
        let described = json!({"$ref": "#/$defs/B", "description": "b"});
        let alone = json!({"description": "b", "anyOf": [{"$ref": "#/$defs/B"}]});
        assert_eq!(within(NARROW, &described), Some(alone));
        let bare = json!({"$ref": "#/$defs/B"});
        assert_eq!(within(NARROW, &bare), Some(bare));
        let choice = json!({"oneOf": [{"type": "string", "const": "a", "description": "A."}, {"type": "null"}]});
        let open = json!({"anyOf": [{"type": "string", "enum": ["a"], "description": "A."}, {"type": "null"}]});
        assert_eq!(within(NARROW, &choice), Some(open));
        let all = json!({"allOf": [{"$ref": "#/$defs/B"}]});
        let any = json!({"anyOf": [{"$ref": "#/$defs/B"}]});
        assert_eq!(within(NARROW, &all), Some(any));
    }

    #[test]
    fn unsupported_schemas_are_rejected() {
        for field in [
            json!(true),
            json!({}),
            json!({"description": "whatever"}),
            json!({"type": "object", "additionalProperties": {"type": "string"}}),
            json!({"type": "object", "patternProperties": {}}),
            json!({"type": "array", "prefixItems": [{"type": "string"}]}),
            json!({"type": "string", "not": {"enum": ["a"]}}),
            json!({"allOf": [{"type": "string"}, {"type": "string"}]}),
            json!({"type": "object", "properties": {}, "oneOf": [{"type": "object"}]}),
            json!({"anyOf": [], "oneOf": []}),
        ] {
            assert_eq!(within(WIDE, &field), None, "{field}");
        }
        assert_eq!(WIDE.write(&json!({"type": "string"})), None);
    }

    #[test]
    fn recursive_types_are_detected() {
        let tree = json!({"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#"}}}});
        let node = json!({"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}});
        let list = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/Node"}}, "$defs": {"Node": node}});
        let leaf = json!({"type": "string"});
        let two = json!({
            "type": "object", "$defs": {"Leaf": leaf},
            "properties": {"a": {"$ref": "#/$defs/Leaf"}, "b": {"$ref": "#/$defs/Leaf"}},
        });
        assert!(is_recursive(&tree) && is_recursive(&list) && !is_recursive(&two));
        assert!(WIDE.write(&tree).is_some() && NARROW.write(&list).is_none());
    }
}
