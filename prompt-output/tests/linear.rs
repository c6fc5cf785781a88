//! Schemas and answers are read in time that grows with their length.

use prompt_output::Schema;
use serde_json::{Value, json};

#[test]
fn large_schemas_take_linear_time() {
    assert_linear("fields", 30, |size| {
        let field = |at: usize| (format!("f{at}"), serde_json::json!({"type": "integer"}));
        let properties: serde_json::Map<_, _> = (0..size).map(field).collect();
        let required: Vec<_> = properties.keys().cloned().collect();
        let schema = Schema::new(
            &serde_json::json!({"type": "object", "properties": properties, "required": required}),
        )
        .unwrap();
        let entry = |at: usize| format!("F{at}: '{at}'");
        let answer: Vec<_> = (0..size).map(entry).collect();
        let answer = format!("{{{}}}", answer.join(",\n"));
        assert!(schema.parse(&answer).is_ok());
        let _ = schema.parse(&answer[..answer.len() / 2]);
        let _ = schema.parse_partial(&answer[..answer.len() / 2]);
    });
    assert_linear("variants", 30, |size| {
        let variant = |at: usize| serde_json::json!({"type": "object", "properties": {"kind": {"const": format!("k{at}")}, "v": {"type": "integer"}}, "required": ["kind", "v"]});
        let variants: Vec<_> = (0..size).map(variant).collect();
        let schema = Schema::new(&serde_json::json!({"oneOf": variants})).unwrap();
        assert!(schema.parse("{kind: 'k1', v: '7'}").is_ok());
        let _ = schema.parse("{kind: 'kx', v: '7'}");
    });
    assert_linear("choices", 50, |size| {
        let choices: Vec<_> = (0..size).map(|at| format!("choice {at}")).collect();
        let schema = Schema::new(&serde_json::json!({"enum": choices})).unwrap();
        let _ = schema.parse("It is Choice 3.");
        let _ = schema.parse("nothing");
    });
}

#[test]
fn deep_schemas_take_linear_time() {
    type Shell = fn(Value) -> Value;
    // `json!` copies its values.
    fn object<const N: usize>(entries: [(&str, Value); N]) -> Value {
        entries.into_iter().collect()
    }
    let shells: [(&str, Shell); 6] = [
        ("items", |inner| object([("items", inner)])),
        ("anyOf", |inner| {
            object([("anyOf", vec![inner, json!({"type": "null"})].into())])
        }),
        ("anyOf with properties", |inner| {
            let properties = ("properties", json!({"b": true}));
            object([("anyOf", vec![inner].into()), properties])
        }),
        ("allOf", |inner| {
            object([("allOf", vec![inner, json!({"type": "object"})].into())])
        }),
        ("allOf in properties", |inner| {
            let part = object([("properties", object([("a", inner)]))]);
            object([("allOf", vec![part].into())])
        }),
        ("$ref beside properties", |inner| {
            let properties = ("properties", object([("a", inner)]));
            object([("$ref", "#/$defs/x".into()), properties])
        }),
    ];
    for (name, shell) in shells {
        assert_linear(name, 20, |depth| {
            let mut schema = json!({"type": "integer"});
            for _ in 0..depth {
                schema = shell(schema);
            }
            schema["$defs"] = json!({"x": {"type": "object"}});
            drop(Schema::new(&schema));
        });
    }
    assert_linear("a chain of $ref", 50, |depth| {
        let link = |at: usize| {
            (
                format!("n{at}"),
                json!({"$ref": format!("#/$defs/n{}", at + 1), "title": "a"}),
            )
        };
        let links: serde_json::Map<_, _> = (0..depth).map(link).collect();
        drop(Schema::new(&json!({"$ref": "#/$defs/n0", "$defs": links})));
    });
    // References back and forth do not multiply.
    let both = |next: usize| json!({"allOf": [{"$ref": format!("#/$defs/n{next}")}, {"$ref": format!("#/$defs/n{next}"), "title": "a"}]});
    let links: serde_json::Map<_, _> = (0..100)
        .map(|at| (format!("n{at}"), both((at + 1) % 100)))
        .collect();
    assert!(Schema::new(&json!({"$ref": "#/$defs/n0", "$defs": links})).is_ok());
}

#[test]
fn long_answers_take_linear_time() {
    let number = Schema::new(&json!({"type": "integer"})).unwrap();
    assert_linear("42 of ", 2000, |size| {
        drop(number.parse(&"42 of ".repeat(size)));
    });
    let schema = Schema::new(&json!({"enum": ["red", "positive"]})).unwrap();
    for unit in ["not positive and ", "red-ish ", "{a} ", "\"red\" "] {
        assert_linear(unit, 200, |count| drop(schema.parse(&unit.repeat(count))));
    }
}

#[test]
fn a_list_of_too_many_objects_is_not_shortened() {
    let schema = Schema::new(&json!({"type": "array", "items": {"type": "object"}})).unwrap();
    let error = schema.parse(&"{\"a\": 1}\n".repeat(60_000)).unwrap_err();
    assert!(error.to_string().contains("too many values"), "{error}");
}

/// One large piece of work may take a few times as long as twenty small ones, because of caches and other work on the machine; work
/// that grows with the square would take twenty times as long.
fn assert_linear(name: &str, size: usize, work: impl Fn(usize)) {
    let best = |pieces: usize, size: usize| {
        let times = (0..3).map(|_| {
            let start = std::time::Instant::now();
            (0..pieces).for_each(|_| work(size));
            start.elapsed()
        });
        times.min().unwrap_or_default()
    };
    let mut measured = String::new();
    for _ in 0..4 {
        // Both take about the same time, so that other work on the machine slows both equally.
        let small = best(20, size).max(std::time::Duration::from_millis(1));
        let large = best(1, 20 * size);
        if large < small * 7 {
            return;
        }
        measured = format!("{small:?} for {size} twenty times, {large:?} for as much in one");
    }
    panic!("{name}: {measured}");
}

/// A recursive union accepts the values of its other variants.
#[test]
fn a_type_that_is_its_own_member_is_an_error() {
    let itself = json!({"$ref": "#/$defs/a"});
    for a in [
        json!({"anyOf": [itself, {"type": "integer"}]}),
        json!({"anyOf": [{"anyOf": [itself, {"type": "null"}]}, {"type": "integer"}]}),
        json!({"anyOf": [itself, itself]}),
        itself.clone(),
    ] {
        let schema = json!({"$ref": "#/$defs/a", "$defs": {"a": a}});
        let error = Schema::new(&schema).unwrap_err();
        assert!(
            error.to_string().contains("refers to itself"),
            "{a}: {error}"
        );
    }
    let list = json!({"anyOf": [{"type": "array", "items": itself}, {"type": "integer"}]});
    let schema = Schema::new(&json!({"$ref": "#/$defs/a", "$defs": {"a": list}})).unwrap();
    assert_eq!(schema.parse("[[1], 2]").unwrap().value, json!([[1], 2]));
}
