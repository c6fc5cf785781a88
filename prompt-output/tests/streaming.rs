//! Parts of answers: a value that is reported as final does not change.

use prompt_output::Schema;
use serde_json::{Value, json};

fn list(item: &Value) -> Value {
    json!({"type": "array", "items": item})
}

fn integer() -> Value {
    json!({"type": "integer"})
}

fn integers() -> Value {
    list(&integer())
}

fn boolean() -> Value {
    json!({"type": "boolean"})
}

fn string() -> Value {
    json!({"type": "string"})
}

fn pay() -> Value {
    json!({"enum": ["pay", "pay_without_credit_card"]})
}

fn object(fields: &[(&str, Value)]) -> Value {
    let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    let properties: Value = fields
        .iter()
        .cloned()
        .map(|(name, ty)| (name.to_owned(), ty))
        .collect();
    json!({"type": "object", "properties": properties, "required": names})
}

/// The definition of an object type that variants of a union share.
fn shared() -> Value {
    json!({"P": object(&[("a", integer())])})
}

/// An object with the shared type and a field `on`.
fn shared_and(on: &Value) -> Value {
    json!({"type": "object", "properties": {"p": {"$ref": "#/$defs/P"}, "on": on}})
}

/// An object with a union and a field `is`.
fn outer(is: &Value) -> Value {
    json!({"type": "object", "properties": {"u": {"$ref": "#/$defs/U"}, "is": is}})
}

fn person() -> Value {
    object(&[("name", string()), ("age", integer())])
}

#[test]
fn a_value_that_can_change_is_not_final() {
    let cases = [
        (list(&integers()), "[[],[1,2]", ""),
        (pay(), "pay", ""),
        (integer(), "12", ""),
        (object(&[("a", integer())]), r#"{"a": 2,"#, "/a"),
        (person(), r#"{"name": "John""#, "/name"),
        (person(), r#"{"name": "she said "no","#, "/name"),
        (person(), "{'name': 'it', 'age': 1", "/name"),
        (list(&person()), r#"{"name": "John", "age": 1}"#, ""),
        (json!(true), "{\"a\": 5\u{feff}", "/a"),
        (json!(true), "{\"a\": \"b\", \"c", "/a"),
        (person(), "{\"more\": 5 ", "/more"),
        // A candidate before it does not settle another one, nor a value in a form.
        (
            json!({"anyOf": [integers(), integer()]}),
            "[\"x\", 1, 2]\nAnswer: 12",
            "",
        ),
        (
            list(&person()),
            "[{\"a\": 1}]\n```json\n[{'name': 'a', 'age': 1",
            "/0/age",
        ),
        (person(), "{\"age\"\u{feff}: 1, \"more\": \"b\"}s", "/more"),
        (
            json!({"anyOf": [{"additionalProperties": {"type": "string"}}, person()]}),
            "{\"on\": false, \"",
            "/on",
        ),
        // The second variant, which is the best one so far, shares a type with the first.
        (
            json!({"anyOf": [shared_and(&string()), shared_and(&boolean())], "$defs": shared()}),
            r#"{"p": {"a": 1}, "on": false, ""#,
            "/on",
        ),
        // The same within the union of another field.
        (
            json!({
                "anyOf": [outer(&string()), outer(&boolean())],
                "$defs": {"P": shared()["P"], "U": {"anyOf": [shared_and(&string()), shared_and(&boolean())]}},
            }),
            r#"{"is": true, "u": {"p": {"a": 1}, "on": false, ""#,
            "/u/on",
        ),
        (
            json!({"anyOf": [
                object(&[("name", string())]),
                {"type": "object", "additionalProperties": {"type": "string"}},
            ]}),
            r#"{"Name": "a", "#,
            "/Name",
        ),
    ];
    for (schema, answer, pointer) in cases {
        let schema = Schema::new(&schema).unwrap();
        if let Some(parsed) = schema.parse_partial(answer) {
            assert!(!parsed.is_final(pointer), "{answer}: {parsed:?}");
        }
    }
    let schema = Schema::new(&person()).unwrap();
    for answer in [r#"{"name": "John", "a"#, r#"Here: {"name": "John", "age""#] {
        assert!(
            schema.parse_partial(answer).unwrap().is_final("/name"),
            "{answer}"
        );
    }
}

/// Each value that is final in a part of a text is the same in the whole one.
#[test]
fn a_final_value_is_not_replaced_by_another_one() {
    let strings = || list(&string());
    let either = || json!({"anyOf": [integers(), string()]});
    let optional = || json!({"type": "object", "properties": {"name": string(), "age": integer()}});
    for (schema, text, is_read) in [
        (integers(), "[1, 2]... I mean [1, 2, 3]", false),
        (integers(), "[1, 2] is wrong. [1, 3]", false),
        (integers(), "Wait, [1, 2] is wrong. [1, 3]", false),
        (
            integers(),
            "```json\n[1, 2]\n```\nCorrection:\n```json\n[3]\n```",
            false,
        ),
        (integers(), "[1, 2] or [3, 4]", false),
        (integers(), "```json[1, 2]\n```\n```json\n[3]\n```", false),
        // All of it is one string.
        (either(), "\"[1, 2] or \\\"[3]\\\"\"", true),
        (either(), "```\n\"[1]\"\n```", true),
        // The second quote is the end of a string only as long as nothing follows.
        (
            json!({"type": "object", "properties": {"name": {"type": "string", "minLength": 9}}}),
            r#"{"name": "{\"k\": \"v"} it's"}"#,
            true,
        ),
        (optional(), r#"{"name": "a } b", "c": "d"}"}"#, true),
        (
            optional(),
            r#"{ \"name\": "on}e", {"name": "b", "age": 1}}"#,
            false,
        ),
        (strings(), "[\"a\", // \"b\"\nc\"d\"]", true),
        (strings(), "[\"a\", # one\n b]", false),
        (
            json!({"type": "object", "properties": {"a": integers(), "b": integer()}}),
            "{\"a\": [2,100], 'b': 3}",
            true,
        ),
        (
            json!({"type": "object", "properties": {"name": {}, "age": {}}}),
            r#"{"name": {"a": 1}, "age" /* years */: {"name": 1} more, "b"}"#,
            false,
        ),
        (
            list(&person()),
            r#"[{"Name": "a", "AGE": "1"}, {"name": "b", "age": "2", "Age": 2}, {"NAME": "c", "name": "d", "age": 3}]"#,
            true,
        ),
        (
            json!({"type": "array", "items": {"properties": {"age": {"type": ["string", "integer"]}}}}),
            r#"[{"Age": "1"}, {"age": "2"}]"#,
            true,
        ),
        (
            list(&person()),
            r#"[{"name": "a", "age": 1}, {"name": "b", "age":{"n\"x", "name": }, "age": 2}]"#,
            false,
        ),
    ] {
        let schema = Schema::new(&schema).unwrap();
        let whole = schema.parse_json(text);
        assert_eq!(whole.is_ok(), is_read, "{text}");
        let Ok(whole) = whole else {
            continue;
        };
        for (cut, _) in text.char_indices() {
            let Some(part) = schema.parse_partial(&text[..cut]) else {
                continue;
            };
            let mut pointers = vec![String::new()];
            while let Some(pointer) = pointers.pop() {
                let value = part.value.pointer(&pointer).unwrap();
                if part.is_final(&pointer) {
                    let then = whole.value.pointer(&pointer);
                    assert_eq!(then, Some(value), "{pointer} of {}", &text[..cut]);
                }
                let inner = |step: &dyn std::fmt::Display| format!("{pointer}/{step}");
                match value {
                    Value::Object(map) => pointers.extend(map.keys().map(|key| inner(key))),
                    Value::Array(items) => {
                        pointers.extend((0..items.len()).map(|index| inner(&index)));
                    }
                    _ => {}
                }
            }
        }
    }
}

#[test]
fn the_exact_name_of_a_field_may_still_follow_another_spelling() {
    let schema = Schema::new(&person()).unwrap();
    let is_final = |text| {
        schema
            .parse_partial(text)
            .is_some_and(|part| part.is_final("/age"))
    };
    assert!(!is_final(r#"{"AGE": 1, "name": "A", "#));
    assert!(is_final(r#"{"age": 1, "name": "A", "#));
}

/// The text as it is written does not fit, so that nothing but the repaired value can be the result.
#[test]
fn a_repaired_item_is_final_once_it_is_complete() {
    let severity = json!({"enum": ["low", "high"]});
    let bug = object(&[("line", integer()), ("severity", severity)]);
    let schema = Schema::new(&list(&bug)).unwrap();
    let is_final = |text: &str, pointer: &str| {
        schema
            .parse_partial(text)
            .is_some_and(|part| part.is_final(pointer))
    };
    for item in [
        r#"{"line": 4, "severity": "High"}"#,
        r#"{"line": "4", "severity": "high"}"#,
        r#"{"Line": 4, "severity": "high"}"#,
        r#"{"LINE": "4", "SEVERITY": "HIGH"}"#,
    ] {
        for (text, pointer) in [
            (format!("[{item}, "), "/0"),
            (
                format!(r#"[{{"line": 1, "severity": "low"}}, {item}, {{"line": 0.5"#),
                "/1",
            ),
        ] {
            assert!(is_final(&text, pointer), "{text}");
        }
    }
    assert!(!is_final(r#"[{"Line": 4, "severity": "High", "#, "/0/line"));
}

#[test]
fn a_part_of_a_text_that_is_refused_is_not_final() {
    let schema = Schema::new(&integers()).unwrap();
    let part = schema.parse_partial("[1, , 3]");
    assert!(part.is_none_or(|part| !part.is_final("") && !part.is_final("/1")));
}
