//! What public schemas showed: correct JSON is unchanged, a repair never changes content, and the strict level has no repairs.

use prompt_output::Schema;
use serde_json::{Value, json};

/// A schema, an answer, and what each level returns; `None` is an error.
type Case = (Value, &'static str, Option<Value>, Option<Value>);

fn check(cases: Vec<Case>) {
    for (schema, answer, tolerant, strict) in cases {
        let compiled = Schema::new(&schema).unwrap();
        let value =
            |parsed: Result<prompt_output::Parsed, _>| parsed.ok().map(|parsed| parsed.value);
        assert_eq!(
            value(compiled.parse(answer)),
            tolerant,
            "{answer} as {schema}"
        );
        assert_eq!(
            value(compiled.parse_json(answer)),
            tolerant,
            "{answer} as {schema}"
        );
        assert_eq!(
            value(compiled.parse_strict(answer)),
            strict,
            "strictly {answer} as {schema}"
        );
        let json: Result<Value, _> = serde_json::from_str(answer);
        if let (Some(part), Some(strict)) = (compiled.parse_partial(answer), strict) {
            assert_eq!(part.value, strict, "the end of {answer} as {schema}");
            assert_eq!(json.unwrap(), strict);
        }
    }
}

#[test]
fn valid_json_is_unchanged() {
    let object = |properties: Value| json!({"type": "object", "properties": properties});
    let unchanged = |schema: Value, answer: &'static str| {
        let value: Value = serde_json::from_str(answer).unwrap();
        (schema, answer, Some(value.clone()), Some(value))
    };
    let feature = json!({"type": "object", "required": ["type", "geometry", "properties"], "properties": {
        "type": {"const": "Feature"}, "geometry": {"type": ["object", "null"]}, "properties": {"type": ["object", "null"]}}});
    let collection = json!({"type": "object", "required": ["type", "features"], "properties": {
        "type": {"const": "FeatureCollection"}, "features": {"type": "array"}}});
    check(vec![
        unchanged(
            json!({"anyOf": [{"enum": ["true", "false"]}, {"type": "boolean"}]}),
            "true",
        ),
        unchanged(
            object(
                json!({"payload": object(json!({"Domain": object(json!({"on": {"type": "boolean"}}))}))}),
            ),
            r#"{"payload": {"com.example": {"on": true}}}"#,
        ),
        unchanged(
            object(json!({"box": object(json!({"inner": {"type": "object"}}))})),
            r#"{"box": {"width": 3}}"#,
        ),
        unchanged(json!({"properties": {}}), r#"{"coverage": {}}"#),
        unchanged(
            json!({"type": ["object", "array"], "allOf": [{"properties": {}}]}),
            r#"{"x": []}"#,
        ),
        unchanged(
            json!({"anyOf": [object(json!({})), object(json!({"port": {"type": "string"}}))]}),
            r#"{"port": 8080}"#,
        ),
        unchanged(
            json!({"oneOf": [feature, collection]}),
            r#"{"type": "FeatureCollection", "features": []}"#,
        ),
        unchanged(
            json!({"type": "object", "properties": {"name": {"type": "string"}}, "additionalProperties": true}),
            r#"{"Name ": "x"}"#,
        ),
        unchanged(
            object(json!({"a": {"type": "integer"}})),
            r#"{"a": 1, "b": 2}"#,
        ),
        unchanged(object(json!({"a": {"type": "integer"}})), r#"{"b": 2}"#),
        unchanged(
            json!({"type": "integer", "anyOf": [{"maximum": 2}, {"minimum": 8}]}),
            "9",
        ),
        unchanged(
            json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name", "id"]}),
            r#"{"name": "a", "id": 7}"#,
        ),
        unchanged(
            json!({"type": "object", "patternProperties": {"^x_": {"type": "integer"}}}),
            r#"{"x_a": 1, "y": 2}"#,
        ),
        unchanged(
            json!({"prefixItems": [{"type": "integer"}, {"type": "string"}]}),
            "[1]",
        ),
        unchanged(
            json!({"prefixItems": [{"type": "integer"}], "items": {"type": "string"}}),
            r#"[1, "a", "b"]"#,
        ),
        unchanged(json!({"const": 1}), "1.0"),
        unchanged(
            json!({"$defs": {"a": {"$anchor": "here", "type": "integer"}}, "$ref": "#here"}),
            "3",
        ),
        unchanged(
            json!({"$defs": {"a%b": {"type": "integer"}}, "$ref": "#/$defs/a%25b"}),
            "3",
        ),
        unchanged(json!({"maximum": 3}), "2.5"),
        unchanged(json!({"type": "string"}), r#""a \"b\"""#),
        unchanged(json!({"type": "number"}), "1.50"),
    ]);
}

#[test]
fn reasoning_white_space_and_one_fence_are_removed_from_correct_json() {
    let compile = |schema: Value| Schema::new(&schema).unwrap();
    let object = compile(json!({"type": "object", "properties": {"a": {"type": "integer"}}}));
    let string = compile(json!({"type": "string"}));
    let number = compile(json!({"type": "number"}));
    for (schema, answer, value) in [
        (
            &object,
            " \n{\"a\": 1, \"b\": 2}\n",
            json!({"a": 1, "b": 2}),
        ),
        (&object, "```json\n{\"a\": 1}\n```", json!({"a": 1})),
        // As in Markdown, a fence that is not closed ends with the text.
        (&object, "```json\n{\"a\": 1}", json!({"a": 1})),
        (&object, "~~~\n{\"a\": 1}\n~~~\n", json!({"a": 1})),
        (
            &object,
            "<think>{}</think>\n\n```\n{\"a\": 1}\n```",
            json!({"a": 1}),
        ),
        (&object, "so one.</think>{\"a\": 1}", json!({"a": 1})),
        (&object, "{\"t\": \"</think>\"}", json!({"t": "</think>"})),
        (
            &object,
            "{\"t\": \"```\\n{}\\n```\"}",
            json!({"t": "```\n{}\n```"}),
        ),
        (&string, "\"a</think>b\"", json!("a</think>b")),
        (&string, "```\n\"a\\nb\"\n```", json!("a\nb")),
        (&number, "<think>4</think>5.0", json!(5.0)),
        (&number, "```\n5\n```", json!(5)),
    ] {
        for read in [Schema::parse, Schema::parse_json, Schema::parse_strict] {
            let parsed = read(schema, answer).unwrap();
            assert_eq!(parsed.value, value, "{answer}");
        }
        let part = schema.parse_partial(answer);
        if let Some(part) = part.filter(|_| !value.is_number()) {
            assert_eq!(part.value, value, "the end of {answer}");
        }
    }
    for answer in [
        "```json\n{\"a\": 1,}\n```",
        "```json\n{\"a\": \"1\"}\n```",
        "```json\n{\"a\": 1, \"a\": 1}\n```",
        "Here:\n```json\n{\"a\": 1}\n```",
        "```json\n{\"a\": 1}\n```\nDone.",
        "```json\n{\"a\": 1}\n```\n```json\n{\"a\": 1}\n```",
        "{\"a\": 1} {\"a\": 1}",
        "<think>1</think>a: 1",
        "<think>{\"a\": 1}",
    ] {
        let error = object.parse_strict(answer);
        assert!(error.is_err(), "{answer} is {error:?}");
    }
    let error = object.parse_strict("```json\n{'a': 1}\n```").unwrap_err();
    let messages: Vec<&str> = error.issues().iter().map(|issue| &*issue.message).collect();
    assert_eq!(
        messages,
        ["the answer needs a repair: quotes other than `\"`"]
    );
}

#[test]
fn a_value_of_another_type_is_a_repair() {
    check(vec![
        (json!({"enum": ["1", "2"]}), "1", Some(json!("1")), None),
        (json!({"type": "string"}), "1", Some(json!("1")), None),
        (json!({"type": "string"}), "true", Some(json!("true")), None),
        (json!({"type": "string"}), "{}", Some(json!("{}")), None),
        (json!({"type": "integer"}), "\"5\"", Some(json!(5)), None),
        (
            json!({"type": "array", "items": {"type": "string"}}),
            "[1]",
            Some(json!(["1"])),
            None,
        ),
        (
            json!({"type": "array", "items": {"type": "object"}}),
            "{\"a\": 1}",
            Some(json!([{"a": 1}])),
            None,
        ),
    ]);
}

#[test]
fn a_value_that_breaks_the_schema_is_refused() {
    let field =
        |schema: Value| json!({"type": "object", "properties": {"a": schema}, "required": ["a"]});
    let refused = |schema: Value, answer: &'static str| (schema, answer, None, None);
    let kind = |kind: &str, mode: &str| json!({"properties": {"kind": {"const": kind}, "mode": {"const": mode}}});
    check(vec![
        refused(json!({"type": "object", "required": ["id"]}), "{}"),
        refused(field(json!({"minLength": 3})), r#"{"a": "ab"}"#),
        refused(json!({"minItems": 2}), "[1]"),
        refused(json!({"uniqueItems": true}), "[1, 1]"),
        refused(field(json!({"pattern": "^a"})), r#"{"a": "b"}"#),
        refused(json!({"minProperties": 1}), "{}"),
        refused(json!({"propertyNames": {"maxLength": 3}}), r#"{"abcd": 1}"#),
        refused(
            field(json!({"type": "string", "oneOf": [{"maxLength": 2}, {"minLength": 4}]})),
            r#"{"a": "abc"}"#,
        ),
        refused(
            json!({"type": "object", "oneOf": [kind("a", "x"), kind("b", "y")]}),
            r#"{"kind": "a", "mode": "y"}"#,
        ),
        refused(
            json!({"properties": {"a": {"type": "string"}}, "allOf": [{"properties": {"a": {"minLength": 3}}}]}),
            r#"{"a": "x"}"#,
        ),
        refused(
            json!({"type": "object", "properties": {"foo": {"type": "array"}}, "patternProperties": {"^f": {"minItems": 2}}}),
            r#"{"foo": []}"#,
        ),
        refused(
            field(json!({"allOf": [{"type": "string"}, false]})),
            r#"{"a": "x"}"#,
        ),
        refused(
            json!({"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 2}]}),
            "3",
        ),
        refused(json!({"type": "number", "multipleOf": 1}), "1643723400.5"),
        refused(
            json!({"type": "array", "prefixItems": [{"type": "boolean"}, {"type": "boolean"}], "uniqueItems": true}),
            "[true, true]",
        ),
        refused(
            field(json!({"type": "integer", "enum": ["A", 1]})),
            r#"{"a": "A"}"#,
        ),
        refused(
            json!({"type": "object", "properties": {"kind": {"type": "string"}, "size": {"type": "integer"}},
                "if": {"properties": {"kind": {"const": "box"}}}, "then": {"required": ["size"]}}),
            r#"{"kind": "box"}"#,
        ),
        refused(json!({"not": {"required": ["a"]}}), r#"{"a": 1}"#),
        refused(json!({"contains": {"type": "string"}}), "[1]"),
        refused(json!({"dependentRequired": {"a": ["b"]}}), r#"{"a": 1}"#),
        refused(
            json!({"properties": {"a": true}, "unevaluatedProperties": false}),
            r#"{"b": 1}"#,
        ),
        refused(field(json!({"format": "uri"})), r#"{"a": "not a uri"}"#),
        refused(
            field(json!({"format": "date-time"})),
            r#"{"a": "2024-01-01 10:00:00"}"#,
        ),
    ]);
}

#[test]
fn numbers_keep_their_sign_scale_and_limit() {
    let schema = Schema::new(
        &json!({"type": "object", "properties": {"v": {"type": "number"}}, "required": ["v"]}),
    )
    .unwrap();
    for text in [
        "(5)",
        "(1,200)",
        "($1,200)",
        "$(5)",
        "– 5",
        "— 5",
        "⁻5",
        "5−",
        "neg 5",
        "minus 5",
        "5-",
        "(5) million",
        "5 M",
        "5 B",
        "5 b",
        "5 mm",
        "5 thou",
        "5 tsd",
        "5 万",
        "5 thousandths",
        "5 tenths",
        "5‰",
        "5 percent",
        "5 per cent",
        "5 bps",
        "5 ppm",
        "5 pp",
        "7¢",
        "75 cents",
        "> 3",
        "> $3",
        "=> 3",
        "± 3",
        "4/5 stars",
        "5%",
    ] {
        for answer in [
            format!(r#"{{"v": "{text}"}}"#),
            format!("{{\"v\": {text}}}"),
        ] {
            assert!(schema.parse(&answer).is_err(), "{answer}");
        }
    }
    for (text, number) in [
        ("-5", -5.0),
        ("−5", -5.0),
        ("1,200", 1200.0),
        ("$1,234.50", 1234.5),
        ("1e3", 1000.0),
    ] {
        let value = schema
            .parse(&format!(r#"{{"v": "{text}"}}"#))
            .unwrap()
            .value;
        assert_eq!(value["v"].as_f64(), Some(number), "{text}");
    }
}

#[test]
fn a_string_with_partly_invalid_escapes_is_kept_as_it_is_written() {
    let schema =
        Schema::new(&json!({"type": "object", "properties": {"p": {"type": "string"}}})).unwrap();
    for text in [
        r"C:\Users\bob\report.txt",
        r"C:\Users\dev\new",
        r"\\server\share\new",
        r"\ud83d",
        r"\alpha + \frac{1}{2}",
    ] {
        let value = schema
            .parse(&format!(r#"{{"p": "{text}"}}"#))
            .unwrap()
            .value;
        assert_eq!(value, json!({"p": text}));
    }
}

#[test]
fn text_that_a_repair_would_lose_is_an_error() {
    let open = Schema::new(&json!(true)).unwrap();
    let optional =
        Schema::new(&json!({"type": "object", "properties": {"name": {"type": "string"}}}));
    for schema in [&open, &optional.unwrap()] {
        for answer in [
            "{\"name:Ann}",
            "{\"a\": 1, \"name: Ann}",
            "{\"a\": {\"b\": 1 # one }, \"name\": \"Ann\"}",
            "{\"a\": {\"b\": 1 // one }, \"name\": \"Ann\"}",
        ] {
            let parsed = schema.parse(answer);
            assert!(parsed.is_err(), "{answer} is {parsed:?}");
        }
    }
}

#[test]
fn untyped_words_have_one_meaning_each() {
    let schema = Schema::new(&json!(true)).unwrap();
    let parsed = schema
        .parse("{a: .25, b: 82_461_110, c: TRUE, d: Null, e: 2024-01-05,}")
        .unwrap();
    assert_eq!(
        parsed.value,
        json!({"a": 0.25, "b": 82_461_110, "c": true, "d": null, "e": "2024-01-05"})
    );
    assert!(parsed.repairs.len() >= 10, "{:?}", parsed.repairs);
}
