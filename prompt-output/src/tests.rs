//! Properties that hold for every answer.

mod samples;

use crate::{Ending, Parsed, Schema};
use proptest::prelude::*;
use samples::{
    Cell, Figure, Mood, Person, Surroundings, Table, Tree, any_json, corrupt, corruptions, person,
    surroundings_of, table, tool,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

fn schema<T: JsonSchema>() -> Schema {
    Schema::new(schemars::schema_for!(T).as_value()).expect("schemars writes schemas")
}

/// Whether a value may be the partial value of another.
fn is_prefix(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::String(part), Value::String(whole)) => whole.starts_with(part.as_str()),
        (Value::Array(part), Value::Array(whole)) => {
            part.len() <= whole.len() && part.iter().zip(whole).all(|(p, w)| is_prefix(p, w))
        }
        (Value::Object(part), Value::Object(whole)) => part
            .iter()
            .all(|(key, part)| whole.get(key).is_some_and(|whole| is_prefix(part, whole))),
        (part, whole) => part == whole,
    }
}

/// The paths of all values.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(i, v)| pointers(v, &format!("{at}/{i}"), found));
        }
        Value::Object(map) => map.iter().for_each(|(key, v)| {
            let key = key.replace('~', "~0").replace('/', "~1");
            pointers(v, &format!("{at}/{key}"), found);
        }),
        _ => {}
    }
}

fn check_ranges(answer: &str, parsed: &Parsed) {
    for repair in &parsed.repairs {
        assert!(answer.get(repair.range.clone()).is_some(), "{repair:?}");
        assert!(repair.line > 0 && repair.column > 0 && !repair.to_string().is_empty());
    }
}

/// Reads an answer: no panic, and the result is a `T`.
fn survive<T: DeserializeOwned>(schema: &Schema, answer: &str) {
    match schema.parse(answer) {
        Ok(parsed) => {
            check_ranges(answer, &parsed);
            let value = parsed.value.to_string();
            if let Err(error) = serde_json::from_value::<T>(parsed.value) {
                panic!("{value} from {answer:?}: {error}");
            }
        }
        Err(error) => {
            assert!(!error.issues().is_empty());
            assert!(!format!("{error} {error:#}").is_empty());
            for issue in error.issues() {
                assert!(answer.get(issue.range.clone()).is_some(), "{issue:?}");
            }
        }
    }
    if let Some(parsed) = schema.parse_partial(answer) {
        check_ranges(answer, &parsed);
    }
}

/// Schemas that much JSON fits in one way or another.
fn schemas() -> Vec<Schema> {
    let field = |ty: Value| json!({"type": "object", "properties": {"a": ty, "_B": true, "c": {"type": ["null", "string"]}}, "required": ["c"]});
    let types = [
        json!({"type": "object", "additionalProperties": true}),
        json!({"type": "object", "additionalProperties": {"type": ["string", "number", "boolean", "null"]}}),
        json!({"type": "array", "items": {"type": ["integer", "string", "array"]}, "maxItems": 2}),
        json!({"type": "array", "items": field(true.into())}),
        field(json!({"enum": ["a", 1, true, "null", " "]})),
        field(json!({"type": "string", "minLength": 2})),
        json!({"anyOf": [field(json!({"type": "number", "minimum": 0.5})), field(json!({"$ref": "#"})), {"type": "array", "items": {"$ref": "#"}}]}),
        json!({"type": "object", "patternProperties": {r"^-?\d+$": {"type": "integer"}}, "properties": {"a": {"type": "integer"}}}),
        json!({"prefixItems": [{"type": "integer"}, {"type": "string"}]}),
    ];
    types
        .iter()
        .map(|ty| Schema::new(ty).expect("a schema"))
        .collect()
}

/// A complete answer returns its value. Truncated anywhere, it returns a part of the value, and values reported as final do not change.
fn whole_and_cut<T>(
    value: &T,
    surroundings_of: Surroundings,
    cut: prop::sample::Index,
) -> Result<(), TestCaseError>
where
    T: Serialize + DeserializeOwned + JsonSchema + PartialEq + std::fmt::Debug,
{
    let schema = schema::<T>();
    let answer = surroundings_of.around(value);
    let wanted = serde_json::to_value(value).expect("test types can be written");

    let parsed = match schema.parse(&answer) {
        Ok(parsed) => parsed,
        Err(error) => panic!("{answer}\n{error:#}"),
    };
    prop_assert_eq!(&parsed.value, &wanted, "{}", answer);
    prop_assert_eq!(
        &serde_json::from_value::<T>(parsed.value).expect("it fits"),
        value
    );

    let mut at = cut.index(answer.len() + 1);
    while !answer.is_char_boundary(at) {
        at -= 1;
    }
    cut_off(&schema, &answer[..at], &wanted)
}

/// A truncated answer returns a part of its value.
fn cut_off(schema: &Schema, part: &str, wanted: &Value) -> Result<(), TestCaseError> {
    if let Some(parsed) = schema.parse_partial(part) {
        let value = &parsed.value;
        prop_assert!(is_prefix(value, wanted), "{value} of {part}");
        let mut all = Vec::new();
        pointers(value, "", &mut all);
        for pointer in all.iter().filter(|pointer| parsed.is_final(pointer)) {
            prop_assert_eq!(
                value.pointer(pointer),
                wanted.pointer(pointer),
                "{} of {}",
                pointer,
                part
            );
        }
    }
    match schema.parse(part) {
        Ok(parsed) if parsed.ending == Ending::Whole => prop_assert_eq!(&parsed.value, wanted),
        Ok(parsed) if parsed.ending == Ending::Unclosed => {
            prop_assert!(
                is_prefix(&parsed.value, wanted),
                "{} of {part}",
                parsed.value
            );
        }
        _ => {}
    }
    Ok(())
}

#[test]
fn common_slips_are_repaired() {
    let schema = schema::<Tree>();
    for answer in [
        "{'value': 1, 'children': []}",
        "{value: 1, children: []}",
        "Sure:\n```json\n{\"value\": 1, // one\n\"children\": [],}\n```\nDone!",
        "{\"value\": \"1,000\", \"children\": [{\"value\": 2, \"children\": [],},],}",
        "{\"value\": 1 \"children\": [],, /* none */}",
        "{\"value\": +1, \"note\": 'it\\'s\n\"one\"', \"children\": []}",
    ] {
        let parsed = schema
            .parse(answer)
            .unwrap_or_else(|error| panic!("{error:#}"));
        assert!(
            parsed.value["value"] == 1 || parsed.value["value"] == 1000,
            "{answer}"
        );
    }
}

/// Texts that make every lookahead long. Reading them must not take quadratic time.
#[test]
fn texts_with_long_lookaheads_take_linear_time() {
    let schema = schema::<Person>();
    for unit in [
        "{\"a\": 1, b ",
        "{\"a\":1,",
        "{,",
        "{\"a\":}",
        "['a' b ",
        "[\"\"\"",
        "{\\\"",
        "{a\n\n\n",
        "{\"a\": \"/* ",
        "```json\n{}\n```\n",
        "[1]\n \n \n",
    ] {
        let text = unit.repeat(100_000 / unit.len());
        let begun = Instant::now();
        survive::<Person>(&schema, &text);
        assert!(begun.elapsed() < Duration::from_secs(60), "{unit}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_person_whole_and_cut(value in person(), surroundings_of in surroundings_of(), cut: prop::sample::Index) {
        whole_and_cut(&value, surroundings_of, cut)?;
    }

    #[test]
    fn people_whole_and_cut(value in prop::collection::vec(person(), 1..3), surroundings_of in surroundings_of(), cut: prop::sample::Index) {
        whole_and_cut(&value, surroundings_of, cut)?;
    }

    #[test]
    fn a_table_whole_and_cut(value in table(), surroundings_of in surroundings_of(), cut: prop::sample::Index) {
        whole_and_cut(&value, surroundings_of, cut)?;
    }

    #[test]
    fn a_tool_whole_and_cut(value in tool(), surroundings_of in surroundings_of(), cut: prop::sample::Index) {
        whole_and_cut(&value, surroundings_of, cut)?;
    }

    /// Correct JSON is read as JSON, whatever its strings contain.
    #[test]
    fn json_is_json(value in any_json(), pretty: bool) {
        let surroundings_of = Surroundings { pretty, before: "", after: "" };
        let schema = Schema::new(&Value::Bool(true)).expect("true is a schema");
        let answer = surroundings_of.around(&value);
        let parsed = schema.parse(&answer).expect("it is JSON");
        prop_assert_eq!(parsed.value, value);
        prop_assert!(parsed.repairs.is_empty());
    }

    #[test]
    fn a_person_with_slips(value in person(), surroundings_of in surroundings_of(), corruptions in corruptions()) {
        survive::<Person>(&schema::<Person>(), &corrupt(&surroundings_of.around(&value), &corruptions));
    }

    #[test]
    fn a_table_with_slips(value in table(), surroundings_of in surroundings_of(), corruptions in corruptions()) {
        survive::<Table>(&schema::<Table>(), &corrupt(&surroundings_of.around(&value), &corruptions));
    }

    /// Correct JSON of other types, with keys in other spellings, additional and missing fields, and in another order.
    #[test]
    fn json_of_other_shapes(value in any_json(), surroundings_of in surroundings_of()) {
        let answer = surroundings_of.around(&value);
        for schema in schemas() {
            survive::<Value>(&schema, &answer);
        }
    }

    #[test]
    fn anything(answer in prop_oneof![
        ".{0,60}",
        "(\\{|\\}|\\[|\\]|\"|'|`|,|:|\n| |a|name|1|-|\\\\|/|\\*|null|true|Happy|“|”|#|=|>|<think>|é){0,40}",
    ]) {
        survive::<Person>(&schema::<Person>(), &answer);
        survive::<Vec<Cell>>(&schema::<Vec<Cell>>(), &answer);
        survive::<Figure>(&schema::<Figure>(), &answer);
        survive::<Mood>(&schema::<Mood>(), &answer);
        survive::<Option<i32>>(&schema::<Option<i32>>(), &answer);
        survive::<bool>(&schema::<bool>(), &answer);
        survive::<f64>(&schema::<f64>(), &answer);
        survive::<String>(&schema::<String>(), &answer);
        survive::<BTreeMap<String, Vec<u8>>>(&schema::<BTreeMap<String, Vec<u8>>>(), &answer);
        survive::<Value>(&schema::<Value>(), &answer);
    }
}
