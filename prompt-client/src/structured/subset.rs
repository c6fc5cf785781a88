//! What hosted providers take of JSON Schema.

use serde_json::{Map, Value};

/// A part of JSON Schema. What is not in it a provider refuses with the whole request, so a schema is either written
/// within the part, or described in words.
///
/// Bounds that a provider does not know go into the description, where the model reads them; the answer is checked by
/// the whole schema anyway.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Subset {
    /// Whether the least and the greatest number and length of a list can be said.
    pub(crate) bounds: bool,
    /// Whether a type may contain itself.
    pub(crate) recursion: bool,
}

/// Keys that say something to readers of the schema only, or that nothing follows from.
const IDLE: &[&str] = &[
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

/// Keys whose value can be told in words.
const TOLD: &[&str] = &[
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "uniqueItems",
    "default",
];

/// The `format`s of strings that every provider knows; those of numbers are their bounds.
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
    /// The schema within the part; `None` if it cannot be said there.
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
            // `true`, which is whatever there is.
            return None;
        };
        if !["type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref"]
            .iter()
            .any(|key| from.contains_key(*key))
        {
            return None;
        }
        let (mut to, mut told) = (Map::new(), Vec::new());
        for (key, value) in from {
            let (key, value) = match key.as_str() {
                "type" | "enum" | "$ref" | "required" | "description" => (&**key, value.clone()),
                "const" => ("enum", Value::Array(vec![value.clone()])),
                "properties" | "$defs" | "definitions" => (&**key, self.named(value)?),
                "items" => ("items", self.node(value)?),
                "anyOf" | "oneOf" => ("anyOf", self.each(value)?),
                "allOf" if value.as_array().is_some_and(|all| all.len() == 1) => {
                    ("anyOf", self.each(value)?)
                }
                "additionalProperties" if *value == Value::Bool(false) => (&**key, value.clone()),
                "format" if is_known_format(value) => (&**key, value.clone()),
                "format" => continue,
                known if BOUNDS.contains(&known) && self.bounds => (known, value.clone()),
                known if BOUNDS.contains(&known) || TOLD.contains(&known) => {
                    told.push(format!("{known}: {value}"));
                    continue;
                }
                idle if IDLE.contains(&idle) || idle.starts_with("x-") => continue,
                _ => return None,
            };
            // Two unions in one place would be one.
            if to.insert(key.to_owned(), value).is_some() {
                return None;
            }
        }
        if to.contains_key("anyOf") && to.contains_key("properties") {
            return None;
        }
        if !told.is_empty() {
            let told = format!("({})", told.join(", "));
            let text = match to.get("description").and_then(Value::as_str) {
                Some(text) => format!("{text} {told}"),
                None => told,
            };
            to.insert("description".to_owned(), text.into());
        }
        Some(Value::Object(alone(to)))
    }

    fn named(self, schemas: &Value) -> Option<Value> {
        let named = schemas.as_object()?.iter();
        named
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

/// A reference beside which nothing stands, since providers refuse it otherwise.
fn alone(mut node: Map<String, Value>) -> Map<String, Value> {
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

/// Whether a type of the schema contains itself.
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
    use serde_json::json;

    use super::*;

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
    fn bounds_are_said_or_told() {
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
        let told = r#"(pattern: "^a", maxLength: 3, default: "a")"#;
        let said = json!({"type": "string", "format": "date", "description": told});
        for subset in [WIDE, NARROW] {
            assert_eq!(within(subset, &text), Some(said.clone()));
        }
    }

    #[test]
    fn references_stand_alone_and_unions_are_open() {
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
    fn what_cannot_be_said_is_not() {
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
    fn types_that_contain_themselves_are_found() {
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
