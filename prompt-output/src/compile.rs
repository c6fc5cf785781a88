//! Compiles a JSON Schema (draft 2020-12, as schemars writes it) into a [`TypeTable`].
//!
//! Only keywords that decide the type of a value are read. What only a full validator checks (`pattern`, `format` of
//! strings, `uniqueItems`, `not`, `if`) is left to serde and the Rust type.

use crate::types::{
    Bound, Field, Integers, Keys, Lengths, List, Literal, Numbers, Object, OtherKeys, Type,
    TypeIndex, TypeTable,
};
use prompt_syntax::json::MAX_DEPTH;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// Compiles a schema. The error is a sentence for the user.
pub(crate) fn compile(schema: &Value) -> Result<TypeTable, String> {
    let mut compiler = Compiler {
        root: schema,
        types: Vec::new(),
        references: HashMap::new(),
        depth: 0,
    };
    let root = compiler.reference("#")?;
    Ok(TypeTable::new(compiler.types, root))
}

struct Compiler<'s> {
    root: &'s Value,
    types: Vec<Type>,
    /// The types of what `$ref` points to, and of schemas merged with such.
    references: HashMap<String, TypeIndex>,
    depth: usize,
}

impl Compiler<'_> {
    fn add(&mut self, ty: Type) -> TypeIndex {
        self.types.push(ty);
        TypeIndex(self.types.len() as u32 - 1)
    }

    /// Returns the type at a pointer into the schema. A recursive type finds its own placeholder here.
    fn reference(&mut self, pointer: &str) -> Result<TypeIndex, String> {
        if let Some(&id) = self.references.get(pointer) {
            return Ok(id);
        }
        let target = resolve_pointer(self.root, pointer)?;
        self.named(pointer, |compiler| compiler.schema(target))
    }

    fn named(
        &mut self,
        name: &str,
        make: impl FnOnce(&mut Self) -> Result<TypeIndex, String>,
    ) -> Result<TypeIndex, String> {
        let id = self.add(Type::Never);
        self.references.insert(name.to_owned(), id);
        let made = make(self)?;
        self.types[id.0 as usize] = Type::Same(made);
        Ok(id)
    }

    fn schema(&mut self, schema: &Value) -> Result<TypeIndex, String> {
        if self.depth == MAX_DEPTH {
            return Err(format!("the schema is nested deeper than {MAX_DEPTH}"));
        }
        self.depth += 1;
        let made = match schema {
            Value::Bool(true) => Ok(self.add(Type::Any)),
            Value::Bool(false) => Ok(self.add(Type::Never)),
            Value::Object(map) => self.map(map),
            other => Err(format!("`{other}` is not a schema")),
        };
        self.depth -= 1;
        made
    }

    fn map(&mut self, map: &Map<String, Value>) -> Result<TypeIndex, String> {
        match map.get("$ref") {
            Some(Value::String(pointer)) if !has_constraints(map) => {
                return self.reference(pointer);
            }
            _ => {}
        }
        if map.contains_key("$ref") || map.contains_key("allOf") {
            // A type that contains itself through such a schema is found here.
            let name = serde_json::to_string(map).unwrap_or_default();
            if let Some(&id) = self.references.get(&name) {
                return Ok(id);
            }
            let whole = resolve_composition(self.root, map)?;
            return self.named(&name, |compiler| compiler.map(&whole));
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(variants)) = map.get(keyword) {
                return self.variants(map, keyword, variants);
            }
        }
        if let Some(value) = map.get("const") {
            return Ok(self.literals(map, std::slice::from_ref(value)));
        }
        if let Some(Value::Array(values)) = map.get("enum") {
            return Ok(self.literals(map, values));
        }
        match map.get("type") {
            Some(Value::String(name)) => self.typed(map, name),
            Some(Value::Array(names)) => {
                let mut ids = Vec::with_capacity(names.len());
                for name in names {
                    ids.push(self.typed(map, name.as_str().unwrap_or_default())?);
                }
                Ok(self.union(ids))
            }
            _ if is_object_schema(map) => self.object(map),
            _ if map.contains_key("items") || map.contains_key("prefixItems") => self.list(map),
            _ => Ok(self.add(Type::Any)),
        }
    }

    /// Compiles `anyOf` and `oneOf`. The keywords beside them apply to each variant: schemars writes flattened enums this way.
    fn variants(
        &mut self,
        map: &Map<String, Value>,
        keyword: &str,
        variants: &[Value],
    ) -> Result<TypeIndex, String> {
        let mut base = map.clone();
        base.remove(keyword);
        let shared = has_constraints(&base);
        let mut ids = Vec::with_capacity(variants.len());
        for variant in variants {
            ids.push(match variant {
                Value::Object(variant) if shared => {
                    let whole = resolve_composition(self.root, variant)?;
                    self.schema(&Value::Object(merge(base.clone(), &whole)))?
                }
                _ => self.schema(variant)?,
            });
        }
        Ok(self.union(ids))
    }

    /// Builds a simplified union: null makes the rest nullable, and all literals form one choice, so that a text that matches two
    /// of them is found to be ambiguous.
    fn union(&mut self, ids: Vec<TypeIndex>) -> TypeIndex {
        let mut literals: Vec<Literal> = Vec::new();
        let mut rest = Vec::new();
        let mut first_literal = None;
        let mut nullable = false;
        for id in ids {
            match self.settled(id) {
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
        if let Some(place) = first_literal {
            let choice = self.add(Type::Choice(literals));
            rest.insert(place, choice);
        }
        let inner = match rest.len() {
            0 if nullable => return self.add(Type::Null),
            0 => return self.add(Type::Never),
            1 => rest[0],
            _ => self.add(Type::Union(rest)),
        };
        if nullable {
            self.add(Type::Nullable(inner))
        } else {
            inner
        }
    }

    fn settled(&self, mut id: TypeIndex) -> &Type {
        while let Type::Same(next) = &self.types[id.0 as usize] {
            id = *next;
        }
        &self.types[id.0 as usize]
    }

    fn literals(&mut self, map: &Map<String, Value>, values: &[Value]) -> TypeIndex {
        let literals: Vec<Literal> = values
            .iter()
            .enumerate()
            .filter(|(_, value)| !value.is_null())
            .map(|(place, value)| {
                let text = value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned);
                let aliases = literal_aliases(map, value, place, values.len());
                let description = description(map).filter(|_| values.len() == 1);
                Literal::new(value.clone(), text, aliases, description.as_deref())
            })
            .collect();
        let nullable = literals.len() < values.len();
        if literals.is_empty() {
            return self.add(if nullable { Type::Null } else { Type::Never });
        }
        let choice = self.add(Type::Choice(literals));
        if nullable {
            self.add(Type::Nullable(choice))
        } else {
            choice
        }
    }

    fn typed(&mut self, map: &Map<String, Value>, name: &str) -> Result<TypeIndex, String> {
        let ty = match name {
            "null" => Type::Null,
            "boolean" => Type::Bool,
            "integer" => Type::Integer(integers(map)),
            "number" => Type::Number(numbers(map)),
            "string" => Type::Text(lengths(map, "minLength", "maxLength")),
            "array" => return self.list(map),
            "object" => return self.object(map),
            other => return Err(format!("`{other}` is not a type of JSON Schema")),
        };
        Ok(self.add(ty))
    }

    fn list(&mut self, map: &Map<String, Value>) -> Result<TypeIndex, String> {
        if let Some(Value::Array(items)) = map.get("prefixItems") {
            let mut ids = Vec::with_capacity(items.len());
            for item in items {
                ids.push(self.schema(item)?);
            }
            return Ok(self.add(Type::Tuple(ids)));
        }
        let item = match map.get("items") {
            Some(item) => self.schema(item)?,
            None => self.add(Type::Any),
        };
        let lengths = lengths(map, "minItems", "maxItems");
        Ok(self.add(Type::List(List { item, lengths })))
    }

    fn object(&mut self, map: &Map<String, Value>) -> Result<TypeIndex, String> {
        let required: Vec<&str> = match map.get("required") {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let mut fields = Vec::new();
        if let Some(Value::Object(properties)) = map.get("properties") {
            for (name, schema) in properties {
                fields.push(Field {
                    aliases: field_aliases(map, name, schema),
                    description: schema.as_object().and_then(description),
                    ty: self.schema(schema)?,
                    required: required.contains(&name.as_str()),
                    name: name.clone(),
                });
            }
        }
        let rest = self.rest(map, fields.is_empty())?;
        Ok(self.add(Type::Object(Object::new(fields, rest))))
    }

    /// The type of keys that name no field. An object without `additionalProperties` is a struct, whose other keys are ignored,
    /// unless it has no fields.
    fn rest(&mut self, map: &Map<String, Value>, fieldless: bool) -> Result<OtherKeys, String> {
        if let Some(Value::Object(patterns)) = map.get("patternProperties")
            && let Some((pattern, value)) = patterns.iter().next()
        {
            let keys = match pattern.as_str() {
                r"^\d+$" => Keys::Numbers { signed: false },
                r"^-?\d+$" => Keys::Numbers { signed: true },
                _ => Keys::Any,
            };
            return Ok(OtherKeys::Map {
                value: self.schema(value)?,
                keys,
            });
        }
        let value = match map.get("additionalProperties") {
            Some(Value::Bool(false)) => return Ok(OtherKeys::Ignore),
            Some(schema) => self.schema(schema)?,
            None if fieldless && !map.contains_key("properties") => self.add(Type::Any),
            None => return Ok(OtherKeys::Ignore),
        };
        let keys = match map.get("propertyNames") {
            Some(names) => Keys::Of(self.schema(names)?),
            None => Keys::Any,
        };
        Ok(OtherKeys::Map { value, keys })
    }
}

fn lengths(map: &Map<String, Value>, min: &str, max: &str) -> Lengths {
    let read = |key: &str| {
        map.get(key)
            .and_then(Value::as_u64)
            .map(|length| length as usize)
    };
    Lengths {
        min: read(min).unwrap_or(0),
        max: read(max).unwrap_or(usize::MAX),
    }
}

fn numbers(map: &Map<String, Value>) -> Numbers {
    let read = |inclusive: &str, exclusive: &str| {
        let get = |key: &str| map.get(key).and_then(Value::as_f64);
        get(exclusive)
            .map(|bound| (bound, Bound::Exclusive))
            .or_else(|| get(inclusive).map(|bound| (bound, Bound::Inclusive)))
    };
    Numbers {
        min: read("minimum", "exclusiveMinimum"),
        max: read("maximum", "exclusiveMaximum"),
    }
}

fn integers(map: &Map<String, Value>) -> Integers {
    let (mut min, mut max) = match map.get("format").and_then(Value::as_str) {
        Some("uint8") => (0, i128::from(u8::MAX)),
        Some("uint16") => (0, i128::from(u16::MAX)),
        Some("uint32") => (0, i128::from(u32::MAX)),
        Some("uint64" | "uint" | "uint128") => (0, i128::from(u64::MAX)),
        Some("int8") => (i128::from(i8::MIN), i128::from(i8::MAX)),
        Some("int16") => (i128::from(i16::MIN), i128::from(i16::MAX)),
        Some("int32") => (i128::from(i32::MIN), i128::from(i32::MAX)),
        Some("int64" | "int") => (i128::from(i64::MIN), i128::from(i64::MAX)),
        // A `serde_json::Number` holds 64 bits, whatever the Rust type holds.
        _ => (i128::from(i64::MIN), i128::from(u64::MAX)),
    };
    let read = |key: &str| map.get(key).and_then(whole);
    if let Some(bound) = read("minimum") {
        min = min.max(bound);
    }
    if let Some(bound) = read("exclusiveMinimum") {
        min = min.max(bound + 1);
    }
    if let Some(bound) = read("maximum") {
        max = max.min(bound);
    }
    if let Some(bound) = read("exclusiveMaximum") {
        max = max.min(bound - 1);
    }
    let multiple_of = read("multipleOf").filter(|&step| step > 0);
    Integers {
        min,
        max,
        multiple_of,
    }
}

fn whole(value: &Value) -> Option<i128> {
    let float = || {
        value
            .as_f64()
            .filter(|number| number.fract() == 0.0)
            .map(|n| n as i128)
    };
    value
        .as_i64()
        .map(i128::from)
        .or_else(|| value.as_u64().map(i128::from))
        .or_else(float)
}

/// The longest chain of references in one place.
const STEPS: usize = 16;

/// Keywords that do not constrain the value.
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

/// Whether a schema constrains the value beside its `$ref`.
pub(crate) fn has_constraints(map: &Map<String, Value>) -> bool {
    map.keys().any(|key| {
        let extension = key.starts_with("x-") || is_alias_keyword(key);
        !ANNOTATIONS.contains(&key.as_str()) && !extension && key != "type"
    })
}

/// Whether a schema without `type` describes an object.
pub(crate) fn is_object_schema(map: &Map<String, Value>) -> bool {
    [
        "properties",
        "additionalProperties",
        "patternProperties",
        "required",
    ]
    .iter()
    .any(|keyword| map.contains_key(*keyword))
}

/// Returns the schema at a pointer.
pub(crate) fn resolve_pointer<'s>(root: &'s Value, pointer: &str) -> Result<&'s Value, String> {
    pointer
        .strip_prefix('#')
        .and_then(|path| root.pointer(path))
        .ok_or_else(|| format!("the schema refers to `{pointer}`, which is not in it"))
}

/// Returns a schema with its own `$ref` and `allOf` resolved.
pub(crate) fn resolve_composition(
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
        parts.push(resolve_pointer(root, &pointer)?.clone());
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

/// Combines two schemas: the properties of both, and the keywords of the second that the first lacks.
pub(crate) fn merge(first: Map<String, Value>, second: &Map<String, Value>) -> Map<String, Value> {
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
            // Two `oneOf` at once: one of them becomes `anyOf`, and both are compiled.
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

/// Whether a keyword lists aliases.
pub(crate) fn is_alias_keyword(key: &str) -> bool {
    key.to_ascii_lowercase().contains("alias") || matches!(key, "enumNames" | "x-enum-varnames")
}

/// The description, where there is one.
pub(crate) fn description(map: &Map<String, Value>) -> Option<String> {
    map.get("description")
        .and_then(Value::as_str)
        .map(str::to_owned)
}

/// Returns the aliases of a field: its own, and those listed by its object.
pub(crate) fn field_aliases(object: &Map<String, Value>, name: &str, field: &Value) -> Vec<String> {
    let mut aliases = Vec::new();
    if let Value::Object(field) = field {
        own(field, &mut aliases);
    }
    for (_, stated) in object.iter().filter(|(key, _)| is_alias_keyword(key)) {
        mapped(stated, name, &mut aliases);
    }
    aliases
}

/// Returns the aliases of one value of an `enum` or `const`.
pub(crate) fn literal_aliases(
    map: &Map<String, Value>,
    value: &Value,
    place: usize,
    count: usize,
) -> Vec<String> {
    let mut aliases = Vec::new();
    if count == 1 {
        own(map, &mut aliases);
    }
    for (_, stated) in map.iter().filter(|(key, _)| is_alias_keyword(key)) {
        match stated {
            Value::Array(list) if list.len() == count && count > 1 => {
                strings(&list[place], &mut aliases);
            }
            stated => mapped(stated, value.as_str().unwrap_or_default(), &mut aliases),
        }
    }
    aliases
}

fn own(map: &Map<String, Value>, aliases: &mut Vec<String>) {
    for (key, stated) in map {
        if is_alias_keyword(key) || key == "title" {
            strings(stated, aliases);
        }
    }
}

/// Reads a map from each name to its aliases, or from each alias to its name.
fn mapped(stated: &Value, name: &str, aliases: &mut Vec<String>) {
    let Value::Object(map) = stated else { return };
    if let Some(listed) = map.get(name) {
        return strings(listed, aliases);
    }
    aliases.extend(
        map.iter()
            .filter(|(_, of)| of.as_str() == Some(name))
            .map(|(a, _)| a.clone()),
    );
}

fn strings(stated: &Value, aliases: &mut Vec<String>) {
    match stated {
        Value::String(alias) => aliases.push(alias.clone()),
        Value::Array(list) => {
            aliases.extend(list.iter().filter_map(Value::as_str).map(str::to_owned));
        }
        _ => {}
    }
}
