//! Filters, tests, methods and operators, compared with the output of Jinja2 3.1.6, which `goldens/expressions.py` records.
//!
//! `EXPRESSIONS=more.jsonl cargo test -p prompt-jinja --test it expressions` runs another file of cases.

use std::fs;

use prompt_core::Origin;
use prompt_jinja::private::{self as expr, EvalError, Str, Value};
use serde_json::Value as Json;

type Result<T> = std::result::Result<T, EvalError>;

#[test]
fn as_jinja2() {
    let file = std::env::var("EXPRESSIONS").unwrap_or_else(|_| {
        concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/goldens/expressions.jsonl"
        )
        .to_owned()
    });
    let text = fs::read_to_string(file).unwrap();
    let mut wrong = Vec::new();
    for line in text.lines() {
        let case: Json = serde_json::from_str(line).unwrap();
        let found = run(&case).map(|value| repr(&value));
        let same = match (&found, case["expect"].as_str()) {
            (Ok(found), Some(expected)) => found == expected,
            (Err(_), None) => true,
            _ => false,
        };
        if !same {
            wrong.push(format!("{line}\n    {found:?}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} differ:\n{}",
        wrong.len(),
        text.lines().count(),
        wrong[..wrong.len().min(40)].join("\n")
    );
}

/// As Python's `repr`, which is how an item of a list is printed.
fn repr(value: &Value<'_>) -> String {
    let list = expr::list(vec![value.clone()]).to_string();
    list[1..list.len() - 1].to_owned()
}

fn run(case: &Json) -> Result<Value<'_>> {
    let name = case["name"].as_str().unwrap();
    let value = read(&case["value"]);
    let args = case["args"].as_array().unwrap();
    let args: Vec<Option<Value<'_>>> = args
        .iter()
        .map(|arg| arg.get("absent").is_none().then(|| read(arg)))
        .collect();
    let arg = |at: usize| args[at].clone().unwrap();
    match case["kind"].as_str().unwrap() {
        "filter" | "format" => expr::find_filter(name).unwrap()(&value, &args),
        "test" => expr::find_test(name).unwrap()(&value, &args).map(Value::Bool),
        "method" => expr::find_method(name).unwrap()(&value, &args),
        "slice" => expr::slice(&value, &arg(0), &arg(1), &arg(2)),
        "op" => match name {
            "neg" => expr::neg(&value),
            "pos" => expr::pos(&value),
            "is_true" => value.is_true().map(Value::Bool),
            "text" => expr::concat(&[value]),
            "add" => expr::add(&value, &arg(0)),
            "sub" => expr::sub(&value, &arg(0)),
            "mul" => expr::mul(&value, &arg(0)),
            "div" => expr::div(&value, &arg(0)),
            "floor_div" => expr::floor_div(&value, &arg(0)),
            "rem" => expr::rem(&value, &arg(0)),
            "pow" => expr::pow(&value, &arg(0)),
            "eq" => expr::eq(&value, &arg(0)).map(Value::Bool),
            "ne" => expr::ne(&value, &arg(0)).map(Value::Bool),
            "lt" => expr::lt(&value, &arg(0)).map(Value::Bool),
            "le" => expr::le(&value, &arg(0)).map(Value::Bool),
            "gt" => expr::gt(&value, &arg(0)).map(Value::Bool),
            "ge" => expr::ge(&value, &arg(0)).map(Value::Bool),
            "contains" => expr::contains(&value, &arg(0)).map(Value::Bool),
            "concat" => expr::concat(&[value, arg(0)]),
            "index" => expr::index(&value, &arg(0)),
            other => panic!("no operator {other}"),
        },
        other => panic!("no kind {other}"),
    }
}

fn read(json: &Json) -> Value<'_> {
    let all = |items: &'static str| json.get(items).and_then(Json::as_array);
    if let Some(float) = json.get("float").and_then(Json::as_str) {
        return Value::Float(float.parse().unwrap());
    }
    if let Some(number) = json.get("int").and_then(Json::as_str) {
        return Value::Int(number.parse().unwrap());
    }
    if json.get("undefined").is_some() {
        return Value::Undefined("`x` is not defined".into());
    }
    if let Some(items) = all("tuple") {
        return expr::tuple(items.iter().map(read).collect());
    }
    if let Some(entries) = all("dict") {
        let entries = entries
            .iter()
            .map(|entry| (read(&entry[0]), read(&entry[1])));
        return expr::dict(entries.collect()).unwrap();
    }
    match json {
        Json::Null => Value::None,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => Value::Int(i128::from(number.as_i64().unwrap())),
        Json::String(text) => Value::Text(Str::new(text, Origin::Data(None))),
        Json::Array(items) => expr::list(items.iter().map(read).collect()),
        Json::Object(_) => panic!("{json}"),
    }
}
