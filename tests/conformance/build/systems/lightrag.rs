//! The default templates of LightRAG's and AdalFlow's releases: layouts of one struct of sections, and compiled as Jinja.

use serde_json::{Value, json};

use super::adalflow;
use crate::goldens;
use crate::plan::{Plan, System};
use crate::rust::literal;

pub(crate) const SYSTEM: System = System {
    name: "lightrag",
    title: "LightRAG's releases",
    file: "lightrag/renders.json",
    uses: "use typed_prompt::compat::lightrag::{self, Section, Sections};\nuse typed_prompt::{Guard, Prompt, format, message::Json};",
    glue: "",
    cases,
    plan,
};

/// The variables, with the field of each.
const FIELDS: [(&str, &str); 9] = [
    ("task_desc_str", "task"),
    ("input_format_str", "input_format"),
    ("output_format_str", "output_format"),
    ("tools_str", "tools"),
    ("examples_str", "examples"),
    ("chat_history_str", "chat_history"),
    ("context_str", "context"),
    ("input_str", "input"),
    ("steps_str", "steps"),
];

/// The cases. Those with all values and those without values are also rendered with the release's own template.
fn cases(file: &Value) -> Vec<Value> {
    let mut cases = goldens::cases(file);
    let compiled: Vec<Value> = cases
        .iter()
        .filter_map(|case| compiled(case, file))
        .collect();
    cases.extend(compiled);
    cases
}

fn compiled(case: &Value, file: &Value) -> Option<Value> {
    let (id, layout) = (case["id"].as_str()?, case["layout"].as_str()?);
    let mut call = case["call"].as_object()?.clone();
    if let Some(input) = call.get("input_str").cloned() {
        call.insert("query_str".to_owned(), input);
    }
    (id.ends_with(": all") || id.ends_with(": nothing")).then(|| {
        json!({
            "id": format!("{id}, compiled"),
            "template": file["about"]["templates"][layout]["text"],
            "call": call,
            "expect": case["text"],
        })
    })
}

fn plan(case: &Value) -> Plan {
    if case.get("template").is_some() {
        return adalflow::plan(case);
    }
    let (Some(layout), Some(expect)) = (case["layout"].as_str(), case["text"].as_str()) else {
        return Plan::unmapped("the case has no layout or no expected text");
    };
    let given: Option<Vec<String>> = case["call"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| {
            let (_, field) = FIELDS.iter().find(|(known, _)| known == name)?;
            let json = literal(&value.to_string());
            Some(format!("{field}: Section::from(Json::parse({json})?)"))
        })
        .collect();
    let Some(given) = given else {
        return Plan::unmapped("a value belongs to no section");
    };
    let all = format!(
        "let all = Sections {{ {}{}..Sections::default() }};",
        given.join(", "),
        if given.is_empty() { "" } else { ", " }
    );
    let layout = format!("lightrag::{layout}.guard(Guard::Allow)");
    // A value that the original drops silently is an error here; the other values render the same text.
    let dropped: Vec<&str> = case["dropped"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let fields = FIELDS.iter().filter(|(name, _)| dropped.contains(name));
    let fields: String = fields
        .map(|(_, field)| format!("{field}: Section::default(), "))
        .collect();
    let rest = if dropped.is_empty() {
        "let rest = all;".to_owned()
    } else {
        format!(
            "if let Ok(taken) = {layout}.to_text(&all) {{ return text(format!(\"took what it drops: {{taken}}\")); }} let rest = Sections {{ {fields}..all }};"
        )
    };
    // The first template needs a query, and renders a missing one as `None`.
    let is_there = |value: &Value| match value {
        Value::Null | Value::Bool(false) => false,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(entries) => !entries.is_empty(),
        Value::Bool(true) => true,
    };
    let asks = case["layout"] == "LIGHTRAG_2024_05_16" && !is_there(&case["call"]["input_str"]);
    Plan::Run {
        body: format!("{{ {all} {rest} text({layout}.to_text(&rest)?) }}"),
        wanted: if asks {
            "Wanted::Error(\"Unsupported\")".to_owned()
        } else {
            format!("Wanted::Text({})", literal(expect))
        },
    }
}
