//! The answers of `answers.json`, judged by hand, each read as a whole and at every prefix.

use prompt_output::{ParseError, Parsed, Schema};
use serde::Deserialize;
use serde_json::Value;

/// Answers for one schema.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    schema: Value,
    /// Answers with their values.
    #[serde(default)]
    read: Vec<(String, Value)>,
    /// Answers that lack a value, or have several, or have one that is not clear.
    #[serde(default)]
    refused: Vec<String>,
    /// Answers in none of the accepted forms that name a value for a reader, with it. They are refused.
    #[serde(default)]
    not_a_form: Vec<(String, Value)>,
    /// `read` and `refused` for answers that reached their greatest length.
    #[serde(default)]
    truncated_read: Vec<(String, Value)>,
    #[serde(default)]
    truncated_refused: Vec<String>,
    /// Answers that may be accepted or rejected. Values that are final while an answer arrives must not change.
    #[serde(default)]
    either: Vec<String>,
}

fn groups() -> Vec<Group> {
    serde_json::from_str(include_str!("answers.json")).unwrap()
}

#[test]
fn every_answer_is_read_as_it_is_written_or_refused() {
    let mut wrong = Vec::new();
    for group in groups() {
        let schema = Schema::new(&group.schema).unwrap();
        let mut check = |read: fn(&Schema, &str) -> Result<Parsed, ParseError>,
                         answer: &str,
                         expected: Option<&Value>| {
            let value = read(&schema, answer).map(|parsed| parsed.value);
            if value.as_ref().ok() != expected {
                wrong.push(format!("{answer:?} as {}: {value:?}", group.schema));
            }
        };
        for (answer, value) in &group.read {
            check(Schema::parse_json, answer, Some(value));
        }
        for (answer, value) in &group.truncated_read {
            check(Schema::parse_truncated, answer, Some(value));
        }
        group
            .refused
            .iter()
            .for_each(|answer| check(Schema::parse_json, answer, None));
        group
            .not_a_form
            .iter()
            .for_each(|(answer, _)| check(Schema::parse_json, answer, None));
        group
            .truncated_refused
            .iter()
            .for_each(|answer| check(Schema::parse_truncated, answer, None));
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

/// A final value of a part of an answer that differs from the whole value.
fn changed(pointer: &str, value: &Value, part: &Parsed, whole: &Value) -> Option<String> {
    if part.is_final(pointer) {
        return (whole.pointer(pointer) != Some(value)).then(|| format!("{pointer:?} = {value}"));
    }
    match value {
        Value::Object(map) => map.iter().find_map(|(key, value)| {
            let key = key.replace('~', "~0").replace('/', "~1");
            changed(&format!("{pointer}/{key}"), value, part, whole)
        }),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .find_map(|(index, value)| changed(&format!("{pointer}/{index}"), value, part, whole)),
        _ => None,
    }
}

#[test]
fn a_final_value_never_changes() {
    let mut wrong = Vec::new();
    for group in groups() {
        let schema = Schema::new(&group.schema).unwrap();
        let answers = group
            .read
            .iter()
            .map(|(answer, _)| answer)
            .chain(&group.either);
        for answer in answers {
            let Ok(whole) = schema.parse_json(answer) else {
                continue;
            };
            for (cut, _) in answer.char_indices() {
                let part = schema.parse_partial(&answer[..cut]);
                let change = part.and_then(|part| changed("", &part.value, &part, &whole.value));
                wrong.extend(change.map(|change| {
                    format!("{change} at {:?}, then {}", &answer[..cut], whole.value)
                }));
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_truncated_answer_has_no_other_value() {
    let mut wrong = Vec::new();
    for group in groups() {
        let schema = Schema::new(&group.schema).unwrap();
        for (answer, whole) in &group.read {
            for (cut, _) in answer.char_indices() {
                let part = schema.parse_truncated(&answer[..cut]).ok();
                let other = part.filter(|part| part.value != *whole);
                wrong.extend(
                    other.map(|part| {
                        format!("{} of {:?}, then {whole}", part.value, &answer[..cut])
                    }),
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

/// The letters and digits of a text, in lower case.
fn letters(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

#[test]
fn every_text_of_a_value_occurs_in_the_answer() {
    fn check(answer: &str, value: &Value) {
        match value {
            Value::String(text) => assert!(
                letters(answer).contains(&letters(text)),
                "{text:?} of {answer:?}"
            ),
            Value::Object(map) => map.values().for_each(|value| check(answer, value)),
            Value::Array(items) => items.iter().for_each(|value| check(answer, value)),
            _ => {}
        }
    }
    for group in groups() {
        let schema = Schema::new(&group.schema).unwrap();
        for answer in group
            .read
            .iter()
            .map(|(answer, _)| answer)
            .chain(&group.either)
        {
            if let Ok(parsed) = schema.parse_json(answer) {
                check(answer, &parsed.value);
            }
        }
    }
}
