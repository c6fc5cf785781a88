//! Compiles a JSON Schema into a [`TypeTable`], which guides the repairs of an answer.
//!
//! Only keywords that decide the type of a value are read. Whether the value fits is decided by the validator, so a keyword that is
//! not read here makes a repair less likely and never a result wrong.

use crate::keyword::{integer_format, is_alias_keyword, is_annotation};
use crate::types::{
    Bound, ChoiceLiteral, FieldType, List, Numbers, Object, Type, TypeIndex, TypeTable,
    resolve_reference,
};
use prompt_base::json::MAX_DEPTH;
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};

/// The longest chain of `$ref` and `allOf`.
const MAX_REFERENCES: usize = 512;

/// Compiles a schema. The error is a sentence for the user.
pub(crate) fn compile_type_table(schema: &Value) -> Result<TypeTable, String> {
    let mut compiler = Compiler {
        root: schema,
        types: Vec::new(),
        schemas: HashMap::new(),
        depth: 0,
    };
    let root = compiler.compile_schema(schema)?;
    TypeTable::new(compiler.types, root)
}

struct Compiler<'s> {
    root: &'s Value,
    types: Vec<Type>,
    /// The types of objects of keywords, by [`Keywords::key`]. A type that contains itself finds its own placeholder here.
    schemas: HashMap<Vec<usize>, TypeIndex>,
    depth: usize,
}

/// The keywords of one or more schemas that apply to the same value. They are borrowed, so that combining schemas takes no more
/// time the deeper these are. `properties` and `required` may occur more than once; of any other keyword the first counts.
#[derive(Clone, Default)]
pub(crate) struct Keywords<'s>(Vec<(&'s str, &'s Value)>);

impl<'s> Keywords<'s> {
    pub(crate) fn get(&self, key: &str) -> Option<&'s Value> {
        self.all_values(key).next()
    }

    fn all_values<'k>(&'k self, key: &'k str) -> impl Iterator<Item = &'s Value> + 'k {
        let named = move |(name, value): &(&str, &'s Value)| (*name == key).then_some(*value);
        self.0.iter().filter_map(named)
    }

    fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Adds the keywords of another schema. Of two `oneOf` one becomes `anyOf`, and both are compiled.
    fn merge(&mut self, other: impl Iterator<Item = (&'s str, &'s Value)>) {
        let has_any_of = self.has("anyOf");
        for (key, value) in other {
            match key {
                "properties" | "required" => self.0.push((key, value)),
                "oneOf" if self.has(key) && !has_any_of => self.0.push(("anyOf", value)),
                _ if self.has(key) => {}
                _ => self.0.push((key, value)),
            }
        }
    }

    /// The schemas that the keywords are borrowed from, which identify them.
    fn source_addresses(&self) -> Vec<usize> {
        let address = |(key, value): &(&str, &Value)| {
            [key.as_ptr().addr(), std::ptr::from_ref(*value).addr()]
        };
        self.0.iter().flat_map(address).collect()
    }

    /// Whether they constrain the value.
    fn has_constraints(&self) -> bool {
        self.0.iter().any(|(key, _)| {
            let refers = matches!(*key, "$ref" | "$schema" | "$id" | "$defs" | "definitions");
            !is_annotation(key) && !refers && !matches!(*key, "type" | "format")
        })
    }

    /// Whether they describe an object without a `type`.
    fn has_object_keywords(&self) -> bool {
        let keywords = [
            "properties",
            "additionalProperties",
            "patternProperties",
            "required",
        ];
        keywords.iter().any(|keyword| self.has(keyword))
    }

    /// The description, where there is one.
    fn description(&self) -> Option<String> {
        self.get("description")
            .and_then(Value::as_str)
            .map(str::to_owned)
    }
}

/// The keywords of an object in their order.
fn map_entries(map: &Map<String, Value>) -> impl Iterator<Item = (&str, &Value)> {
    map.iter().map(|(key, value)| (key.as_str(), value))
}

impl<'s> Compiler<'s> {
    fn add_type(&mut self, ty: Type) -> TypeIndex {
        self.types.push(ty);
        TypeIndex(self.types.len() as u32 - 1)
    }

    fn compile_schema(&mut self, schema: &'s Value) -> Result<TypeIndex, String> {
        match schema {
            Value::Bool(true) => Ok(self.add_type(Type::Any)),
            Value::Bool(false) => Ok(self.add_type(Type::Never)),
            Value::Object(map) => self.compile_keywords(Keywords(map_entries(map).collect())),
            other => Err(format!("`{other}` is not a schema")),
        }
    }

    fn compile_keywords(&mut self, keywords: Keywords<'s>) -> Result<TypeIndex, String> {
        let key = keywords.source_addresses();
        if let Some(&id) = self.schemas.get(&key) {
            return Ok(id);
        }
        if self.depth == MAX_DEPTH {
            return Err(format!("the schema is nested deeper than {MAX_DEPTH}"));
        }
        let id = self.add_type(Type::Never);
        self.schemas.insert(key.clone(), id);
        self.depth += 1;
        let compiled = self.compile_by_keyword(keywords)?;
        self.depth -= 1;
        self.types[id.0 as usize] = Type::Same(compiled);
        self.schemas.insert(key, compiled);
        Ok(compiled)
    }

    fn compile_by_keyword(&mut self, mut keywords: Keywords<'s>) -> Result<TypeIndex, String> {
        match keywords.get("$ref") {
            Some(Value::String(pointer)) if !keywords.has_constraints() => {
                return match resolve_pointer(self.root, pointer) {
                    Some(schema) => self.compile_schema(schema),
                    None => Ok(self.add_type(Type::Any)),
                };
            }
            _ => {}
        }
        if keywords.has("$ref") || keywords.has("allOf") {
            keywords = self.resolve_references(keywords)?;
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(variants)) = keywords.get(keyword) {
                return self.compile_variants(&keywords, keyword, variants);
            }
        }
        if let Some(value) = keywords.get("const") {
            return Ok(self.compile_literals(&keywords, std::slice::from_ref(value)));
        }
        if let Some(Value::Array(values)) = keywords.get("enum") {
            return Ok(self.compile_literals(&keywords, values));
        }
        match keywords.get("type") {
            Some(Value::String(name)) => self.compile_named_type(&keywords, name),
            Some(Value::Array(names)) => {
                let mut ids = Vec::with_capacity(names.len());
                for name in names {
                    ids.push(
                        self.compile_named_type(&keywords, name.as_str().unwrap_or_default())?,
                    );
                }
                Ok(self.add_union(ids))
            }
            _ if keywords.has_object_keywords() => self.compile_object(&keywords),
            _ if keywords.has("items") || keywords.has("prefixItems") => {
                self.compile_list(&keywords)
            }
            _ => Ok(self.add_type(Type::Any)),
        }
    }

    /// Returns keywords together with those that their `$ref` and `allOf` add.
    fn resolve_references(&self, keywords: Keywords<'s>) -> Result<Keywords<'s>, String> {
        let mut whole = Keywords::default();
        let mut seen = HashSet::new();
        // What remains to be added, the next one last, and through how many references.
        let mut parts = vec![(keywords, 0)];
        while let Some((part, depth)) = parts.pop() {
            if depth > MAX_REFERENCES {
                return Err(format!(
                    "the schema has more than {MAX_REFERENCES} references in a row"
                ));
            }
            let mut later = Vec::new();
            for (key, value) in &part.0 {
                match (*key, *value) {
                    ("$ref", Value::String(pointer)) => {
                        later.splice(0..0, resolve_pointer(self.root, pointer));
                    }
                    ("allOf", Value::Array(all)) => later.extend(all),
                    _ => {}
                }
            }
            let is_own = |(key, _): &(&str, &Value)| !matches!(*key, "$ref" | "allOf");
            whole.merge(part.0.into_iter().filter(is_own));
            for value in later.into_iter().rev() {
                if let Value::Object(map) = value
                    && seen.insert(std::ptr::from_ref(map).addr())
                {
                    parts.push((Keywords(map_entries(map).collect()), depth + 1));
                }
            }
        }
        Ok(whole)
    }

    /// Compiles `anyOf` and `oneOf`. The keywords beside them apply to each variant: schemars writes flattened enums this way.
    fn compile_variants(
        &mut self,
        keywords: &Keywords<'s>,
        keyword: &str,
        variants: &'s [Value],
    ) -> Result<TypeIndex, String> {
        let mut base = keywords.clone();
        base.0.retain(|(key, _)| *key != keyword);
        let shared = base.has_constraints();
        let mut ids = Vec::with_capacity(variants.len());
        for variant in variants {
            ids.push(match variant {
                Value::Object(variant) if shared => {
                    let variant =
                        self.resolve_references(Keywords(map_entries(variant).collect()))?;
                    let mut whole = base.clone();
                    whole.merge(variant.0.into_iter());
                    self.compile_keywords(whole)?
                }
                _ => self.compile_schema(variant)?,
            });
        }
        Ok(self.add_union(ids))
    }

    /// Builds a simplified union: null makes the rest nullable, and all literals form one choice, so that a text that matches two
    /// of them is found to be ambiguous.
    fn add_union(&mut self, ids: Vec<TypeIndex>) -> TypeIndex {
        let mut literals: Vec<ChoiceLiteral> = Vec::new();
        let mut rest = Vec::new();
        let mut first_literal = None;
        let mut nullable = false;
        for id in ids {
            match resolve_reference(&self.types, id).1 {
                Type::Null => nullable = true,
                Type::Nullable(inner) => {
                    nullable = true;
                    rest.push(*inner);
                }
                Type::Choice(more) => {
                    first_literal.get_or_insert(rest.len());
                    literals.extend(more.iter().cloned());
                }
                _ => rest.push(id),
            }
        }
        if let Some(index) = first_literal {
            let choice = self.add_type(Type::Choice(literals));
            rest.insert(index, choice);
        }
        let inner = match rest.len() {
            0 if nullable => return self.add_type(Type::Null),
            0 => return self.add_type(Type::Never),
            1 => rest[0],
            _ => self.add_type(Type::Union(rest)),
        };
        if nullable {
            self.add_type(Type::Nullable(inner))
        } else {
            inner
        }
    }

    fn compile_literals(&mut self, map: &Keywords<'_>, values: &[Value]) -> TypeIndex {
        let literals: Vec<ChoiceLiteral> = values
            .iter()
            .enumerate()
            .filter(|(_, value)| !value.is_null())
            .map(|(index, value)| {
                let text = value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned);
                let aliases = literal_aliases(map, value, index, values.len());
                let description = map.description().filter(|_| values.len() == 1);
                ChoiceLiteral::new(value.clone(), text, aliases, description.as_deref())
            })
            .collect();
        let nullable = literals.len() < values.len();
        if literals.is_empty() {
            return self.add_type(if nullable { Type::Null } else { Type::Never });
        }
        let choice = self.add_type(Type::Choice(literals));
        if nullable {
            self.add_type(Type::Nullable(choice))
        } else {
            choice
        }
    }

    fn compile_named_type(&mut self, map: &Keywords<'s>, name: &str) -> Result<TypeIndex, String> {
        let ty = match name {
            "null" => Type::Null,
            "boolean" => Type::Bool,
            "integer" => Type::Number(number_bounds(map, true)),
            "number" => Type::Number(number_bounds(map, false)),
            "string" => Type::Text,
            "array" => return self.compile_list(map),
            "object" => return self.compile_object(map),
            other => return Err(format!("`{other}` is not a type of JSON Schema")),
        };
        Ok(self.add_type(ty))
    }

    fn compile_list(&mut self, map: &Keywords<'s>) -> Result<TypeIndex, String> {
        // Before draft 2020-12, `items` was the list, and `additionalItems` the type of the rest.
        let (first, rest) = match (map.get("prefixItems"), map.get("items")) {
            (Some(Value::Array(first)), rest) => (Some(first), rest),
            (_, Some(Value::Array(first))) => (Some(first), map.get("additionalItems")),
            (_, rest) => (None, rest),
        };
        let rest = match rest {
            Some(item) => self.compile_schema(item)?,
            None => self.add_type(Type::Any),
        };
        let first = first.into_iter().flatten();
        let first = first.map(|item| self.compile_schema(item));
        let first = first.collect::<Result<_, _>>()?;
        Ok(self.add_type(Type::List(List { first, rest })))
    }

    fn compile_object(&mut self, map: &Keywords<'s>) -> Result<TypeIndex, String> {
        let lists = map.all_values("required").filter_map(Value::as_array);
        let required: HashSet<&str> = lists.flatten().filter_map(Value::as_str).collect();
        let mut fields = Vec::new();
        let mut seen = HashSet::new();
        for (name, schema) in map
            .all_values("properties")
            .filter_map(Value::as_object)
            .flatten()
        {
            if seen.insert(name) {
                fields.push(FieldType {
                    aliases: field_aliases(map, name, schema),
                    ty: self.compile_schema(schema)?,
                    required: required.contains(name.as_str()),
                    name: name.clone(),
                });
            }
        }
        let others = map.get("additionalProperties");
        let is_described = others.is_some_and(|others| *others != Value::Bool(false));
        let is_map = is_described || fields.is_empty() && !map.has("properties");
        let rest = self.compile_other_keys(map)?;
        let keys = match map.get("propertyNames") {
            Some(names) => Some(self.compile_schema(names)?),
            None => None,
        };
        let object = Object::new(fields, rest, is_map, keys);
        Ok(self.add_type(Type::Object(object)))
    }

    /// The type of entries that are not fields.
    fn compile_other_keys(&mut self, map: &Keywords<'s>) -> Result<TypeIndex, String> {
        let patterns = map.get("patternProperties").and_then(Value::as_object);
        let others = map
            .get("additionalProperties")
            .filter(|value| value.is_object());
        let mut patterns = patterns.into_iter().flat_map(Map::values);
        match (patterns.next(), patterns.next(), others) {
            (None, _, Some(others)) => self.compile_schema(others),
            // The only pattern decides if no other entry is described.
            (Some(only), None, None) => self.compile_schema(only),
            _ => Ok(self.add_type(Type::Any)),
        }
    }
}

fn number_bounds(map: &Keywords<'_>, is_whole: bool) -> Numbers {
    let get = |key: &str| map.get(key).and_then(Value::as_f64);
    let format = map
        .get("format")
        .and_then(Value::as_str)
        .filter(|_| is_whole);
    let format = format.and_then(integer_format);
    let bound = |value: f64, is_exclusive: bool, next: f64| match (is_whole, is_exclusive) {
        (false, _) => Bound {
            value,
            is_exclusive,
        },
        // A whole number within bounds is at least the next one.
        (true, _) => {
            let rounded = if next > 0.0 {
                value.ceil()
            } else {
                value.floor()
            };
            let is_left_out = is_exclusive && rounded == value;
            let value = if is_left_out { rounded + next } else { rounded };
            Bound {
                value,
                is_exclusive: false,
            }
        }
    };
    // The tightest of them. `next` leads from a bound to the numbers that are allowed.
    let tightest = |inclusive: &str, exclusive: &str, own: Option<i128>, next: f64| {
        let bounds = [
            get(inclusive).map(|value| bound(value, false, next)),
            get(exclusive).map(|value| bound(value, true, next)),
            own.map(|value| bound(value as f64, false, next)),
        ];
        let bounds = bounds.into_iter().flatten();
        let tightness = |bound: &Bound| (bound.value * next, bound.is_exclusive);
        bounds.reduce(|one, other| match tightness(&other) > tightness(&one) {
            true => other,
            false => one,
        })
    };
    // The validator checks all of them. Bounds of 64 bits are left out of descriptions.
    let is_narrow = |value: &i128| value.unsigned_abs() < 1 << 62;
    Numbers {
        is_whole,
        min: tightest(
            "minimum",
            "exclusiveMinimum",
            format.map(|(min, _)| min).filter(is_narrow),
            1.0,
        ),
        max: tightest(
            "maximum",
            "exclusiveMaximum",
            format.map(|(_, max)| max).filter(is_narrow),
            -1.0,
        ),
        multiple_of: get("multipleOf").filter(|&step| step > 0.0),
    }
}

/// Returns the schema that a reference names, if it is a plain pointer into this schema.
fn resolve_pointer<'s>(root: &'s Value, pointer: &str) -> Option<&'s Value> {
    root.pointer(pointer.strip_prefix('#')?)
}

/// Returns the aliases of a field: its own, and those listed by its object.
fn field_aliases(object: &Keywords<'_>, name: &str, field: &Value) -> Vec<String> {
    let mut aliases = Vec::new();
    if let Value::Object(field) = field {
        let is_alias = |(key, _): &(&str, &Value)| is_alias_keyword(key);
        for (_, stated) in map_entries(field).filter(is_alias) {
            push_aliases(stated, &mut aliases);
        }
    }
    for (_, stated) in object.0.iter().filter(|(key, _)| is_alias_keyword(key)) {
        push_mapped_aliases(stated, name, &mut aliases);
    }
    aliases
}

/// Returns the aliases of one value of an `enum` or `const`.
fn literal_aliases(map: &Keywords<'_>, value: &Value, index: usize, count: usize) -> Vec<String> {
    let mut aliases = Vec::new();
    if count == 1 {
        for (key, stated) in &map.0 {
            if is_alias_keyword(key) || *key == "title" {
                push_aliases(stated, &mut aliases);
            }
        }
    }
    for (_, stated) in map.0.iter().filter(|(key, _)| is_alias_keyword(key)) {
        match stated {
            // A list of the same length names the values one by one, as `enumNames` and `x-enum-varnames` do.
            Value::Array(list) if list.len() == count && count > 1 => {
                push_aliases(&list[index], &mut aliases);
            }
            stated => push_mapped_aliases(stated, value.as_str().unwrap_or_default(), &mut aliases),
        }
    }
    aliases
}

/// Reads a map from each name to its aliases, or from each alias to its name.
fn push_mapped_aliases(stated: &Value, name: &str, aliases: &mut Vec<String>) {
    let Value::Object(map) = stated else { return };
    if let Some(listed) = map.get(name) {
        return push_aliases(listed, aliases);
    }
    aliases.extend(
        map.iter()
            .filter(|(_, of)| of.as_str() == Some(name))
            .map(|(a, _)| a.clone()),
    );
}

fn push_aliases(stated: &Value, aliases: &mut Vec<String>) {
    match stated {
        Value::String(alias) => aliases.push(alias.clone()),
        Value::Array(list) => {
            aliases.extend(list.iter().filter_map(Value::as_str).map(str::to_owned));
        }
        _ => {}
    }
}
