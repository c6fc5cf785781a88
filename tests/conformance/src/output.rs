//! Answers of models with mistakes, read with the schema that the prompt asked for.
//!
//! The file `output.jsonl` of the golden files contains one case per line: `name`, `json_schema`, `raw`, `kind` and `expected`.
//! An `ok` case must return the value, a `fail` case must be an error (its `expected` may contain a part of the message), and a
//! `partial` case must return the part of a streamed value that has arrived. A null field equals a missing one, as in
//! serde; in a partial value, so does an empty list or object, which some parsers return for a value that has not arrived.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;
use typed_prompt::output::Schema;

use crate::chat_formats::{folder, has_other_goldens};
use crate::diff;

#[test]
fn output() {
    let path = folder().join("output.jsonl");
    if has_other_goldens() && !path.is_file() {
        return;
    }
    let text = fs::read_to_string(&path).expect("the file of the cases");
    let mut report = String::new();
    // For each kind, and for values that are not empty: the passed cases, and all cases.
    let mut scores: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for (index, line) in text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
    {
        let case: Value = serde_json::from_str(line)
            .unwrap_or_else(|error| panic!("{}:{}: {error}", path.display(), index + 1));
        let kind = case["kind"].as_str().unwrap_or_default();
        let result = catch_unwind(AssertUnwindSafe(|| check(&case, kind)))
            .unwrap_or_else(|_| Err("    panicked".to_owned()));
        let mut kinds = vec![kind];
        if kind == "ok" && (case["expected"].is_object() || case["expected"].is_array()) {
            kinds.push("ok, with an object or a list");
        }
        for kind in kinds {
            let score = scores.entry(kind.to_owned()).or_default();
            score[0] += usize::from(result.is_ok());
            score[1] += 1;
        }
        if let Err(why) = result {
            writeln!(
                report,
                "output: {} failed\n{why}",
                case["name"].as_str().unwrap_or("?")
            )
            .expect("a string takes everything");
        }
    }
    for (kind, [passed, all]) in &scores {
        println!("{kind}: {passed} of {all}");
    }
    let whole: Vec<[usize; 2]> = ["ok", "fail", "partial"]
        .iter()
        .filter_map(|kind| scores.get(*kind).copied())
        .collect();
    let passed: usize = whole.iter().map(|[passed, _]| passed).sum();
    let failed = whole.iter().map(|[_, all]| all).sum::<usize>() - passed;
    println!("{report}output: {passed} passed, {failed} failed");
    assert_eq!(failed, 0, "{failed} cases of output failed");
}

fn check(case: &Value, kind: &str) -> Result<(), String> {
    let raw = case["raw"].as_str().ok_or("    the case has no answer")?;
    let expected = &case["expected"];
    let schema =
        Schema::new(&case["json_schema"]).map_err(|error| format!("    schema: {error}"))?;
    match kind {
        "ok" => match schema.parse(raw) {
            Ok(parsed) => compare(expected, &parsed.value, Absent::Null),
            Err(error) => Err(indent(&format!("refused: {error:#}"))),
        },
        "partial" => {
            let value = schema.parse_partial(raw).map(|parsed| parsed.value);
            compare(expected, &value.unwrap_or_default(), Absent::Empty)
        }
        "fail" => match schema.parse(raw) {
            Ok(parsed) => Err(format!("    expected a refusal, got {}", parsed.value)),
            Err(error) => match expected.get("says").and_then(Value::as_str) {
                Some(words) if !format!("{error:#}").contains(words) => {
                    Err(indent(&format!("expected {words:?} in: {error:#}")))
                }
                _ => Ok(()),
            },
        },
        other => Err(format!("    the case is of a kind `{other}`")),
    }
}

/// Whether a value counts as missing.
#[derive(Clone, Copy, PartialEq)]
enum Absent {
    Null,
    Empty,
}

fn compare(wanted: &Value, got: &Value, absent: Absent) -> Result<(), String> {
    let (wanted, got) = (plain(wanted, absent), plain(got, absent));
    if wanted == got {
        Ok(())
    } else {
        Err(diff::values(&wanted, &got))
    }
}

/// A value without missing entries, in which `1` and `1.0` are the same number.
fn plain(value: &Value, absent: Absent) -> Value {
    let value = match value {
        Value::Object(map) => map
            .iter()
            .map(|(key, value)| (key.clone(), plain(value, absent)))
            .filter(|(_, value)| !value.is_null())
            .collect(),
        Value::Array(items) => {
            let items = items.iter().map(|item| plain(item, absent));
            items
                .filter(|item| absent == Absent::Null || !item.is_null())
                .collect()
        }
        Value::Number(number) => match number.as_f64() {
            Some(float) if float.abs() < 1e15 => Value::from(float),
            _ => value.clone(),
        },
        other => other.clone(),
    };
    let is_empty = match &value {
        Value::Object(map) => map.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    };
    if absent == Absent::Empty && is_empty {
        Value::Null
    } else {
        value
    }
}

fn indent(text: &str) -> String {
    text.lines()
        .map(|line| format!("    {line}\n"))
        .collect::<String>()
        .trim_end()
        .to_owned()
}
