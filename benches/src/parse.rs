//! Answers of models with mistakes, parsed into JSON: how many results are correct, how many invalid answers are rejected, and the time.
//!
//! The answers are the corpus of `tests/goldens/output.jsonl`. The peers have no schema: they repair invalid JSON. Their
//! result is correct if it is the expected value, where a missing field equals null.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;
use typed_prompt::output::Schema;

use crate::measure::{Contest, Outcome};

/// One answer and its expected value.
struct Case {
    name: String,
    schema: Schema,
    raw: String,
    /// It must be rejected.
    expected: Option<Value>,
}

/// One way to read an answer.
struct Reader {
    name: &'static str,
    read: fn(&Case) -> Option<Value>,
    /// The answers on which it never returns.
    endless: &'static [&'static str],
}

const READERS: [Reader; 5] = [
    Reader {
        name: "typed-prompt",
        read: |case| case.schema.parse(&case.raw).ok().map(|parsed| parsed.value),
        endless: &[],
    },
    Reader {
        name: "llm_json",
        read: |case| llm_json::loads(&case.raw, &llm_json::RepairOptions::default()).ok(),
        endless: &[],
    },
    Reader {
        name: "jsonrepair",
        read: |case| jsonrepair::loads(&case.raw, &jsonrepair::Options::default()).ok(),
        endless: &["string/verbatim"],
    },
    Reader {
        name: "tryparse",
        read: |case| tryparse::parse(&case.raw).ok(),
        endless: &[],
    },
    Reader {
        name: "serde_json",
        read: |case| serde_json::from_str(&case.raw).ok(),
        endless: &[],
    },
];

/// The same answers, those that are correct JSON, and a long one.
pub(crate) fn run() -> Vec<Outcome> {
    let cases = cases();
    println!("read right, and refused rightly");
    for reader in &READERS {
        let score = Score::of(reader, &cases);
        println!("    {:<28} {score}", reader.name);
    }
    let json: Vec<&Case> = cases
        .iter()
        .filter(|case| serde_json::from_str::<Value>(&case.raw).is_ok())
        .collect();
    let long = long();
    println!("of the 400 items of the long answer, read right");
    for reader in &READERS {
        let read = quiet(reader, &long).unwrap_or_default();
        let right = long.expected.iter().flat_map(items).zip(items(&read));
        let right = right.filter(|(one, other)| same(one, other)).count();
        println!("    {:<28} {right}", reader.name);
    }
    vec![
        race(
            format!("{} messy answers", cases.len()),
            &cases.iter().collect::<Vec<_>>(),
        ),
        race(
            format!("the {} of them that are correct JSON", json.len()),
            &json,
        ),
        race(
            format!("a fenced answer of {} KB", long.raw.len() / 1000),
            &[&long],
        ),
    ]
}

fn race(title: String, cases: &[&Case]) -> Outcome {
    let mut contest = Contest::new(title);
    for reader in &READERS {
        // The results differ, and are counted above.
        let shown = |_: &usize| String::new();
        contest.entry(reader.name, shown, || {
            let read = cases.iter().filter_map(|case| quiet(reader, case));
            read.count()
        });
    }
    contest.run()
}

/// The result of a parser. A parser that panics or never returns has no result.
fn quiet(reader: &Reader, case: &Case) -> Option<Value> {
    if reader.endless.contains(&&*case.name) {
        return None;
    }
    catch_unwind(AssertUnwindSafe(|| (reader.read)(case))).unwrap_or_default()
}

#[derive(Default)]
struct Score {
    right: usize,
    answers: usize,
    right_objects: usize,
    objects: usize,
    refused: usize,
    wrong: usize,
}

impl Score {
    fn of(reader: &Reader, cases: &[Case]) -> Score {
        let mut score = Score::default();
        for case in cases {
            let read = quiet(reader, case);
            match &case.expected {
                None => {
                    score.wrong += 1;
                    score.refused += usize::from(read.is_none());
                }
                Some(expected) => {
                    let right = read.is_some_and(|read| same(&read, expected));
                    score.answers += 1;
                    score.right += usize::from(right);
                    if expected.is_object() || expected.is_array() {
                        score.objects += 1;
                        score.right_objects += usize::from(right);
                    }
                }
            }
        }
        score
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} of {}, {} of {} objects and lists, {} of {} refused",
            self.right, self.answers, self.right_objects, self.objects, self.refused, self.wrong
        )
    }
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Equal, if a field that is null or absent is the same, and `1.0` the number 1.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let keys = one.keys().chain(other.keys());
            let null = Value::Null;
            keys.into_iter().all(|key| {
                same(
                    one.get(key).unwrap_or(&null),
                    other.get(key).unwrap_or(&null),
                )
            })
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        _ => one == other,
    }
}

fn cases() -> Vec<Case> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/goldens/output.jsonl");
    let text = std::fs::read_to_string(path).expect("the corpus can be read");
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .filter_map(|line| {
            let case: Value = serde_json::from_str(line).expect("a line of the corpus is JSON");
            let expected = match case["kind"].as_str() {
                Some("ok") => Some(case["expected"].clone()),
                Some("fail") => None,
                // The peers have no partial values.
                _ => return None,
            };
            let name = case["name"].as_str().expect("a name").to_owned();
            let schema = Schema::new(&case["json_schema"]).expect("a schema of the corpus");
            let raw = case["raw"].as_str().expect("an answer").to_owned();
            Some(Case {
                name,
                schema,
                raw,
                expected,
            })
        })
        .collect()
}

/// A list of many objects with prose around, as a model would write it: trailing commas, and no other slip.
fn long() -> Case {
    let item = serde_json::json!({
        "type": "object", "required": ["id", "name", "score", "tags"],
        "properties": {
            "id": {"type": "integer"}, "name": {"type": "string"}, "score": {"type": "number"},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
    });
    let schema = Schema::new(&serde_json::json!({"type": "array", "items": item}))
        .expect("a schema that can be read");
    let items: String = (0..400)
        .map(|id| {
            format!(
                "  {{\"id\": {id}, \"name\": \"item no. {id}\", \"score\": {id}.5, \"tags\": [\"a\", \"b\",]}},\n"
            )
        })
        .collect();
    let expected = (0..400).map(|id| {
        let (name, score) = (format!("item no. {id}"), f64::from(id) + 0.5);
        serde_json::json!({"id": id, "name": name, "score": score, "tags": ["a", "b"]})
    });
    Case {
        name: "long".to_owned(),
        schema,
        raw: format!("Here they are:\n```json\n[\n{items}]\n```\nAnything else?"),
        expected: Some(expected.collect()),
    }
}
