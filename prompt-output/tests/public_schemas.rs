//! Public schemas with valid and invalid values: valid values are unchanged, and invalid ones are refused or repaired to valid ones.
//!
//! `tests/schemas/run` installs 2,000 schemas, whose values are random. MaskBench, the folder `maskbench/data` of
//! `guidance-ai/jsonschemabench` on GitHub, has values of its own. It has no licence, so it is not in this repository:
//! `MASKBENCH=…/maskbench/data cargo test --release -p prompt-output --test public_schemas maskbench -- --ignored --nocapture`

mod random;

use prompt_output::Schema;
use random::Random;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::path::PathBuf;

#[derive(Deserialize)]
struct PublicSchema {
    schema: Value,
    tests: Vec<Instance>,
}

#[derive(Deserialize)]
struct Instance {
    data: Value,
    valid: bool,
}

/// The numbers of values.
#[derive(Debug, Default)]
struct Figures {
    schemas: usize,
    schemas_refused: usize,
    valid: usize,
    valid_in_refused_schema: usize,
    invalid: usize,
    invalid_in_refused_schema: usize,
    invalid_repaired: usize,
}

#[test]
#[ignore = "needs the data"]
fn maskbench() {
    let mut files =
        files(&std::env::var("MASKBENCH").expect("MASKBENCH is the folder of the data"));
    // Some files are not JSON of 64 bits.
    let schemas = files.drain(..).filter_map(|file| {
        let public = serde_json::from_slice(&std::fs::read(&file).unwrap()).ok()?;
        Some((file.display().to_string(), public))
    });
    check(schemas);
}

#[test]
#[ignore = "needs the data"]
fn two_thousand_schemas() {
    let folders = std::env::var("SCHEMAS").expect("SCHEMAS are the folders of the schemas");
    let files: Vec<PathBuf> = folders.split(':').flat_map(files).collect();
    let count = files.len();
    // Evenly from all folders.
    let sample = (0..2000).map(|index| &files[index * count / 2000]);
    let schemas = sample.enumerate().filter_map(|(seed, file)| {
        let mut schema: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).ok()?;
        remove_cloudformation(&mut schema);
        let validator = jsonschema::options()
            .should_validate_formats(true)
            .offline()
            .build(&schema);
        let tests = match validator {
            Ok(validator) => random_instances(&schema, &validator, seed as u64),
            Err(_) => Vec::new(),
        };
        let name = file.display().to_string();
        Some((name, PublicSchema { schema, tests }))
    });
    let figures = check(schemas);
    assert!(count >= 2000 && figures.schemas > 1900, "{count}");
    assert!(figures.valid > 4000 && figures.invalid > 4000);
}

fn files(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let is_json = |path: &PathBuf| {
        path.extension()
            .is_some_and(|extension| extension == "json")
    };
    let mut files: Vec<_> = paths.filter(is_json).collect();
    files.sort();
    files
}

fn check(schemas: impl Iterator<Item = (String, PublicSchema)>) -> Figures {
    let mut figures = Figures::default();
    let mut wrong = Vec::new();
    for (name, public) in schemas {
        let count = |valid| {
            let tests = public.tests.iter();
            tests.filter(|test| test.valid == valid).count()
        };
        figures.schemas += 1;
        figures.valid += count(true);
        figures.invalid += count(false);
        let schema = match Schema::new(&public.schema) {
            Ok(schema) => schema,
            Err(error) => {
                figures.schemas_refused += 1;
                figures.valid_in_refused_schema += count(true);
                figures.invalid_in_refused_schema += count(false);
                if !error.to_string().contains('`') {
                    wrong.push(format!("{name}: {error}"));
                }
                continue;
            }
        };
        for test in public.tests {
            let text = test.data.to_string();
            let value =
                |parsed: Result<prompt_output::Parsed, _>| parsed.ok().map(|parsed| parsed.value);
            let (tolerant, strict) = (
                value(schema.parse(&text)),
                value(schema.parse_strict(&text)),
            );
            let is_right = match test.valid {
                true => {
                    tolerant.as_ref() == Some(&test.data) && strict.as_ref() == Some(&test.data)
                }
                false => strict.is_none() && tolerant.as_ref() != Some(&test.data),
            };
            if !is_right {
                wrong.push(format!(
                    "{name}: {text} is {tolerant:?}, strictly {strict:?}"
                ));
            }
            figures.invalid_repaired += usize::from(!test.valid && tolerant.is_some());
        }
    }
    println!("{figures:#?}");
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
    figures
}

/// Removes the keywords that CloudFormation adds to JSON Schema.
fn remove_cloudformation(schema: &mut Value) {
    if schema.get("typeName").is_some()
        && let Value::Object(map) = schema
    {
        let keywords = [
            "type",
            "properties",
            "required",
            "definitions",
            "additionalProperties",
        ];
        map.retain(|key, _| keywords.contains(&key.as_str()));
    }
    match schema {
        Value::Object(map) => {
            let is_resource =
                |format: &Value| format.as_str().is_some_and(|name| name.contains("::"));
            map.retain(|key, value| match key.as_str() {
                "insertionOrder" | "relationshipRef" => {
                    value.is_object() && value.get("type").is_some()
                }
                "format" => !is_resource(value),
                _ => true,
            });
            map.values_mut().for_each(remove_cloudformation);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_cloudformation),
        _ => {}
    }
}

/// Values in the form of a schema, as they are and with one change, with the verdict of the validator.
fn random_instances(schema: &Value, validator: &jsonschema::Validator, seed: u64) -> Vec<Instance> {
    let mut random = Random::from_seed(seed);
    let mut instances = Vec::new();
    for _ in 0..6 {
        let data = random.value(schema, schema, 6);
        let mut changed = data.clone();
        random.change(&mut changed);
        instances.extend([data, changed].map(|data| Instance {
            valid: validator.is_valid(&data),
            data,
        }));
    }
    instances
}

impl Random {
    /// A value in the form that a schema describes. It need not satisfy the schema.
    fn value(&mut self, root: &Value, schema: &Value, depth: usize) -> Value {
        let Value::Object(map) = schema else {
            return self.scalar();
        };
        if depth == 0 {
            return self.scalar();
        }
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            let target = reference
                .strip_prefix('#')
                .and_then(|path| root.pointer(path));
            return target.map_or(Value::Null, |target| self.value(root, target, depth - 1));
        }
        if let Some(only) = map.get("const") {
            return only.clone();
        }
        if let Some(Value::Array(values)) = map.get("enum")
            && !values.is_empty()
        {
            return self.pick(values);
        }
        let mut value = self.typed_value(root, map, depth);
        for key in ["allOf", "anyOf", "oneOf"] {
            let Some(Value::Array(variants)) = map.get(key) else {
                continue;
            };
            let chosen = self.below(variants.len().max(1));
            for (index, variant) in variants.iter().enumerate() {
                if key != "allOf" && index != chosen {
                    continue;
                }
                let part = self.value(root, variant, depth - 1);
                match (&mut value, part) {
                    (Value::Object(map), Value::Object(part)) => map.extend(part),
                    (_, part) if map.get("type").is_none() => value = part,
                    _ => {}
                }
            }
        }
        value
    }

    fn typed_value(&mut self, root: &Value, map: &Map<String, Value>, depth: usize) -> Value {
        let has = |keys: &[&str]| keys.iter().any(|key| map.contains_key(*key));
        let ty = match map.get("type") {
            Some(Value::String(ty)) => ty.clone(),
            Some(Value::Array(all)) if !all.is_empty() => {
                self.pick(all).as_str().unwrap_or_default().to_owned()
            }
            _ if has(&["properties", "required", "additionalProperties"]) => "object".to_owned(),
            _ if has(&["items", "minItems"]) => "array".to_owned(),
            _ if has(&["minimum", "maximum"]) => "number".to_owned(),
            _ => "string".to_owned(),
        };
        let number = |key: &str| map.get(key).and_then(Value::as_i64);
        match ty.as_str() {
            "object" => {
                let mut object = Map::new();
                let empty = Map::new();
                let properties = map.get("properties").and_then(Value::as_object);
                let required = map.get("required").and_then(Value::as_array);
                let is_required =
                    |name: &str| required.is_some_and(|all| all.contains(&json!(name)));
                for (name, schema) in properties.unwrap_or(&empty) {
                    if is_required(name) || self.one_in(4) {
                        object.insert(name.clone(), self.value(root, schema, depth - 1));
                    }
                }
                if let Some(others @ Value::Object(_)) = map.get("additionalProperties") {
                    let value = self.value(root, others, depth - 1);
                    object.insert("other".to_owned(), value);
                }
                Value::Object(object)
            }
            "array" => {
                let least = number("minItems").unwrap_or(0).clamp(0, 9) as usize;
                let count = least + self.below(2);
                let item = map.get("items").unwrap_or(&Value::Null);
                (0..count)
                    .map(|_| self.value(root, item, depth - 1))
                    .collect()
            }
            "integer" | "number" => {
                let least = number("minimum").unwrap_or(1);
                json!(least.saturating_add(self.below(3) as i64))
            }
            "boolean" => json!(self.one_in(2)),
            "null" => Value::Null,
            _ => self.string(map),
        }
    }

    fn string(&mut self, map: &Map<String, Value>) -> Value {
        let format = map.get("format").and_then(Value::as_str);
        let text = match format {
            Some("date-time") => "2024-05-01T10:00:00Z",
            Some("date") => "2024-05-01",
            Some("time") => "10:00:00Z",
            Some("uri" | "uri-reference" | "iri") => "https://example.com/a",
            Some("email") => "ann@example.com",
            Some("hostname") => "example.com",
            Some("ipv4") => "192.0.2.1",
            Some("ipv6") => "2001:db8::1",
            Some("uuid") => "123e4567-e89b-12d3-a456-426614174000",
            _ => self.pick(&[
                "a",
                "Abc",
                "a-b",
                "1.0.0",
                "12",
                "abc/def",
                "arn:aws:s3:::a",
                "true",
            ]),
        };
        let least = map.get("minLength").and_then(Value::as_u64).unwrap_or(0);
        let mut text = text.to_owned();
        while (text.len() as u64) < least.min(300) {
            text.push('a');
        }
        text.into()
    }

    fn scalar(&mut self) -> Value {
        self.pick(&[json!("a"), json!(1), json!(true), Value::Null, json!(-0.5)])
    }

    /// Changes a part of a value: another type, another key, or less.
    fn change(&mut self, value: &mut Value) {
        let into = !self.one_in(3);
        match value {
            Value::Object(map) if !map.is_empty() => {
                let keys: Vec<String> = map.keys().cloned().collect();
                let key = self.pick(&keys);
                match self.below(4) {
                    0 => drop(map.shift_remove(&key)),
                    1 => drop(map.insert(key + " ", self.scalar())),
                    _ => self.change(&mut map[&key]),
                }
            }
            Value::Array(items) if into && !items.is_empty() => {
                let index = self.below(items.len());
                self.change(&mut items[index]);
            }
            Value::String(text) if into => text.push_str(" b"),
            value => *value = self.scalar(),
        }
    }
}
