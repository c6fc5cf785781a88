//! Any answer of a model: parsing never panics, returns only values that fit the type, and parses its own JSON back.
//!
//! The first byte selects the output type.

#![no_main]

use std::collections::BTreeMap;
use std::fmt::Debug;

use libfuzzer_sys::fuzz_target;
use prompt_core::output::Schema;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
struct Person {
    name: String,
    #[schemars(range(max = 150))]
    age: u8,
    email: Option<String>,
    mood: Mood,
    tags: Vec<String>,
    #[serde(default)]
    scores: BTreeMap<String, f64>,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
enum Mood {
    Happy,
    #[serde(rename = "very sad")]
    VerySad,
    Neither,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Step {
    Search { query: String, pages: Option<u32> },
    Wait { seconds: f64 },
    Done,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
enum Either {
    Number(i64),
    Text(String),
    Many(Vec<Either>),
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
struct Tree {
    label: String,
    children: Vec<Tree>,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
struct Patch {
    code: String,
    either: Either,
    step: Step,
    pair: (bool, i16),
}

fuzz_target!(|input: (u8, &str)| {
    let (kind, answer) = input;
    match kind % 14 {
        0 => survive::<Person>(answer),
        1 => survive::<Vec<Person>>(answer),
        2 => survive::<Mood>(answer),
        3 => survive::<Step>(answer),
        4 => survive::<Vec<Step>>(answer),
        5 => survive::<Patch>(answer),
        6 => survive::<Tree>(answer),
        7 => survive::<bool>(answer),
        8 => survive::<Option<i32>>(answer),
        9 => survive::<f64>(answer),
        10 => survive::<BTreeMap<String, Vec<u8>>>(answer),
        11 => survive::<Vec<(String, u64)>>(answer),
        12 => survive::<Value>(answer),
        _ => survive::<String>(answer),
    }
});

fn survive<T: DeserializeOwned + Serialize + JsonSchema + Debug>(answer: &str) {
    let schema = Schema::from_type::<T>().expect("schemars writes schemas");
    if let Some(partial) = schema.parse_partial(answer) {
        for open in &partial.open {
            assert!(!partial.is_final(open), "{open} of {partial:?}");
        }
    }
    match schema.parse(answer) {
        Ok(parsed) => {
            for repair in &parsed.repairs {
                assert!(answer.get(repair.range.clone()).is_some(), "{repair:?}");
            }
            let json = parsed.value.to_string();
            serde_json::from_value::<T>(parsed.value.clone())
                .unwrap_or_else(|error| panic!("{json}: {error}"));
            // For the output type `String`, the answer is not JSON.
            if !parsed.value.is_string() {
                let again = schema
                    .parse(&json)
                    .unwrap_or_else(|error| panic!("{json}: {error:#}"));
                assert_eq!(again.value, parsed.value);
                assert!(again.repairs.is_empty(), "{json}: {:?}", again.repairs);
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
}
