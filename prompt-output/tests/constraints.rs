//! The constraints of a schema that schemars can express: each is enforced, with its position.

#![allow(clippy::needless_pass_by_value, reason = "values are written in place")]

use prompt_output::Schema;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The schema, an answer that fits and its value, an answer that does not, and the issue's path and message.
type Case = (
    Value,
    &'static str,
    Value,
    &'static str,
    &'static str,
    &'static str,
);

#[test]
fn constraints_are_enforced_with_positions() {
    let field =
        |schema: Value| json!({"type": "object", "properties": {"a": schema}, "required": ["a"]});
    let cases: Vec<Case> = vec![
        (
            field(json!({"type": "string", "pattern": "^[A-Z]{3}-\\d+$"})),
            r#"{"a": "ABC-12"}"#,
            json!({"a": "ABC-12"}),
            r#"{"a": "abc"}"#,
            "/a",
            "`\"abc\"` does not match \"^[A-Z]{3}-\\d+$\"",
        ),
        (
            field(json!({"type": ["string", "null"], "pattern": "x"})),
            r#"{"a": null}"#,
            json!({"a": null}),
            r#"{"a": "y"}"#,
            "/a",
            "`\"y\"` does not match \"x\"",
        ),
        (
            field(json!({"type": "string", "minLength": 2, "maxLength": 3})),
            r#"{"a": "äöü"}"#,
            json!({"a": "äöü"}),
            r#"{"a": "a"}"#,
            "/a",
            "`\"a\"` is shorter than 2 characters",
        ),
        (
            field(json!({"type": "string", "format": "date"})),
            "{a: 2024-02-29}",
            json!({"a": "2024-02-29"}),
            r#"{"a": "29 February"}"#,
            "/a",
            "`\"29 February\"` is not a \"date\"",
        ),
        (
            field(json!({"type": "integer", "minimum": 0.5, "exclusiveMaximum": 10})),
            r#"{"a": 9}"#,
            json!({"a": 9}),
            r#"{"a": 10}"#,
            "/a",
            "`10` is not a whole number from 1 to 9",
        ),
        (
            field(json!({"type": "integer", "multipleOf": 5})),
            r#"{"a": "15"}"#,
            json!({"a": 15}),
            r#"{"a": 7}"#,
            "/a",
            "`7` is not a multiple of 5",
        ),
        (
            field(json!({"type": "number", "multipleOf": 0.1})),
            r#"{"a": 0.3}"#,
            json!({"a": 0.3}),
            r#"{"a": 0.25}"#,
            "/a",
            "`0.25` is not a multiple of 0.1",
        ),
        (
            field(json!({"type": "number", "exclusiveMinimum": 0, "minimum": 1})),
            r#"{"a": 1.0}"#,
            json!({"a": 1.0}),
            r#"{"a": 0.5}"#,
            "/a",
            "`0.5` is not a number of at least 1",
        ),
        (
            json!({"type": "array", "items": {"type": "integer"}, "minItems": 2}),
            "[1, 2]",
            json!([1, 2]),
            "[1]",
            "",
            "`[1]` has less than 2 items",
        ),
        (
            json!({"type": "array", "items": {"type": "integer"}, "uniqueItems": true}),
            "[1, 2]",
            json!([1, 2]),
            "[1, 2, '1']",
            "",
            "`[1, 2, '1']` has non-unique elements",
        ),
        (
            json!({"type": "object", "additionalProperties": {"type": "integer"}, "maxProperties": 1}),
            r#"{"a": 1}"#,
            json!({"a": 1}),
            r#"{"a": 1, "b": 2}"#,
            "",
            "`{\"a\": 1, \"b\": 2}` has more than 1 property",
        ),
        (
            json!({"type": "object", "patternProperties": {"^k\\d$": {"type": "integer"}}, "additionalProperties": false}),
            r#"{"k1": 1}"#,
            json!({"k1": 1}),
            r#"{"x": 1}"#,
            "",
            "Additional properties are not allowed ('x' was unexpected)",
        ),
        (
            json!({"type": "string", "maxLength": 5}),
            "hello",
            json!("hello"),
            "hello there",
            "",
            "`hello there` is longer than 5 characters",
        ),
        (
            json!({"const": "yes"}),
            "yes",
            json!("yes"),
            "maybe",
            "",
            "`maybe` is not `yes`",
        ),
    ];
    for (schema, right, value, wrong, path, message) in cases {
        let schema = Schema::new(&schema).unwrap();
        assert_eq!(
            schema
                .parse(right)
                .unwrap_or_else(|error| panic!("{right}: {error}"))
                .value,
            value
        );
        let error = schema.parse(wrong).map(|parsed| parsed.value).unwrap_err();
        let issue = &error.issues()[0];
        assert_eq!(
            (issue.path.as_str(), issue.message.as_str()),
            (path, message),
            "{wrong}"
        );
        assert!(!issue.range.is_empty(), "{wrong}: {issue:?}");
    }
}

#[test]
fn an_unsupported_pattern_is_an_error_of_the_schema() {
    for (pattern, supported) in [
        ("^[a-z]+$", true),
        (r"\d{2}\/\d{2}", true),
        (r"^(?!x)y", true),
        ("(", false),
    ] {
        let schema = Schema::new(&json!({"type": "string", "pattern": pattern}));
        assert_eq!(schema.is_ok(), supported, "{pattern}");
        if let Err(error) = schema {
            assert!(error.to_string().contains(pattern), "{error}");
        }
    }
}

/// A partial value is not rejected if later text can complete it.
#[test]
fn partial_values_may_grow_into_their_constraints() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string", "pattern": "^ab$", "minLength": 2}}});
    let schema = Schema::new(&schema).unwrap();
    assert_eq!(
        schema.parse_partial(r#"{"a": "a"#).unwrap().value,
        json!({"a": "a"})
    );
    // The whole answer is refused.
    assert_eq!(
        schema.parse_partial(r#"{"a": "ac", "#).unwrap().value,
        json!({"a": "ac"})
    );
}

#[test]
fn the_strict_level_accepts_no_repair() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": ["string", "null"]}}, "required": ["a", "b"]});
    let schema = Schema::new(&schema).unwrap();
    for right in [
        r#"{"a": 1, "b": null}"#,
        r#"{"a": 1, "b": null, "c": 1}"#,
        " {\"b\": \"x\",\n\"a\": 2} ",
        "```\n{\"a\": 1, \"b\": null}\n```",
        "<think>x</think>{\"a\": 1, \"b\": null}",
    ] {
        assert!(schema.parse_strict(right).is_ok(), "{right}");
    }
    for wrong in [
        r#"{"a": 1}"#,
        r#"{"a": "1", "b": null}"#,
        r#"{"a": 1, "b": null,}"#,
        "{'a': 1, 'b': null}",
        r#"{"a": 1, "b": null} Done."#,
        r#"{"A": 1, "b": null}"#,
        r#"{"a": 1, "b": null"#,
        r#"{"a": 1, "a": 1, "b": null}"#,
        r#"[{"a": 1, "b": null}]"#,
    ] {
        let error = schema
            .parse_strict(wrong)
            .map(|parsed| parsed.value)
            .unwrap_err();
        assert!(error.issues()[0].line > 0, "{wrong}");
    }
    let string = Schema::new(&json!({"type": "string"})).unwrap();
    assert_eq!(string.parse_strict(r#""a""#).unwrap().value, json!("a"));
    assert!(string.parse_strict("a").is_err());
    let integer = Schema::new(&json!({"type": "integer"})).unwrap();
    assert!(integer.parse_strict("7").is_ok() && integer.parse_strict("It is 7").is_err());
}

#[test]
fn a_number_of_more_than_64_bits_keeps_its_digits() {
    let ty = json!({"type": "object", "properties": {"a": {"type": "number"}}});
    let schema = Schema::new(&ty).unwrap();
    for text in [
        r#"{"a": 18446744073709551616}"#,
        r#"{"a": 1e400}"#,
        r#"{"a": 0.1000000000000000055511151231257827}"#,
    ] {
        for parse in [Schema::parse, Schema::parse_json, Schema::parse_strict] {
            let parsed = parse(&schema, text).unwrap();
            assert_eq!(parsed.json(), text);
            assert_eq!(parsed.repairs, []);
        }
    }
    let parsed = schema.parse(r#"{"a": 18446744073709551616}"#).unwrap();
    let long = parsed.deserialize::<BTreeMap<String, u128>>().unwrap();
    assert_eq!(long["a"], 18_446_744_073_709_551_616);
    assert!(parsed.deserialize::<BTreeMap<String, u64>>().is_err());
    // Whole numbers with a fraction beside it are converted too.
    let parsed = schema
        .parse(r#"{"a": 18446744073709551616, "b": 3.0, "c": -1e2}"#)
        .unwrap();
    let long = parsed.deserialize::<BTreeMap<String, i128>>().unwrap();
    assert_eq!(
        long.into_values().collect::<Vec<_>>(),
        [18_446_744_073_709_551_616, 3, -100]
    );
    let parsed = schema.parse(r#"{"a": 1e400}"#).unwrap();
    assert!(parsed.deserialize::<BTreeMap<String, f64>>().is_err());
    // The validator decides about the nearest float.
    for (constraint, message) in [
        (
            json!({"format": "uint64"}),
            "greater than the maximum of 18446744073709551615",
        ),
        (json!({"maximum": 5}), "greater than the maximum of 5"),
        (json!({"multipleOf": 7}), "not a multiple of 7"),
        (json!({"enum": [1, 2]}), "`18446744073709551616` is not "),
    ] {
        let mut schema = json!({"type": "integer"});
        schema
            .as_object_mut()
            .unwrap()
            .extend(constraint.as_object().unwrap().clone());
        let schema = Schema::new(&schema).unwrap();
        let error = schema.parse("18446744073709551616").unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }
}

/// A type with parts of all kinds beside a number of more than 64 bits.
#[derive(Debug, PartialEq, serde::Deserialize)]
struct Mixed {
    long: u128,
    float: f64,
    whole: u8,
    any: Value,
    optional: Option<Pair>,
    unit: Kind,
    kind: Kind,
    by_number: BTreeMap<u16, String>,
}

#[derive(Debug, PartialEq, serde::Deserialize)]
struct Pair(bool, char);

#[derive(Debug, PartialEq, serde::Deserialize)]
enum Kind {
    Unit,
    New(u128),
    Named { size: i8 },
}

#[test]
fn a_number_of_more_than_64_bits_is_never_rounded_without_a_type() {
    let schema = Schema::new(&json!({"type": "object"})).unwrap();
    let answer = r#"{"long": 18446744073709551616, "float": 18446744073709551616, "whole": 3.0, "any": {"a": [1e3, "\u00e9"]},
        "optional": [true, "é"], "unit": "Unit", "kind": {"New": 18446744073709551617}, "by_number": {"7": "x"},
        "ignored": [{"b": 18446744073709551618}]}"#;
    let read = |answer: &str| schema.parse(answer).unwrap().deserialize::<Mixed>();
    assert_eq!(
        read(answer).unwrap(),
        Mixed {
            long: 1 << 64,
            float: 2.0_f64.powi(64),
            whole: 3,
            any: json!({"a": [1e3, "é"]}),
            optional: Some(Pair(true, 'é')),
            unit: Kind::Unit,
            kind: Kind::New((1 << 64) + 1),
            by_number: BTreeMap::from([(7, "x".to_owned())]),
        }
    );
    for (part, other, message) in [
        (
            "1e3",
            "18446744073709551619",
            "`18446744073709551619` cannot be kept exactly without a type",
        ),
        (
            "1e3",
            "1e400",
            "`1e400` cannot be kept exactly without a type",
        ),
        (
            "[true, \"é\"]",
            "[true, \"é\", 1]",
            "`1` where the value ends",
        ),
        ("[true, \"é\"]", "[true]", "invalid length 1"),
        (
            "{\"New\": 18446744073709551617}",
            "{\"Named\": {\"size\": 300}}",
            "300",
        ),
        ("\"Unit\"", "\"Other\"", "unknown variant `Other`"),
        ("\"whole\": 3.0", "\"whole\": null", "null"),
    ] {
        let changed = answer.replacen(part, other, 1);
        assert_ne!(changed, answer);
        let error = read(&changed).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

/// The digits of a number are read as a whole, or the number is an error.
#[test]
fn a_whole_number_of_128_bits_is_read_to_its_end() {
    let schema = Schema::new(&json!({"type": "array"})).unwrap();
    for (number, whole) in [
        ("1e400", None),
        ("1e20", None),
        ("18446744073709551616.5", None),
        ("18446744073709551616e1", None),
        ("0.5", None),
        ("-1e400", None),
        ("340282366920938463463374607431768211456", None),
        ("1e3", Some(1000)),
        ("18446744073709551617", Some((1 << 64) + 1)),
    ] {
        let answer = format!("[18446744073709551616, {number}]");
        let parsed = schema.parse(&answer).unwrap();
        let signed = parsed.deserialize::<Vec<i128>>().ok();
        assert_eq!(signed, whole.map(|whole| vec![1 << 64, whole]), "{number}");
        let unsigned = parsed.deserialize::<Vec<u128>>().ok();
        let expected = whole.map(|whole| vec![1 << 64, whole.unsigned_abs()]);
        assert_eq!(unsigned, expected, "{number}");
    }
    let parsed = schema.parse("[18446744073709551616, -0.0, 3.0]").unwrap();
    let floats = parsed.deserialize::<(u128, f64, f32)>().unwrap();
    assert_eq!(
        (floats.1.to_bits(), floats.2.to_bits()),
        ((-0.0_f64).to_bits(), 3.0_f32.to_bits())
    );
    // Floats are the nearest ones, as without a long number beside them.
    for digits in 1..200_u64 {
        let digits = format!(
            "{}.{}e-{digits}",
            digits % 10,
            digits.wrapping_mul(0x9E37_79B9_7F4A_7C15)
        );
        let answer = format!("[18446744073709551616, {digits}]");
        let (_, float) = schema
            .parse(&answer)
            .unwrap()
            .deserialize::<(f64, f64)>()
            .unwrap();
        assert_eq!(Ok(float), digits.parse());
    }
    // A type that reads nothing leaves the whole text.
    assert!(parsed.deserialize::<ReadsNothing>().is_err());
}

#[derive(Debug)]
struct ReadsNothing;

impl<'de> serde::Deserialize<'de> for ReadsNothing {
    fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<ReadsNothing, D::Error> {
        Ok(ReadsNothing)
    }
}

/// A type whose parts serde reads as values of any type first.
#[derive(Debug, PartialEq, serde::Deserialize)]
struct Buffered {
    long: u128,
    #[serde(flatten)]
    flattened: Flattened,
}

#[derive(Debug, PartialEq, serde::Deserialize)]
struct Flattened {
    whole: u8,
    untagged: Untagged,
    tagged: Tagged,
}

#[derive(Debug, PartialEq, serde::Deserialize)]
#[serde(untagged)]
enum Untagged {
    Whole(i16),
    Float(f64),
    Text(String),
}

#[derive(Debug, PartialEq, serde::Deserialize)]
#[serde(tag = "kind")]
enum Tagged {
    Sized { size: u8 },
}

/// The same with and without a long number beside them.
#[test]
fn whole_numbers_with_a_fraction_are_converted_in_all_types() {
    let schema = Schema::new(&json!({"type": "object"})).unwrap();
    for (whole, untagged, size) in [
        ("3", "2.0", "4"),
        ("3.0", "-2.0", "4"),
        ("3", "2", "4.0"),
        ("3.0", "2.5", "4e0"),
        ("3.5", "2", "4"),
        ("3", "\"2.0\"", "400.0"),
        ("-1.0", "2", "4"),
    ] {
        let read = |long: &str| {
            let answer = format!(
                r#"{{"long": {long}, "whole": {whole}, "untagged": {untagged}, "tagged": {{"kind": "Sized", "size": {size}}}}}"#
            );
            let read = schema.parse(&answer).unwrap().deserialize::<Buffered>();
            read.ok().map(|read| read.flattened)
        };
        assert_eq!(
            read("18446744073709551616"),
            read("1"),
            "{whole} {untagged} {size}"
        );
    }
    let text = r#"{"long": 18446744073709551616, "whole": 3.0, "untagged": 2.5, "tagged": {"kind": "Sized", "size": 4.0}}"#;
    let read = schema.parse(text).unwrap().deserialize::<Buffered>();
    assert_eq!(
        read.unwrap(),
        Buffered {
            long: 1 << 64,
            flattened: Flattened {
                whole: 3,
                untagged: Untagged::Float(2.5),
                tagged: Tagged::Sized { size: 4 },
            },
        }
    );
    // A number that exceeds 64 bits is not kept there.
    let text = text.replace("2.5", "18446744073709551617");
    let read = schema.parse(&text).unwrap().deserialize::<Buffered>();
    let error = read.unwrap_err().to_string();
    assert!(error.contains("exactly without a type"), "{error}");
}
