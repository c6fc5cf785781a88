//! The description of an output type in a prompt, in the notation of TypeScript.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::openai::without_metadata;
use crate::{Json, Message, Messages, Part, Role, Structured, Text};

const JSON_ONLY: &str = "Answer with JSON only, without any text before or after it. ";

/// The messages with a description of the answer's type, for models that are not constrained to it.
///
/// [`Structured::Described`] describes it as [`describe_type`] does, [`Structured::DescribedSchema`] as JSON Schema; with any other way the messages are
/// returned unchanged. The description is the end of the system message, or the beginning of the first user message if there is none: it
/// is before the data of the prompt, where caches of the beginnings of prompts keep it.
///
/// ```
/// use typed_prompt::{Message, Messages, llm::Structured, output::describe_output};
///
/// let messages = Messages::from([Message::user("How deep?")]);
/// let described = describe_output(&messages, &serde_json::json!({"type": "integer"}), &Structured::Described);
/// assert_eq!(
///     described[0].text(),
///     "Answer with JSON only, without any text before or after it. The JSON must have this type:\ninteger\n\nHow deep?"
/// );
/// ```
pub fn describe_output(messages: &Messages, schema: &Value, structured: &Structured) -> Messages {
    let mut messages = messages.clone();
    let mut text = Text::template(JSON_ONLY);
    match structured {
        Structured::Described => {
            text.push_template("The JSON must have this type:\n");
            text.push_data(None, &describe_type(schema));
        }
        Structured::DescribedSchema => {
            text.push_template("The JSON must be valid against this JSON Schema:\n");
            text.push_data(None, &Json::from(without_metadata(schema)).indented(2));
        }
        _ => return messages,
    }
    let position = |role| messages.iter().position(|message| message.role == role);
    let (system, user) = (position(Role::System), position(Role::User));
    let target = system.or(user);
    match target.and_then(|index| messages.iter_mut().nth(index)) {
        Some(message) if system.is_some() => {
            let mut after = Text::template("\n\n");
            after.push(&text);
            match message.parts.last_mut() {
                Some(Part::Text(last)) => last.push(&after),
                _ => message.parts.push(Part::Text(text)),
            }
        }
        Some(message) => {
            text.push_template("\n\n");
            match message.parts.first_mut() {
                Some(Part::Text(begin)) => {
                    text.push(begin);
                    *begin = text;
                }
                _ => message.parts.insert(0, Part::Text(text)),
            }
        }
        None => messages.push(Message::user(text)),
    }
    messages
}

/// Describes the values of a JSON Schema in the notation of TypeScript, with comments. A model reads it in far fewer tokens than the schema.
///
/// An object has a line for each property, an optional one with `?`. A type that is used several times, or that contains itself, is defined with
/// its name. Descriptions, bounds, formats and defaults are comments. A part with a keyword that has no such form, such as `not`, is `any` with its
/// JSON Schema in a comment.
///
/// ```
/// use typed_prompt::output::{describe_type, json_schema};
///
/// /// A port.
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Port {
///     /// Without its country.
///     name: String,
///     #[schemars(range(min = 1, max = 300))]
///     depth: u16,
///     kind: Kind,
///     rivers: Option<Vec<String>>,
/// }
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// enum Kind { Sea, River }
///
/// let schema = json_schema::<Port>().unwrap();
/// assert_eq!(describe_type(&schema), r#"// A port.
/// {
///   // Without its country.
///   name: string,
///   depth: integer, // 1 to 300
///   kind: "Sea" | "River",
///   rivers?: string[] | null,
/// }"#);
/// ```
pub fn describe_type(schema: &Value) -> String {
    let mut writer = TypeWriter::new(schema);
    let root = writer.read(schema);
    let mut out = match writer.root_name() {
        // It contains itself, so its name is used inside.
        Some(name) => root.definition(&name),
        None => root.with_comments_above(|ty| ty),
    };
    let mut written = 0;
    while written < writer.named.len() {
        let definition = writer.named[written].clone();
        written += 1;
        let schema = writer.definition(&definition).cloned();
        let ty = writer.read(&schema.unwrap_or_default());
        out.push_str("\n\n");
        out.push_str(&ty.definition(&type_name(&definition)));
    }
    out
}

/// A type as text, with what is known of its values besides.
#[derive(Clone, Default)]
struct TypeText {
    text: String,
    /// Whether the text is a union, which needs parentheses in a list.
    is_union: bool,
    description: Option<String>,
    /// Bounds, formats and the like.
    notes: Vec<String>,
}

impl TypeText {
    fn new(text: impl Into<String>) -> TypeText {
        TypeText {
            text: text.into(),
            ..TypeText::default()
        }
    }

    /// The type with its description in lines above it and its notes behind it. `wrap` adds what is around the type in its line.
    fn with_comments_above(&self, wrap: impl FnOnce(String) -> String) -> String {
        let mut out = String::new();
        for line in self.description.iter().flat_map(|text| text.lines()) {
            out.push_str(&format!("// {line}\n"));
        }
        out.push_str(&wrap(self.text.clone()));
        if !self.notes.is_empty() {
            out.push_str(&format!(" // {}", one_line(&self.notes.join(", "))));
        }
        out
    }

    fn definition(&self, name: &str) -> String {
        self.with_comments_above(|ty| match ty.starts_with('\n') {
            true => format!("type {name} ={ty};"),
            false => format!("type {name} = {ty};"),
        })
    }

    /// The type inside of another one, with its comments in it.
    fn inline(&self) -> String {
        let mut comments = self.notes.clone();
        let mut text = self.text.clone();
        if let Some(description) = &self.description {
            match text.strip_prefix("{\n") {
                Some(rest) => text = format!("{{ // {}\n{rest}", one_line(description)),
                None => comments.insert(0, description.clone()),
            }
        }
        if !comments.is_empty() {
            let comments = one_line(&comments.join(", ")).replace("*/", "* /");
            text.push_str(&format!(" /* {comments} */"));
        }
        text
    }

    /// The same as an item of a list or a part of an intersection.
    fn grouped(&self) -> String {
        let text = self.inline();
        match self.is_union || text.ends_with("*/") {
            true if text.starts_with('\n') => format!("({text}\n)"),
            true => format!("({text})"),
            false => text,
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn indented(text: &str) -> String {
    text.replace('\n', "\n  ")
}

struct TypeWriter<'s> {
    root: &'s Value,
    /// How often each definition is referred to, by its reference. Two for one that contains itself.
    uses: BTreeMap<&'s str, usize>,
    /// The references of the definitions that have a name in the text, in the order in which they occur.
    named: Vec<String>,
}

impl<'s> TypeWriter<'s> {
    fn new(root: &'s Value) -> TypeWriter<'s> {
        let mut writer = TypeWriter {
            root,
            uses: BTreeMap::new(),
            named: Vec::new(),
        };
        count_references(root, &mut writer.uses);
        let names: Vec<&str> = writer.uses.keys().copied().collect();
        for name in names {
            if writer.contains_itself(name) {
                writer.uses.insert(name, 2);
            }
        }
        writer
    }

    /// The schema that a reference inside of the root refers to.
    fn definition(&self, reference: &str) -> Option<&'s Value> {
        self.root.pointer(reference.strip_prefix('#')?)
    }

    fn contains_itself(&self, reference: &str) -> bool {
        let mut seen = BTreeMap::new();
        let mut left = vec![reference];
        while let Some(next) = left.pop() {
            let mut inside = BTreeMap::new();
            // The root contains the definitions; only what its own type refers to is a part of it.
            match self.definition(next) {
                Some(Value::Object(map)) if next == "#" => {
                    for (key, value) in map {
                        if !matches!(key.as_str(), "$defs" | "definitions") {
                            count_references(value, &mut inside);
                        }
                    }
                    if let Some(Value::String(own)) = map.get("$ref") {
                        inside.insert(own, 1);
                    }
                }
                Some(schema) => count_references(schema, &mut inside),
                None => {}
            }
            for found in inside.into_keys() {
                if found == reference {
                    return true;
                }
                if seen.insert(found, ()).is_none() {
                    left.push(found);
                }
            }
        }
        false
    }

    /// The name of the root if a part of it refers to it.
    fn root_name(&self) -> Option<String> {
        self.uses.contains_key("#").then(|| type_name("#"))
    }

    /// A type, by its name if it has one in the text.
    fn read(&mut self, schema: &Value) -> TypeText {
        match schema {
            Value::Bool(true) => TypeText::new("any"),
            Value::Object(map) => self
                .read_object(map)
                .unwrap_or_else(|| self.fall_back(schema)),
            _ => self.fall_back(schema),
        }
    }

    /// The schema itself, for keywords without another form.
    fn fall_back(&mut self, schema: &Value) -> TypeText {
        let mut references = BTreeMap::new();
        count_references(schema, &mut references);
        for reference in references.into_keys() {
            self.name_definition(reference);
        }
        let mut ty = TypeText::new("any");
        ty.notes.push(format!("JSON Schema: {schema}"));
        ty
    }

    fn name_definition(&mut self, reference: &str) {
        if reference != "#" && !self.named.iter().any(|named| named == reference) {
            self.named.push(reference.to_owned());
        }
    }

    fn read_reference(&mut self, reference: &str) -> Option<TypeText> {
        let schema = self.definition(reference)?;
        if self.uses.get(reference).is_some_and(|uses| *uses > 1) || reference == "#" {
            self.name_definition(reference);
            return Some(TypeText::new(type_name(reference)));
        }
        Some(self.read(schema))
    }

    /// `None` if a keyword has no form.
    fn read_object(&mut self, map: &Map<String, Value>) -> Option<TypeText> {
        let mut parts: Vec<TypeText> = Vec::new();
        if let Some(value) = map.get("const") {
            parts.push(TypeText::new(value.to_string()));
        } else if let Some(values) = map.get("enum") {
            parts.push(literals(values.as_array()?));
        } else if let Some(ty) = self.read_type(map)? {
            parts.push(ty);
        }
        if let Some(reference) = map.get("$ref") {
            parts.push(self.read_reference(reference.as_str()?)?);
        }
        for key in ["oneOf", "anyOf"] {
            if let Some(variants) = map.get(key) {
                parts.push(self.read_union(variants.as_array()?));
            }
        }
        for part in map
            .get("allOf")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            parts.push(self.read(part));
        }
        let is_closed = map
            .get("unevaluatedProperties")
            .is_none_or(|rest| rest == false);
        if !is_closed || !map.keys().all(|key| HANDLED.contains(&key.as_str())) {
            return None;
        }
        let mut ty = match parts.len() {
            0 => TypeText::new("any"),
            1 => parts.remove(0),
            _ => {
                let parts: Vec<String> = parts.iter().map(TypeText::grouped).collect();
                TypeText::new(parts.join(" & "))
            }
        };
        if let Some(own) = map.get("description").and_then(Value::as_str) {
            ty.description = Some(own.to_owned());
        }
        ty.notes.extend(notes(map));
        Some(ty)
    }

    /// The type by its keywords: `Some(None)` if there are none, `None` if one has no form.
    fn read_type(&mut self, map: &Map<String, Value>) -> Option<Option<TypeText>> {
        let names: Vec<&str> = match map.get("type") {
            Some(Value::String(name)) => vec![name],
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            Some(_) => return None,
            None => {
                let has = |keys: &[&str]| keys.iter().any(|key| map.contains_key(*key));
                match () {
                    () if has(OBJECT_KEYS) => vec!["object"],
                    () if has(LIST_KEYS) => vec!["array"],
                    () => return Some(None),
                }
            }
        };
        let mut texts = Vec::new();
        for name in &names {
            texts.push(match *name {
                "object" => self.read_properties(map)?,
                "array" => self.read_list(map)?,
                "string" | "number" | "integer" | "boolean" | "null" => (*name).to_owned(),
                _ => return None,
            });
        }
        let mut ty = TypeText::new(texts.join(" | "));
        ty.is_union = texts.len() > 1;
        Some(Some(ty))
    }

    fn read_properties(&mut self, map: &Map<String, Value>) -> Option<String> {
        let mut lines = Vec::new();
        let properties = map.get("properties").and_then(Value::as_object);
        let required = map.get("required").and_then(Value::as_array);
        let is_listed = |name: &Value| {
            name.as_str()
                .is_some_and(|name| properties.is_some_and(|map| map.contains_key(name)))
        };
        if !required.into_iter().flatten().all(is_listed) {
            return None;
        }
        let is_required =
            |name: &str| required.is_some_and(|names| names.iter().any(|each| each == name));
        for (name, schema) in properties.into_iter().flatten() {
            let key = property_name(name);
            let mark = if is_required(name) { ":" } else { "?:" };
            lines.push(
                self.read(schema)
                    .with_comments_above(|ty| match ty.starts_with('\n') {
                        true => format!("{key}{mark}{},", indented(&ty)),
                        false => format!("{key}{mark} {ty},"),
                    }),
            );
        }
        for (pattern, schema) in map
            .get("patternProperties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            let value = self.read(schema);
            lines.push(value.with_comments_above(|ty| format!("[key: /{pattern}/]: {ty},")));
        }
        match map.get("additionalProperties") {
            None if !lines.is_empty() => {}
            Some(Value::Bool(false)) => {}
            None | Some(Value::Bool(true)) => {
                if lines.is_empty() {
                    lines.push("[key: string]: any,".to_owned());
                }
            }
            Some(schema) => {
                let value = self.read(schema);
                lines.push(value.with_comments_above(|ty| format!("[key: string]: {ty},")));
            }
        }
        Some(match lines.as_slice() {
            [] => "{}".to_owned(),
            // A map is a line, unless it has comments.
            [line] if line.starts_with("[key") && !line.contains(['\n', '/']) => {
                format!("{{ {} }}", line.trim_end_matches(','))
            }
            _ => format!("{{\n  {}\n}}", indented(&lines.join("\n"))),
        })
    }

    fn read_list(&mut self, map: &Map<String, Value>) -> Option<String> {
        let tuple = map.get("prefixItems").and_then(Value::as_array);
        let rest = match map.get("items") {
            Some(Value::Bool(false)) => None,
            None if tuple.is_some() => None,
            // The lists of older drafts.
            Some(Value::Array(_)) => return None,
            None => Some(TypeText::new("any")),
            Some(items) => Some(self.read(items)),
        };
        let Some(tuple) = tuple else {
            return Some(format!("{}[]", rest.unwrap_or_default().grouped()));
        };
        let mut items: Vec<String> = tuple.iter().map(|item| self.read(item).inline()).collect();
        if let Some(rest) = rest {
            items.push(format!("...{}[]", rest.grouped()));
        }
        Some(format!("[{}]", items.join(", ")))
    }

    /// Variants with comments have a line each.
    fn read_union(&mut self, variants: &[Value]) -> TypeText {
        let variants: Vec<TypeText> = variants.iter().map(|variant| self.read(variant)).collect();
        if let [only] = variants.as_slice() {
            return TypeText::new(only.inline());
        }
        let has_lines = |variant: &&TypeText| variant.text.contains('\n');
        let has_comment =
            |variant: &TypeText| variant.description.is_some() && !has_lines(&variant);
        let is_long =
            variants.iter().filter(has_lines).count() > 1 || variants.iter().any(has_comment);
        let mut ty = match is_long {
            false => {
                let texts: Vec<String> = variants.iter().map(TypeText::inline).collect();
                TypeText::new(texts.join(" | "))
            }
            true => {
                let mut text = String::new();
                for variant in &variants {
                    // The notes are inside of the line: the union has other text behind it.
                    let variant = TypeText {
                        text: TypeText {
                            description: None,
                            ..variant.clone()
                        }
                        .inline(),
                        description: variant.description.clone(),
                        ..TypeText::default()
                    };
                    let line = variant.with_comments_above(|ty| format!("| {ty}"));
                    text.push_str("\n  ");
                    text.push_str(&indented(&line));
                }
                TypeText::new(text)
            }
        };
        ty.is_union = true;
        ty
    }
}

/// Counts the references in a schema.
fn count_references<'s>(schema: &'s Value, uses: &mut BTreeMap<&'s str, usize>) {
    match schema {
        Value::Object(map) => {
            for (key, value) in map {
                match (key.as_str(), value) {
                    ("$ref", Value::String(reference)) => *uses.entry(reference).or_default() += 1,
                    ("const" | "enum" | "default" | "examples" | "example", _) => {}
                    (
                        "properties" | "patternProperties" | "$defs" | "definitions",
                        Value::Object(named),
                    ) => named.values().for_each(|each| count_references(each, uses)),
                    _ => count_references(value, uses),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| count_references(item, uses)),
        _ => {}
    }
}

/// The name of a definition: the last part of its reference.
fn type_name(reference: &str) -> String {
    let name = reference.rsplit('/').next().unwrap_or_default();
    match name.trim_start_matches('#') {
        "" => "Answer".to_owned(),
        name => name.to_owned(),
    }
}

/// A key as it is, or in quotes where TypeScript needs them.
fn property_name(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let begins = name.starts_with(|c: char| is_plain(c) && !c.is_numeric());
    match begins && name.chars().all(is_plain) {
        true => name.to_owned(),
        false => Value::from(name).to_string(),
    }
}

fn literals(values: &[Value]) -> TypeText {
    let texts: Vec<String> = values.iter().map(Value::to_string).collect();
    TypeText {
        is_union: texts.len() > 1,
        ..TypeText::new(texts.join(" | "))
    }
}

const OBJECT_KEYS: &[&str] = &[
    "properties",
    "additionalProperties",
    "patternProperties",
    "required",
];
const LIST_KEYS: &[&str] = &["items", "prefixItems"];

/// The keywords that have a form in the text, or that say nothing about a value.
const HANDLED: &[&str] = &[
    "$comment",
    "$defs",
    "$id",
    "$ref",
    "$schema",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "default",
    "definitions",
    "deprecated",
    "description",
    "enum",
    "example",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "oneOf",
    "pattern",
    "patternProperties",
    "prefixItems",
    "properties",
    "readOnly",
    "required",
    "title",
    "type",
    // schemars writes it where serde denies unknown fields of a flattened struct.
    "unevaluatedProperties",
    "uniqueItems",
    "writeOnly",
];

/// The keywords that are comments.
fn notes(map: &Map<String, Value>) -> Vec<String> {
    let mut notes = Vec::new();
    let range = |from: &str, to: &str| match (map.get(from), map.get(to)) {
        (Some(from), Some(to)) if from == to => Some(from.to_string()),
        (Some(from), Some(to)) => Some(format!("{from} to {to}")),
        (Some(from), None) => Some(format!("at least {from}")),
        (None, Some(to)) => Some(format!("at most {to}")),
        (None, None) => None,
    };
    let is_tuple = map.contains_key("prefixItems");
    notes.extend(range("minimum", "maximum"));
    for (key, relation) in [("exclusiveMinimum", "more"), ("exclusiveMaximum", "less")] {
        notes.extend(map.get(key).map(|bound| format!("{relation} than {bound}")));
    }
    notes.extend(
        map.get("multipleOf")
            .map(|value| format!("a multiple of {value}")),
    );
    for (from, to, unit) in [
        ("minLength", "maxLength", "characters"),
        ("minItems", "maxItems", "items"),
        ("minProperties", "maxProperties", "entries"),
    ] {
        // The length of a tuple is that of its type.
        let shown = range(from, to).filter(|_| unit != "items" || !is_tuple);
        notes.extend(shown.map(|range| format!("{range} {unit}")));
    }
    if map.get("uniqueItems") == Some(&Value::Bool(true)) {
        notes.push("no item twice".to_owned());
    }
    let text = |key: &str| map.get(key).and_then(Value::as_str);
    // The formats of numbers are sizes in memory; their bounds are keywords of their own.
    let is_number = |name: &str| {
        name == "double" || name == "float" || name.trim_start_matches('u').starts_with("int")
    };
    notes.extend(
        text("format")
            .filter(|name| !is_number(name))
            .map(|name| format!("format {name}")),
    );
    notes.extend(text("pattern").map(|pattern| format!("matches /{pattern}/")));
    let default = map.get("default").filter(|value| !value.is_null());
    notes.extend(default.map(|value| format!("default {value}")));
    let examples = map.get("examples").and_then(Value::as_array);
    for example in examples.into_iter().flatten().chain(map.get("example")) {
        notes.push(format!("for example {example}"));
    }
    if map.get("deprecated") == Some(&Value::Bool(true)) {
        notes.push("deprecated".to_owned());
    }
    notes
}

// Without the feature, properties are in another order.
#[cfg(all(test, feature = "schema"))]
mod tests {
    use super::*;
    use serde_json::json;

    /// Schemas with their descriptions: one for each keyword that has a form.
    #[test]
    fn every_keyword_has_a_form() {
        let cases = [
            (json!(true), "any"),
            (json!({}), "any"),
            (json!({"type": "string"}), "string"),
            (json!({"type": ["integer", "null"]}), "integer | null"),
            (json!({"const": "a"}), "\"a\""),
            (json!({"enum": ["a", 1, null]}), "\"a\" | 1 | null"),
            (
                json!({"type": "number", "minimum": 0.5, "maximum": 2}),
                "number // 0.5 to 2",
            ),
            (
                json!({"type": "integer", "exclusiveMinimum": 0}),
                "integer // more than 0",
            ),
            (
                json!({"type": "integer", "multipleOf": 5}),
                "integer // a multiple of 5",
            ),
            (
                json!({"type": "string", "maxLength": 9}),
                "string // at most 9 characters",
            ),
            (
                json!({"type": "string", "format": "date"}),
                "string // format date",
            ),
            (
                json!({"type": "string", "pattern": "^a+$"}),
                "string // matches /^a+$/",
            ),
            (
                json!({"type": "string", "default": "a", "examples": ["b"]}),
                "string // default \"a\", for example \"b\"",
            ),
            (
                json!({"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2}),
                "string[] // 2 items",
            ),
            (
                json!({"type": "array", "items": {"enum": [1, 2]}, "uniqueItems": true}),
                "(1 | 2)[] // no item twice",
            ),
            (
                json!({"type": "array", "items": {"type": "integer", "minimum": 1}}),
                "(integer /* at least 1 */)[]",
            ),
            (
                json!({"type": "array", "items": {"type": "string", "description": "A */ b."}}),
                "(string /* A * / b. */)[]",
            ),
            (
                json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "minItems": 2, "maxItems": 2}),
                "[string, integer]",
            ),
            (
                json!({"type": "object", "additionalProperties": {"type": "integer"}}),
                "{ [key: string]: integer }",
            ),
            (
                json!({"type": "object", "patternProperties": {"^\\d+$": {"type": "string"}}, "additionalProperties": false}),
                "{\n  [key: /^\\d+$/]: string,\n}",
            ),
            (
                json!({"type": "object", "properties": {}, "additionalProperties": false}),
                "{}",
            ),
            (
                json!({"description": "A port.\nOr two.", "properties": {"a b": {"type": "string"}}, "required": ["a b"]}),
                "// A port.\n// Or two.\n{\n  \"a b\": string,\n}",
            ),
            (
                json!({"oneOf": [{"const": "a", "description": "One."}, {"const": "b"}]}),
                "\n  // One.\n  | \"a\"\n  | \"b\"",
            ),
            (
                json!({"type": "array", "items": {"oneOf": [{"const": "a", "description": "One."}, {"const": "b"}]}}),
                "(\n  // One.\n  | \"a\"\n  | \"b\"\n)[]",
            ),
            (
                json!({"allOf": [{"properties": {"a": {"type": "null"}}}, {"anyOf": [{"type": "string"}, {"type": "null"}]}]}),
                "{\n  a?: null,\n} & (string | null)",
            ),
        ];
        for (schema, expected) in cases {
            assert_eq!(describe_type(&schema), expected, "{schema}");
        }
    }

    #[test]
    fn types_that_are_used_several_times_have_names() {
        let tree = json!({
            "$ref": "#/$defs/Tree",
            "$defs": {
                "Tree": {
                    "description": "A tree.",
                    "type": "object",
                    "properties": {
                        "left": {"anyOf": [{"$ref": "#/$defs/Tree"}, {"type": "null"}]},
                        "color": {"description": "Of the leaves.", "$ref": "#/$defs/Color"},
                        "inner": {"$ref": "#/$defs/Color"},
                        "at": {"$ref": "#/$defs/Point"},
                        "enum": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
                    },
                    "required": ["color", "at"],
                },
                "Color": {"enum": ["red", "blue"]},
                "Point": {"description": "In metres.", "type": "object", "properties": {"x": {"type": "number"}}},
            },
        });
        assert_eq!(
            describe_type(&tree),
            "Tree\n\n// A tree.\ntype Tree = {\n  left?: Tree | null,\n  // Of the leaves.\n  color: Color,\n  inner?: Color,\n  \
             // In metres.\n  at: {\n    x?: number,\n  },\n  enum?: Tree[],\n};\n\ntype Color = \"red\" | \"blue\";"
        );
        let chain = json!({"type": "object", "properties": {"next": {"$ref": "#"}}});
        assert_eq!(
            describe_type(&chain),
            "type Answer = {\n  next?: Answer,\n};"
        );
    }

    #[test]
    fn other_keywords_are_json_schema() {
        let schema = json!({
            "properties": {
                "a": {"not": {"$ref": "#/$defs/A"}},
                "b": {"type": "object", "required": ["c"]},
                "d": false,
            },
            "$defs": {"A": {"type": "string"}},
        });
        assert_eq!(
            describe_type(&schema),
            "{\n  a?: any, // JSON Schema: {\"not\":{\"$ref\":\"#/$defs/A\"}}\n  \
             b?: any, // JSON Schema: {\"type\":\"object\",\"required\":[\"c\"]}\n  \
             d?: any, // JSON Schema: false\n}\n\ntype A = string;"
        );
    }

    #[test]
    fn the_description_is_before_the_data() {
        let schema = json!({"$schema": "x", "title": "T", "type": "integer"});
        let described = |messages: &[Message], structured| {
            let messages = Messages::from(messages.to_vec());
            let described = describe_output(&messages, &schema, &structured);
            let texts = described.iter().map(|message| message.text().into_owned());
            texts.collect::<Vec<_>>()
        };
        let (system, user) = (Message::system("S"), Message::user("U"));
        let text = format!("{JSON_ONLY}The JSON must have this type:\ninteger");
        let conversation = [
            system.clone(),
            user.clone(),
            Message::assistant("A"),
            user.clone(),
        ];
        let system_text = format!("S\n\n{text}");
        let expected = [system_text.as_str(), "U", "A", "U"];
        assert_eq!(described(&conversation, Structured::Described), expected);
        let expected = [format!("{text}\n\nU"), "A".to_owned(), "U".to_owned()];
        assert_eq!(
            described(&conversation[1..], Structured::Described),
            expected
        );
        assert_eq!(described(&[], Structured::Described), [text]);
        assert_eq!(described(&[user], Structured::Native), ["U"]);
        let schema = format!(
            "S\n\n{JSON_ONLY}The JSON must be valid against this JSON Schema:\n{{\n  \"type\": \"integer\"\n}}"
        );
        assert_eq!(described(&[system], Structured::DescribedSchema), [schema]);
    }
}
