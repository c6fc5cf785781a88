//! The keywords of JSON Schema: which ones the validator asserts, and which ones only describe a value.
//!
//! A validator ignores a keyword that it does not know. Here such a keyword is an error, so that no part of a schema is without
//! effect unnoticed.

use crate::number::{Amount, amount_to_json};
use prompt_base::json::MAX_DEPTH;
use serde_json::{Map, Value};
use std::ops::RangeInclusive;

/// What a keyword contains.
#[derive(Clone, Copy)]
enum Content {
    /// No schema.
    Plain,
    /// One schema.
    Schema,
    /// A list of schemas.
    Schemas,
    /// One schema or a list of schemas.
    SchemaOrSchemas,
    /// A schema, or a list of names, for each name.
    Named,
}

/// The drafts of JSON Schema, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Draft {
    Four,
    Six,
    Seven,
    Y2019,
    Y2020,
}

impl Draft {
    /// The draft that a schema declares; without a declaration the latest one.
    fn of_schema(schema: &Value) -> Draft {
        let declared = schema.get("$schema").and_then(Value::as_str);
        let declared = declared.unwrap_or_default();
        let drafts = [
            ("draft-04", Draft::Four),
            ("draft-06", Draft::Six),
            ("draft-07", Draft::Seven),
            ("2019-09", Draft::Y2019),
        ];
        let found = drafts.iter().find(|(name, _)| declared.contains(name));
        found.map_or(Draft::Y2020, |(_, draft)| *draft)
    }

    /// The same draft in the validator.
    fn of_validator(self) -> jsonschema::Draft {
        match self {
            Draft::Four => jsonschema::Draft::Draft4,
            Draft::Six => jsonschema::Draft::Draft6,
            Draft::Seven => jsonschema::Draft::Draft7,
            Draft::Y2019 => jsonschema::Draft::Draft201909,
            Draft::Y2020 => jsonschema::Draft::Draft202012,
        }
    }
}

const ALL: RangeInclusive<Draft> = Draft::Four..=Draft::Y2020;
const SINCE_6: RangeInclusive<Draft> = Draft::Six..=Draft::Y2020;
const SINCE_7: RangeInclusive<Draft> = Draft::Seven..=Draft::Y2020;
const SINCE_2019: RangeInclusive<Draft> = Draft::Y2019..=Draft::Y2020;
const SINCE_2020: RangeInclusive<Draft> = Draft::Y2020..=Draft::Y2020;
const UNTIL_2019: RangeInclusive<Draft> = Draft::Four..=Draft::Y2019;
const UNTIL_7: RangeInclusive<Draft> = Draft::Four..=Draft::Seven;

/// The keywords that the validator asserts or that identify a schema, with the drafts that define them.
const KEYWORDS: [(&str, Content, RangeInclusive<Draft>); 52] = [
    ("$anchor", Content::Plain, SINCE_2019),
    ("$defs", Content::Named, ALL),
    ("$dynamicAnchor", Content::Plain, SINCE_2020),
    ("$dynamicRef", Content::Plain, SINCE_2020),
    ("$id", Content::Plain, SINCE_6),
    (
        "$recursiveAnchor",
        Content::Plain,
        Draft::Y2019..=Draft::Y2019,
    ),
    ("$recursiveRef", Content::Plain, Draft::Y2019..=Draft::Y2019),
    ("$ref", Content::Plain, ALL),
    ("$schema", Content::Plain, ALL),
    ("$vocabulary", Content::Plain, SINCE_2019),
    ("additionalItems", Content::Schema, UNTIL_2019),
    ("additionalProperties", Content::Schema, ALL),
    ("allOf", Content::Schemas, ALL),
    ("anyOf", Content::Schemas, ALL),
    ("const", Content::Plain, SINCE_6),
    ("contains", Content::Schema, SINCE_6),
    ("definitions", Content::Named, ALL),
    ("dependencies", Content::Named, UNTIL_7),
    ("dependentRequired", Content::Plain, SINCE_2019),
    ("dependentSchemas", Content::Named, SINCE_2019),
    ("else", Content::Schema, SINCE_7),
    ("enum", Content::Plain, ALL),
    ("exclusiveMaximum", Content::Plain, ALL),
    ("exclusiveMinimum", Content::Plain, ALL),
    ("format", Content::Plain, ALL),
    ("id", Content::Plain, Draft::Four..=Draft::Four),
    ("if", Content::Schema, SINCE_7),
    ("items", Content::SchemaOrSchemas, ALL),
    ("maxContains", Content::Plain, SINCE_2019),
    ("maxItems", Content::Plain, ALL),
    ("maxLength", Content::Plain, ALL),
    ("maxProperties", Content::Plain, ALL),
    ("maximum", Content::Plain, ALL),
    ("minContains", Content::Plain, SINCE_2019),
    ("minItems", Content::Plain, ALL),
    ("minLength", Content::Plain, ALL),
    ("minProperties", Content::Plain, ALL),
    ("minimum", Content::Plain, ALL),
    ("multipleOf", Content::Plain, ALL),
    ("not", Content::Schema, ALL),
    ("oneOf", Content::Schemas, ALL),
    ("pattern", Content::Plain, ALL),
    ("patternProperties", Content::Named, ALL),
    ("prefixItems", Content::Schemas, SINCE_2020),
    ("properties", Content::Named, ALL),
    ("propertyNames", Content::Schema, SINCE_6),
    ("required", Content::Plain, ALL),
    ("then", Content::Schema, SINCE_7),
    ("type", Content::Plain, ALL),
    ("unevaluatedItems", Content::Schema, SINCE_2019),
    ("unevaluatedProperties", Content::Schema, SINCE_2019),
    ("uniqueItems", Content::Plain, ALL),
];

/// Keywords that describe a value and assert nothing.
const ANNOTATIONS: [&str; 14] = [
    "$comment",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "default",
    "deprecated",
    "description",
    "discriminator",
    "enumNames",
    "example",
    "examples",
    "readOnly",
    "title",
    "writeOnly",
];

/// The `format`s of strings and numbers that are not asserted. The `format`s of whole numbers are asserted as bounds, and those that
/// the validator knows as they are.
const ANNOTATED_FORMATS: [&str; 12] = [
    "binary",
    "byte",
    "double",
    "float",
    "idn-email",
    "idn-hostname",
    "ip",
    "partial-date-time",
    "partial-time",
    "password",
    "url",
    "zoned-date-time",
];

/// The bounds of the `format`s of whole numbers.
const INTEGERS: [(&str, i128, i128); 12] = [
    ("uint8", 0, u8::MAX as i128),
    ("uint16", 0, u16::MAX as i128),
    ("uint32", 0, u32::MAX as i128),
    ("uint64", 0, u64::MAX as i128),
    ("uint", 0, u64::MAX as i128),
    ("uint128", 0, i128::MAX),
    ("int8", i8::MIN as i128, i8::MAX as i128),
    ("int16", i16::MIN as i128, i16::MAX as i128),
    ("int32", i32::MIN as i128, i32::MAX as i128),
    ("int64", i64::MIN as i128, i64::MAX as i128),
    ("int", i64::MIN as i128, i64::MAX as i128),
    ("int128", i128::MIN, i128::MAX),
];

/// The bounds of a `format` of whole numbers.
pub(crate) fn integer_format(name: &str) -> Option<(i128, i128)> {
    let found = INTEGERS.iter().find(|(known, ..)| *known == name);
    found.map(|(_, min, max)| (*min, *max))
}

/// Whether a keyword lists aliases, which are an extension.
pub(crate) fn is_alias_keyword(key: &str) -> bool {
    key.to_ascii_lowercase().contains("alias") || matches!(key, "enumNames" | "x-enum-varnames")
}

/// Whether a keyword describes a value and asserts nothing.
pub(crate) fn is_annotation(key: &str) -> bool {
    ANNOTATIONS.contains(&key) || key.starts_with("x-") || is_alias_keyword(key)
}

/// Compiles the validator of a schema. The error names the keyword that is wrong or not supported, and its path.
pub(crate) fn compile_validator(schema: &Value) -> Result<jsonschema::Validator, String> {
    let draft = Draft::of_schema(schema);
    let mut prepared = schema.clone();
    let mut checker = Checker {
        draft,
        options: jsonschema::options(),
        path: "#".to_owned(),
        depth: 0,
    };
    checker.check_schema(&mut prepared)?;
    let options = checker.options.should_validate_formats(true).offline();
    options.build(&prepared).map_err(|error| {
        let path = error.instance_path().as_str();
        format!("the schema is not valid at `#{path}`: {error}")
    })
}

struct Checker<'i> {
    draft: Draft,
    options: jsonschema::ValidationOptions<'i>,
    /// The path of the schema that is checked.
    path: String,
    depth: usize,
}

impl Checker<'_> {
    /// Checks all keywords of a schema, and expresses the `format`s of whole numbers as bounds.
    fn check_schema(&mut self, schema: &mut Value) -> Result<(), String> {
        let Value::Object(map) = schema else {
            return Ok(());
        };
        if self.depth == MAX_DEPTH {
            return Err(format!("the schema is nested deeper than {MAX_DEPTH}"));
        }
        self.depth += 1;
        let refers = map.get("$ref").is_some_and(Value::is_string);
        for (key, value) in map.iter_mut() {
            if is_annotation(key) {
                continue;
            }
            let keyword = KEYWORDS.iter().find(|(name, ..)| name == key);
            let Some((_, content, _)) = keyword.filter(|(.., drafts)| drafts.contains(&self.draft))
            else {
                return Err(self.unsupported(key, "is not a keyword that is checked"));
            };
            let is_definition = matches!(
                key.as_str(),
                "$ref" | "$schema" | "$id" | "id" | "$defs" | "definitions"
            );
            if refers && self.draft <= Draft::Seven && !is_definition {
                return Err(self.unsupported(key, "has no effect beside `$ref` in this draft"));
            }
            if key == "format" {
                self.check_format(value)?;
            }
            let before = self.path.len();
            self.push_step(key);
            match (content, value) {
                (Content::Schema | Content::SchemaOrSchemas, value @ Value::Object(_)) => {
                    self.check_schema(value)?;
                }
                (Content::Schemas | Content::SchemaOrSchemas, Value::Array(schemas)) => {
                    for (index, schema) in schemas.iter_mut().enumerate() {
                        self.check_part(&index.to_string(), schema)?;
                    }
                }
                (Content::Named, Value::Object(schemas)) => {
                    for (name, schema) in schemas {
                        self.check_part(name, schema)?;
                    }
                }
                _ => {}
            }
            self.path.truncate(before);
        }
        self.depth -= 1;
        add_integer_bounds(map);
        Ok(())
    }

    fn check_part(&mut self, step: &str, schema: &mut Value) -> Result<(), String> {
        let before = self.path.len();
        self.push_step(step);
        self.check_schema(schema)?;
        self.path.truncate(before);
        Ok(())
    }

    fn push_step(&mut self, step: &str) {
        self.path.push('/');
        self.path
            .push_str(&step.replace('~', "~0").replace('/', "~1"));
    }

    fn check_format(&self, format: &Value) -> Result<(), String> {
        let Value::String(name) = format else {
            return Ok(());
        };
        let draft = self.draft.of_validator();
        let is_known = ANNOTATED_FORMATS.contains(&name.as_str())
            || integer_format(name).is_some()
            || self.options.is_known_format(draft, name);
        match is_known {
            true => Ok(()),
            false => Err(self.unsupported("format", &format!("has the unknown value `{name}`"))),
        }
    }

    fn unsupported(&self, key: &str, what: &str) -> String {
        format!("`{key}` at `{}/{key}` {what}", self.path)
    }
}

/// Adds the bounds of a `format` of whole numbers, which JSON Schema treats as an annotation.
fn add_integer_bounds(map: &mut Map<String, Value>) {
    let format = map.get("format").and_then(Value::as_str);
    let Some((min, max)) = format.and_then(integer_format) else {
        return;
    };
    let tighten =
        |map: &mut Map<String, Value>, key: &str, bound: i128, is_tighter: fn(f64, f64) -> bool| {
            let own = map.get(key).and_then(Value::as_f64);
            // A bound of 128 bits is not a number of JSON here; the conversion to the type checks it.
            if let Some(limit) = amount_to_json(Amount::Integer(bound))
                && own.is_none_or(|own| is_tighter(bound as f64, own))
            {
                map.insert(key.to_owned(), Value::Number(limit));
            }
        };
    tighten(map, "minimum", min, |bound, own| bound > own);
    tighten(map, "maximum", max, |bound, own| bound < own);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keywords_that_are_not_asserted_are_errors() {
        let draft_7 = "http://json-schema.org/draft-07/schema#";
        for (schema, message) in [
            (
                json!({"properties": {"a/b": {"nullable": true}}}),
                "`nullable` at `#/properties/a~1b/nullable` is not a keyword that is checked",
            ),
            (
                json!({"items": {"format": "colour"}}),
                "`format` at `#/items/format` has the unknown value `colour`",
            ),
            (
                json!({"allOf": [{"additionalItems": false}]}),
                "`additionalItems` at `#/allOf/0/additionalItems` is not a keyword that is checked",
            ),
            (
                json!({"$schema": draft_7, "dependentRequired": {}}),
                "`dependentRequired` at `#/dependentRequired` is not a keyword that is checked",
            ),
            (
                json!({"$schema": draft_7, "properties": {"a": {"$ref": "#", "minLength": 3}}}),
                "`minLength` at `#/properties/a/minLength` has no effect beside `$ref` in this draft",
            ),
            (
                json!({"type": "int"}),
                "the schema is not valid at `#/type`: \"int\" is not valid under any of the schemas listed in the 'anyOf' keyword",
            ),
        ] {
            let error = compile_validator(&schema).unwrap_err();
            assert_eq!(error, message);
        }
    }

    #[test]
    fn annotations_and_keywords_of_all_drafts_are_accepted() {
        for schema in [
            json!({"title": "A", "default": {"nullable": 1}, "x-order": 3, "enum": [{"nullable": 1}]}),
            json!({"$schema": "http://json-schema.org/draft-04/schema#", "id": "http://a.test/b", "minimum": 1, "exclusiveMinimum": true}),
            json!({"$schema": "http://json-schema.org/draft-07/schema#", "dependencies": {"a": ["b"]}, "items": [true]}),
            json!({"not": {"type": "string"}, "if": true, "then": true, "unevaluatedProperties": false}),
        ] {
            compile_validator(&schema).unwrap();
        }
    }

    #[test]
    fn formats_of_whole_numbers_are_bounds() {
        let validator = compile_validator(&json!({"type": "integer", "format": "uint8"})).unwrap();
        assert!(validator.is_valid(&json!(255)) && !validator.is_valid(&json!(256)));
        let schema = json!({"type": "integer", "format": "uint8", "maximum": 9});
        assert!(!compile_validator(&schema).unwrap().is_valid(&json!(10)));
    }
}
