//! The schema of a tool's parameters, and the schemas of the values in them.

use serde_json::Value;

/// The key of an element that is a value of a list.
pub(super) const ITEM: &str = "item";
/// How many references may follow each other, because the search is recursive.
const MAX_REFERENCES: usize = 64;

/// A part of a schema, with the whole schema, which contains the definitions that `$ref` refers to.
#[derive(Clone, Copy)]
pub(crate) struct SchemaPart<'s> {
    root: &'s Value,
    schema: &'s Value,
    /// How many references led to the schema.
    references: usize,
}

impl<'s> SchemaPart<'s> {
    pub(crate) fn new(root: &'s Value) -> SchemaPart<'s> {
        SchemaPart {
            root,
            schema: root,
            references: 0,
        }
    }

    /// The schema of an entry of an object.
    pub(crate) fn entry(self, key: &str) -> Option<SchemaPart<'s>> {
        self.find(&mut Vec::new(), &|schema| schema["properties"].get(key))
            .or_else(|| {
                self.find(&mut Vec::new(), &|schema| {
                    let other = schema.get("additionalProperties");
                    other.filter(|other| other.is_object())
                })
            })
    }

    /// The schema of an element in an object or in a list.
    pub(super) fn element(self, key: &str) -> Option<SchemaPart<'s>> {
        let items = || self.find(&mut Vec::new(), &|schema| schema.get("items"));
        let is_item = key == ITEM && !self.allows_only("object");
        self.find(&mut Vec::new(), &|schema| schema["properties"].get(key))
            .or_else(|| is_item.then(items).flatten())
            .or_else(|| self.entry(key))
    }

    /// The first part that is found in the schema, in its branches or in the schemas that they refer to.
    fn find(
        self,
        seen: &mut Vec<&'s str>,
        own: &dyn Fn(&'s Value) -> Option<&'s Value>,
    ) -> Option<SchemaPart<'s>> {
        if let Some(schema) = own(self.schema) {
            return Some(SchemaPart {
                schema,
                references: 0,
                ..self
            });
        }
        let target = self.follow_reference(seen);
        let found = target.and_then(|target| target.find(seen, own));
        found.or_else(|| self.branches().find_map(|branch| branch.find(seen, own)))
    }

    fn branches(self) -> impl Iterator<Item = SchemaPart<'s>> {
        let lists = ["anyOf", "oneOf", "allOf"].into_iter();
        let branches = lists.flat_map(move |name| self.schema[name].as_array());
        branches
            .flatten()
            .map(move |schema| SchemaPart { schema, ..self })
    }

    /// The schema that a `$ref` refers to, unless it is one of those that were visited.
    fn follow_reference(self, seen: &mut Vec<&'s str>) -> Option<SchemaPart<'s>> {
        let reference = self.schema.get("$ref")?.as_str()?;
        if seen.contains(&reference) || self.references == MAX_REFERENCES {
            return None;
        }
        seen.push(reference);
        let schema = self.root.pointer(reference.strip_prefix('#')?)?;
        Some(SchemaPart {
            schema,
            references: self.references + 1,
            ..self
        })
    }

    /// The types that the schema allows, none where it does not define them.
    pub(super) fn types(self) -> Vec<&'s str> {
        let mut types = Vec::new();
        self.collect_types(&mut types, &mut Vec::new());
        types
    }

    fn collect_types(self, types: &mut Vec<&'s str>, seen: &mut Vec<&'s str>) {
        let before = types.len();
        match &self.schema["type"] {
            Value::String(name) => types.push(name),
            Value::Array(names) => types.extend(names.iter().filter_map(Value::as_str)),
            _ => {}
        }
        if let Some(target) = self.follow_reference(seen) {
            target.collect_types(types, seen);
        }
        self.branches()
            .for_each(|branch| branch.collect_types(types, seen));
        let values = self.schema["enum"].as_array();
        let are_strings =
            |values: &Vec<Value>| !values.is_empty() && values.iter().all(Value::is_string);
        if types.len() == before && values.is_some_and(are_strings) {
            types.push("string");
        }
    }

    /// Whether the schema allows this type, and no other but null.
    pub(super) fn allows_only(self, name: &str) -> bool {
        let types = self.types();
        types.contains(&name) && types.iter().all(|other| [name, "null"].contains(other))
    }
}
