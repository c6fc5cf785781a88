//! Answers of a small model to questions of twelve types, each labelled by reading with the value that it gives.
//!
//! `docs/answers.md` describes the labels. `smollm2/collect.py` collects the answers.

use prompt_output::Schema;
use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Deserialize)]
struct Row {
    r#type: String,
    finish: String,
    answer: String,
    /// The value that the answer gives. Without it, the answer gives none, or several.
    #[serde(default)]
    is: Option<Value>,
}

/// The numbers of answers by what they are and what the reader does with them.
#[derive(Debug, Default, PartialEq)]
struct Figures {
    accepted_right: usize,
    accepted_wrong: usize,
    refused_with_value: usize,
    refused_without_value: usize,
}

/// Whether two values are equal, apart from the notation of numbers.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .zip(other)
                    .all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let is_in = |(key, value)| other.get(key).is_some_and(|other| is_same(value, other));
            one.len() == other.len() && one.iter().all(is_in)
        }
        _ => one == other,
    }
}

#[test]
fn no_answer_is_accepted_with_a_value_that_it_does_not_give() {
    let types: Map<String, Value> =
        serde_json::from_str(include_str!("smollm2/types.json")).unwrap();
    let mut figures = Figures::default();
    let mut wrong = Vec::new();
    for line in include_str!("smollm2/answers.jsonl").lines() {
        let row: Row = serde_json::from_str(line).unwrap();
        let schema = Schema::new(&types[&row.r#type]["schema"]).unwrap();
        let parsed = match row.finish.as_str() {
            "length" => schema.parse_truncated(&row.answer),
            _ => schema.parse_json(&row.answer),
        };
        match (parsed, &row.is) {
            (Ok(parsed), Some(is)) if is_same(&parsed.value, is) => figures.accepted_right += 1,
            (Ok(parsed), is) => {
                figures.accepted_wrong += 1;
                wrong.push(format!("{:?} is {is:?}, not {}", row.answer, parsed.value));
            }
            (Err(_), Some(_)) => figures.refused_with_value += 1,
            (Err(_), None) => figures.refused_without_value += 1,
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // As published in `docs/answers.md`.
    let published = Figures {
        accepted_right: 157,
        accepted_wrong: 0,
        refused_with_value: 261,
        refused_without_value: 782,
    };
    assert_eq!(figures, published);
}
