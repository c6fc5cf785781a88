//! `Choice` and `Numeric` on the answers of a small model, beside labels by hand. `docs/answers.md` describes the answers.
//!
//! Two labels decide which score is right. `is` of an answer is the value that it gives, by the rule of `docs/answers.md`. The correct
//! answer of a question ([`GOLD`]) is what a reader of its text writes: the sentiment that prevails, `neutral` if none does; the category that
//! the ticket is about; the result of the sum; the year. Questions of which readers would disagree, and those without a year, have none.
//! A score is right if it is 1 for an answer whose value is the correct one, 0 for one with another value, and none for one without a value.

use std::collections::BTreeMap;
use std::path::PathBuf;

use prompt_eval::metric::{Choice, Metric, Numeric};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Answer {
    r#type: String,
    way: String,
    input: usize,
    finish: String,
    answer: String,
    /// The value that the answer gives. Without it, the answer gives none, or several.
    #[serde(default)]
    is: Option<Value>,
}

/// The correct answers of the questions of each type, in the order of `types.json`. An empty text is a question without one.
const GOLD: [(&str, [&str; 10]); 7] = [
    (
        "mood",
        [
            "negative", "positive", "neutral", "", "positive", "neutral", "negative", "positive",
            "neutral", "negative",
        ],
    ),
    (
        "topic",
        [
            "billing",
            "login",
            "delivery",
            "bug report",
            "feature request",
            "other",
            "billing",
            "login",
            "delivery",
            "feature request",
        ],
    ),
    (
        "fact",
        [
            "true", "false", "true", "false", "true", "false", "false", "true", "false", "true",
        ],
    ),
    (
        "count",
        ["5", "7", "7", "12", "5", "10", "12", "2", "24", "7"],
    ),
    (
        "price",
        [
            "24.99", "1250", "15", "7", "0.9", "980", "60", "2.8", "30", "499",
        ],
    ),
    ("rating", ["5", "1", "", "4", "3", "5", "", "", "4", "5"]),
    (
        "unsure",
        ["1932", "", "1987", "", "2004", "", "1851", "", "1905", ""],
    ),
];

/// The type and the text of an answer that gives a number which its type excludes, so that the file has no label for it. A metric has no type.
const OUTSIDE_OF_TYPE: (&str, &str) = ("rating", "7");

fn read_file(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../prompt-output/tests/smollm2");
    std::fs::read_to_string(folder.join(name)).expect("a file of the repository")
}

/// How many answers a metric scores as the labels do, otherwise, and not at all.
#[derive(Debug, Default, PartialEq)]
struct Figures {
    scored: usize,
    wrongly_scored: usize,
    /// They give a value, in none of the forms.
    unscored_with_value: usize,
    unscored_without_value: usize,
}

#[test]
fn no_answer_is_scored_wrongly() {
    let types: Value = serde_json::from_str(&read_file("types.json")).expect("it is JSON");
    let mut metrics: BTreeMap<&str, Figures> = BTreeMap::new();
    let mut wrong = Vec::new();
    for line in read_file("answers.jsonl").lines() {
        let answer: Answer = serde_json::from_str(line).expect("an answer");
        let Some((_, gold)) = GOLD.iter().find(|(name, _)| *name == answer.r#type) else {
            continue;
        };
        let gold = gold[answer.input];
        if gold.is_empty() {
            continue;
        }
        let metric: Box<dyn Metric> = match &types[&answer.r#type]["schema"]["enum"] {
            Value::Array(labels) => Box::new(Choice::new(labels.iter().filter_map(Value::as_str))),
            _ if answer.r#type == "fact" => Box::new(Choice::new(["true", "false"])),
            _ => Box::new(Numeric::new()),
        };
        metric.check_gold(gold).expect("a correct answer");
        let value = match &answer.is {
            Some(Value::String(text)) => Some(text.clone()),
            Some(other) => Some(other.to_string()),
            None => ((&*answer.r#type, &*answer.answer) == OUTSIDE_OF_TYPE)
                .then(|| answer.answer.clone()),
        };
        let figures = metrics.entry(if metric.name() == "number" {
            "number"
        } else {
            "choice"
        });
        let figures = figures.or_default();
        let is_equal = |value: &String| match (value.parse::<f64>(), gold.parse::<f64>()) {
            (Ok(value), Ok(gold)) => value == gold,
            _ => value == gold,
        };
        let expected = value.as_ref().map(|value| f64::from(is_equal(value)));
        let is_readable = match answer.finish.as_str() {
            "length" => metric.is_readable_truncated(&answer.answer),
            _ => metric.is_readable(&answer.answer),
        };
        let score = is_readable.then(|| metric.score(&answer.answer, gold));
        match (score, expected) {
            (Some(score), Some(expected)) if score == expected => figures.scored += 1,
            (Some(score), expected) => {
                figures.wrongly_scored += 1;
                wrong.push(format!(
                    "{} {} {}: {:?} for {gold} has {score}, and not {expected:?}",
                    answer.r#type, answer.way, answer.input, answer.answer
                ));
            }
            (None, Some(_)) => figures.unscored_with_value += 1,
            (None, None) => figures.unscored_without_value += 1,
        }
    }
    assert!(wrong.is_empty(), "{metrics:?}\n{}", wrong.join("\n"));
    // As published in `docs/answers.md`.
    let figures = |scored, unscored_with_value, unscored_without_value| Figures {
        scored,
        wrongly_scored: 0,
        unscored_with_value,
        unscored_without_value,
    };
    assert_eq!(metrics["choice"], figures(35, 116, 139));
    assert_eq!(metrics["number"], figures(49, 118, 153));
}
