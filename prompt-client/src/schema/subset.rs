//! The subsets of JSON Schema that providers support, and the conversion of schemas to them.

use serde_json::{Map, Value, json};

use super::restore::{ENTRIES, KEY, Restore, VALUE, WRAPPER, tuple_item};

/// The subset of JSON Schema that a provider supports. Providers reject a request with an unsupported keyword, so a schema
/// is either converted to the subset, or described in the prompt.
///
/// Bounds that a provider does not support are moved to the description, where the model reads them. Types that it does
/// not support are replaced by objects, and [`Restored`](super::Restored) converts the answer back. The answer is checked
/// against the whole schema anyway.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Subset {
    /// Whether bounds of numbers and of list lengths are supported.
    pub(crate) bounds: bool,
    /// Whether types may be recursive.
    pub(crate) recursion: bool,
    /// Whether maps, tuples, and roots other than objects are supported.
    pub(crate) containers: bool,
    /// Whether objects without properties are supported.
    pub(crate) empty_objects: bool,
    /// The supported formats of strings.
    pub(crate) formats: &'static [&'static str],
}

/// A schema in the subset of a provider.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Narrowed {
    pub(crate) schema: Value,
    /// How the answer is converted back, if types were replaced.
    pub(crate) restore: Option<Restore>,
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
    "minProperties",
    "maxProperties",
    "propertyNames",
    "contentEncoding",
    "contentMediaType",
];

/// The formats of strings that most providers support.
pub(crate) const FORMATS: &[&str] = &[
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

/// Schemas that are merged with a schema that refers to them. Deeper ones are recursive.
const MAX_MERGES: usize = 32;

impl Subset {
    /// The schema in this subset, or `None` if the subset cannot express it.
    pub(crate) fn narrow_schema(self, schema: &Value) -> Option<Narrowed> {
        if !self.recursion && is_recursive(schema) {
            return None;
        }
        let mut writer = SubsetWriter {
            subset: self,
            root: schema,
            replaces: false,
        };
        let written = writer.narrow_node(schema)?;
        let is_object = written["type"] == "object" && written.get("anyOf").is_none();
        let wrapped = !is_object && !self.containers;
        let restore = (wrapped || writer.replaces).then_some(Restore { wrapped });
        Some(Narrowed {
            schema: match wrapped {
                true => wrap_root(written),
                false => written,
            },
            restore,
        })
    }
}

/// An object with the schema as its only property.
pub(super) fn wrap_root(mut root: Value) -> Value {
    let target = format!("#/$defs/{WRAPPER}");
    // The root is no longer the schema that `#` refers to.
    let is_recursive = redirect_references(&mut root, &target);
    let mut definitions = root
        .as_object_mut()
        .map(take_definitions)
        .unwrap_or_default();
    if is_recursive {
        let root = std::mem::replace(&mut root, json!({"$ref": target}));
        let inner = definitions.entry("$defs").or_insert(json!({}));
        inner[WRAPPER] = root;
    }
    let mut wrapper = object_schema(&[(WRAPPER, root)]);
    if let Some(map) = wrapper.as_object_mut() {
        map.extend(definitions);
    }
    wrapper
}

/// Removes the schemas to which references point.
fn take_definitions(schema: &mut Map<String, Value>) -> Map<String, Value> {
    let definitions = ["$defs", "definitions"].into_iter();
    definitions
        .filter_map(|key| Some((key.to_owned(), schema.shift_remove(key)?)))
        .collect()
}

/// Replaces references to the root. Returns whether there are any.
fn redirect_references(schema: &mut Value, target: &str) -> bool {
    let mut found = false;
    match schema {
        Value::Object(map) => {
            for (key, value) in map {
                match value {
                    Value::String(to) if key == "$ref" && to == "#" => {
                        target.clone_into(to);
                        found = true;
                    }
                    value => found |= redirect_references(value, target),
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                found |= redirect_references(item, target);
            }
        }
        _ => {}
    }
    found
}

/// A closed object whose properties are required.
fn object_schema(properties: &[(impl AsRef<str>, Value)]) -> Value {
    let names: Vec<&str> = properties.iter().map(|(name, _)| name.as_ref()).collect();
    let properties = properties.iter();
    let properties: Map<_, _> = properties
        .map(|(name, schema)| (name.as_ref().to_owned(), schema.clone()))
        .collect();
    json!({"type": "object", "properties": properties, "required": names, "additionalProperties": false})
}

struct SubsetWriter<'a> {
    subset: Subset,
    /// The whole schema, to which references point.
    root: &'a Value,
    /// Whether a type was replaced.
    replaces: bool,
}

impl SubsetWriter<'_> {
    fn narrow_node(&mut self, schema: &Value) -> Option<Value> {
        let Value::Object(from) = schema else {
            // `true` accepts any value.
            return None;
        };
        let merged = self.merge_all_of(from, 0)?;
        let from = merged.as_ref().unwrap_or(from);
        if !["type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref"]
            .iter()
            .any(|key| from.contains_key(*key))
        {
            return None;
        }
        if let Some(container) = self.narrow_container(from)? {
            return Some(container);
        }
        let (mut to, mut described) = (Map::new(), Vec::new());
        for (key, value) in from {
            let (key, value) = match key.as_str() {
                "type" | "enum" | "$ref" | "required" | "description" => (&**key, value.clone()),
                "const" => ("enum", Value::Array(vec![value.clone()])),
                "properties" | "$defs" | "definitions" => (&**key, self.narrow_properties(value)?),
                "items" => ("items", self.narrow_node(value)?),
                "prefixItems" if self.subset.containers => (&**key, self.narrow_each(value)?),
                "anyOf" | "oneOf" => ("anyOf", self.narrow_each(value)?),
                "allOf" if value.as_array().is_some_and(|all| all.len() == 1) => {
                    ("anyOf", self.narrow_each(value)?)
                }
                "patternProperties" if self.subset.containers => {
                    let (values, pattern) = Self::map_values(from)?;
                    described
                        .extend(pattern.map(|pattern| format!("pattern of the keys: {pattern}")));
                    ("additionalProperties", self.narrow_node(values)?)
                }
                "additionalProperties" if from.contains_key("patternProperties") => {
                    (*value == Value::Bool(false)).then_some(())?;
                    continue;
                }
                "additionalProperties" | "unevaluatedProperties"
                    if *value == Value::Bool(false) =>
                {
                    ("additionalProperties", value.clone())
                }
                "additionalProperties" if self.subset.containers && value.is_object() => {
                    (&**key, self.narrow_node(value)?)
                }
                "format" if contains_format(self.subset.formats, value) => (&**key, value.clone()),
                "format" => {
                    // Other formats are those of numbers, which repeat their bounds.
                    if contains_format(FORMATS, value) {
                        described.push(format!("format: {value}"));
                    }
                    continue;
                }
                known if BOUNDS.contains(&known) && self.subset.bounds => (known, value.clone()),
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
        // A struct without fields.
        let is_open = |key: &str| !to.contains_key(key);
        if to.get("type") == Some(&json!("object"))
            && is_open("properties")
            && is_open("additionalProperties")
        {
            to.insert("properties".to_owned(), json!({}));
            to.insert("additionalProperties".to_owned(), json!(false));
        }
        let properties = to.get("properties").and_then(Value::as_object);
        if !self.subset.empty_objects && properties.is_some_and(Map::is_empty) {
            return None;
        }
        add_descriptions(&mut to, &described);
        Some(Value::Object(isolate_reference(to)))
    }

    /// A map or a tuple as an object with the same content, if this subset does not support it.
    ///
    /// The outer `None` means that it cannot be expressed.
    #[expect(clippy::option_option, reason = "not a container, and not expressible")]
    fn narrow_container(&mut self, from: &Map<String, Value>) -> Option<Option<Value>> {
        if self.subset.containers {
            return Some(None);
        }
        let has_type = |name: &str| match from.get("type") {
            Some(Value::String(only)) => only == name,
            Some(Value::Array(types)) => types.iter().any(|found| found == name),
            _ => false,
        };
        let mut described = Vec::new();
        let replaced = if let Some((values, pattern)) = Self::map_values(from) {
            let mut key = Map::from_iter([("type".to_owned(), json!("string"))]);
            add_descriptions(
                &mut key,
                &pattern.map_or_else(Vec::new, |pattern| {
                    vec![format!("pattern of the keys: {pattern}")]
                }),
            );
            let entry = object_schema(&[
                (KEY, Value::Object(key)),
                (VALUE, self.narrow_node(values)?),
            ]);
            object_schema(&[(ENTRIES, json!({"type": "array", "items": entry}))])
        } else if let Some(items) = from.get("prefixItems").and_then(Value::as_array) {
            let is_fixed = ["minItems", "maxItems"]
                .iter()
                .all(|key| from.get(*key) == Some(&json!(items.len())));
            if !is_fixed || items.is_empty() {
                return None;
            }
            let items = items
                .iter()
                .enumerate()
                .map(|(index, item)| Some((tuple_item(index), self.narrow_node(item)?)));
            object_schema(&items.collect::<Option<Vec<_>>>()?)
        } else {
            return Some(None);
        };
        self.replaces = true;
        let Value::Object(mut replaced) = replaced else {
            return None;
        };
        for (key, value) in from {
            match key.as_str() {
                "type"
                | "additionalProperties"
                | "patternProperties"
                | "properties"
                | "prefixItems" => {}
                "minItems" | "maxItems" if from.contains_key("prefixItems") => {}
                "items" if *value == Value::Bool(false) => {}
                "description" => drop(replaced.insert(key.clone(), value.clone())),
                // The root may be a map.
                "$defs" | "definitions" => {
                    replaced.insert(key.clone(), self.narrow_properties(value)?);
                }
                known if DESCRIBABLE.contains(&known) => {
                    described.push(format!("{known}: {value}"));
                }
                known if ANNOTATIONS.contains(&known) || known.starts_with("x-") => {}
                _ => return None,
            }
        }
        add_descriptions(&mut replaced, &described);
        if has_type("null") {
            let definitions = take_definitions(&mut replaced);
            let union = json!([replaced, {"type": "null"}]);
            replaced = Map::from_iter([("anyOf".to_owned(), union)]);
            replaced.extend(definitions);
        }
        Some(Some(Value::Object(replaced)))
    }

    /// The schema of the values of a map, and the pattern of its keys.
    fn map_values(from: &Map<String, Value>) -> Option<(&Value, Option<&str>)> {
        let object = |key: &str| from.get(key).and_then(Value::as_object);
        if object("properties").is_some_and(|properties| !properties.is_empty()) {
            return None;
        }
        if let Some(values) = from
            .get("additionalProperties")
            .filter(|values| values.is_object())
        {
            return (!from.contains_key("patternProperties")).then_some((values, None));
        }
        let patterns = object("patternProperties").filter(|patterns| patterns.len() == 1)?;
        let (pattern, values) = patterns.iter().next()?;
        Some((values, Some(pattern)))
    }

    /// The schema with the objects merged of which it consists: a reference, or a union, beside properties, and `allOf`.
    ///
    /// The outer `None` means that they cannot be merged.
    #[expect(clippy::option_option, reason = "nothing to merge, and not mergeable")]
    fn merge_all_of(
        &self,
        from: &Map<String, Value>,
        depth: usize,
    ) -> Option<Option<Map<String, Value>>> {
        let has = |key: &str| from.contains_key(key);
        let union = ["oneOf", "anyOf"].into_iter().find(|key| has(key));
        let all = from.get("allOf").and_then(Value::as_array);
        let several = all.is_some_and(|all| all.len() > 1 || has("properties"));
        let merges = has("properties") && (has("$ref") || union.is_some()) || several;
        if !merges {
            return Some(None);
        }
        if depth > MAX_MERGES {
            return None;
        }
        let mut base = from.clone();
        base.retain(|key, _| !["$ref", "allOf", "oneOf", "anyOf"].contains(&&**key));
        let referred = from
            .get("$ref")
            .map(|reference| self.reference_target(reference));
        let parts = referred
            .into_iter()
            .chain(all.into_iter().flatten().map(Some));
        for part in parts {
            base = merge_schemas(&base, &self.resolve_whole(part?, depth)?)?;
        }
        if let Some(union) = union {
            let definitions = take_definitions(&mut base);
            let branches = from[union].as_array()?.iter();
            let branches = branches.map(|branch| {
                Some(Value::Object(merge_schemas(
                    &base,
                    &self.resolve_whole(branch, depth)?,
                )?))
            });
            let branches = branches.collect::<Option<Vec<_>>>()?;
            base = Map::from_iter([("anyOf".to_owned(), Value::Array(branches))]);
            base.extend(definitions);
        }
        Some(Some(base))
    }

    /// An object schema with its reference resolved and its parts merged.
    fn resolve_whole(&self, schema: &Value, depth: usize) -> Option<Map<String, Value>> {
        let map = schema.as_object()?;
        if let (Some(reference), false) = (map.get("$ref"), map.contains_key("properties")) {
            let depth = depth + 1;
            return match depth > MAX_MERGES {
                true => None,
                false => self.resolve_whole(self.reference_target(reference)?, depth),
            };
        }
        Some(
            self.merge_all_of(map, depth + 1)?
                .unwrap_or_else(|| map.clone()),
        )
    }

    fn reference_target(&self, reference: &Value) -> Option<&Value> {
        self.root.pointer(reference.as_str()?.strip_prefix('#')?)
    }

    fn narrow_properties(&mut self, schemas: &Value) -> Option<Value> {
        let schemas = schemas.as_object()?.iter();
        schemas
            .map(|(name, schema)| {
                // The names of replaced types.
                let is_reserved = name == ENTRIES || *name == tuple_item(0);
                (!is_reserved).then_some(())?;
                Some((name.clone(), self.narrow_node(schema)?))
            })
            .collect::<Option<Map<_, _>>>()
            .map(Value::Object)
    }

    fn narrow_each(&mut self, schemas: &Value) -> Option<Value> {
        let each = schemas.as_array()?.iter();
        each.map(|schema| self.narrow_node(schema))
            .collect::<Option<Vec<_>>>()
            .map(Value::Array)
    }
}

/// One object with the properties of both.
fn merge_schemas(a: &Map<String, Value>, b: &Map<String, Value>) -> Option<Map<String, Value>> {
    let mut to = a.clone();
    // Each part is open for the properties of the other.
    for key in ["additionalProperties", "unevaluatedProperties"] {
        if to.get(key) == Some(&Value::Bool(false)) {
            to.shift_remove(key);
        }
    }
    for (key, value) in b {
        match (key.as_str(), to.get_mut(key), value) {
            ("additionalProperties" | "unevaluatedProperties", _, Value::Bool(false)) => {}
            ("properties", Some(Value::Object(properties)), Value::Object(more)) => {
                for (name, schema) in more {
                    if properties
                        .insert(name.clone(), schema.clone())
                        .is_some_and(|old| old != *schema)
                    {
                        return None;
                    }
                }
            }
            ("required", Some(Value::Array(required)), Value::Array(more)) => {
                let more = more.iter().filter(|name| !required.contains(name));
                let more: Vec<Value> = more.cloned().collect();
                required.extend(more);
            }
            ("type", Some(a), b) if a != b => return None,
            ("type", Some(_), _) => {}
            ("title" | "$schema" | "description" | "$defs", Some(_), _) => {}
            (_, None, _) => drop(to.insert(key.clone(), value.clone())),
            _ => return None,
        }
    }
    (to.get("type") == Some(&json!("object"))).then_some(to)
}

/// Adds keywords to a description.
fn add_descriptions(to: &mut Map<String, Value>, described: &[String]) {
    if described.is_empty() {
        return;
    }
    let described = format!("({})", described.join(", "));
    let text = match to.get("description").and_then(Value::as_str) {
        Some(text) => format!("{text} {described}"),
        None => described,
    };
    to.insert("description".to_owned(), text.into());
}

fn contains_format(formats: &[&str], format: &Value) -> bool {
    format
        .as_str()
        .is_some_and(|format| formats.contains(&format))
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
pub(super) fn is_recursive(schema: &Value) -> bool {
    fn collect_references<'a>(schema: &'a Value, found: &mut Vec<&'a str>) {
        match schema {
            Value::Object(map) => {
                for (key, value) in map {
                    match value {
                        Value::String(to) if key == "$ref" => found.push(to),
                        _ if key == "$defs" || key == "definitions" => {}
                        _ => collect_references(value, found),
                    }
                }
            }
            Value::Array(items) => items
                .iter()
                .for_each(|item| collect_references(item, found)),
            _ => {}
        }
    }
    fn has_cycle<'a>(root: &'a Value, schema: &'a Value, path: &mut Vec<&'a str>) -> bool {
        let mut found = Vec::new();
        collect_references(schema, &mut found);
        found.into_iter().any(|to| {
            if to == "#" || path.contains(&to) {
                return true;
            }
            let Some(target) = to.strip_prefix('#').and_then(|to| root.pointer(to)) else {
                return false;
            };
            path.push(to);
            let reached = has_cycle(root, target, path);
            path.pop();
            reached
        })
    }
    has_cycle(schema, schema, &mut Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: Subset = Subset {
        bounds: true,
        recursion: true,
        containers: false,
        empty_objects: true,
        formats: FORMATS,
    };
    const NARROW: Subset = Subset {
        bounds: false,
        recursion: false,
        containers: false,
        empty_objects: false,
        formats: &["date"],
    };

    /// The schema of a field, in an object.
    fn within(subset: Subset, field: &Value) -> Option<Value> {
        let schema = json!({"type": "object", "properties": {"a": field}, "required": ["a"]});
        Some(subset.narrow_schema(&schema)?.schema["properties"]["a"].clone())
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
            json!({"type": "object", "additionalProperties": true}),
            json!({"type": "object", "properties": {"a": {"type": "null"}}, "additionalProperties": {"type": "null"}}),
            json!({"type": "object", "properties": {"map_entries": {"type": "null"}}}),
            json!({"type": "object", "patternProperties": {}}),
            json!({"type": "array", "prefixItems": [{"type": "string"}]}),
            json!({"type": "string", "not": {"enum": ["a"]}}),
            json!({"allOf": [{"type": "string"}, {"type": "string"}]}),
            json!({"type": "object", "properties": {}, "oneOf": [{"type": "string"}]}),
            json!({"anyOf": [], "oneOf": []}),
        ] {
            assert_eq!(within(WIDE, &field), None, "{field}");
        }
    }

    #[test]
    fn other_roots_are_wrapped() {
        let string = json!({"type": "string"});
        let wrapped = WIDE.narrow_schema(&string).unwrap();
        assert_eq!(wrapped.schema, object_schema(&[("answer", string)]));
        assert_eq!(wrapped.restore, Some(Restore { wrapped: true }));
        // References to the root and to definitions keep their targets.
        let root = json!({
            "$defs": {"Leaf": {"type": "null"}},
            "anyOf": [{"$ref": "#/$defs/Leaf"}, {"type": "array", "items": {"$ref": "#"}}],
        });
        let reference = json!({"$ref": "#/$defs/answer"});
        let mut expected = object_schema(&[("answer", reference.clone())]);
        expected["$defs"] = json!({
            "Leaf": {"type": "null"},
            "answer": {"anyOf": [{"$ref": "#/$defs/Leaf"}, {"type": "array", "items": reference}]},
        });
        assert_eq!(WIDE.narrow_schema(&root).unwrap().schema, expected);
    }

    #[test]
    fn parts_of_objects_are_merged() {
        let part = |name: &str| json!({"type": "object", "properties": {name: {"type": "null"}}, "required": [name]});
        let mut both = part("a");
        both["allOf"] = json!([part("b"), part("c")]);
        let expected = json!({
            "type": "object", "required": ["a", "b", "c"],
            "properties": {"a": {"type": "null"}, "b": {"type": "null"}, "c": {"type": "null"}},
        });
        assert_eq!(within(WIDE, &both), Some(expected));
        // The same property with two types.
        let mut other = part("a");
        other["oneOf"] = json!([{"type": "object", "properties": {"a": {"type": "string"}}}]);
        assert_eq!(within(WIDE, &other), None);
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
        assert!(WIDE.narrow_schema(&tree).is_some() && NARROW.narrow_schema(&list).is_none());
    }
}
