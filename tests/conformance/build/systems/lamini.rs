//! Lamini: `{input:field}` templates filled by the server, here a prompt of one user message.

use serde_json::{Map, Value};

use crate::item::{Field, Item};
use crate::plan::{Plan, System};
use crate::rust::literal;
use crate::template::{Keys, Notation, rewrite};
use crate::{errors, goldens};

pub(crate) const SYSTEM: System = System {
    name: "lamini",
    title: "Lamini",
    file: "lamini.json",
    uses: "use typed_prompt::{Prompt, format, value::{Python, python}};",
    glue: "",
    cases: goldens::cases,
    plan,
};

fn plan(case: &Value) -> Plan {
    let Some(template) = case["template"].as_str() else {
        return Plan::unmapped("`template` is not a string");
    };
    let rows = match &case["input"] {
        Value::Array(batch) => batch
            .iter()
            .map(Value::as_object)
            .collect::<Option<Vec<_>>>(),
        one => one.as_object().map(|one| vec![one]),
    };
    let Some(rows) = rows else {
        return Plan::unmapped("`input` is neither an object nor a list of objects");
    };
    let mut words = Vec::new();
    let texts = rows
        .iter()
        .map(|row| text(template, Notation::Input, row, &[], &mut words));
    let Some(texts) = texts.collect::<Option<Vec<String>>>() else {
        return Plan::unmapped("the brace dialect cannot express this text");
    };
    if !words.is_empty() && case.get("expect").is_some() {
        return Plan::unmapped(format!("it is rejected here: {}", words.join(", ")));
    }
    if !words.is_empty() {
        return reject(&texts, words);
    }
    match (&case["input"], case.get("expect")) {
        (_, None) => {
            Plan::unmapped("the original fails with an error that has no counterpart here")
        }
        (Value::Array(_), Some(expect)) => Plan::Run {
            body: format!(
                "{{\n    Ok(Got::Json(Vec::<String>::from([{}]).into()))\n}}",
                texts.join(", ")
            ),
            wanted: format!("Wanted::Json({})", literal(&expect.to_string())),
        },
        (_, Some(expect)) => Plan::Run {
            body: format!("{{\n    text({})\n}}", texts.join("")),
            wanted: format!(
                "Wanted::Text({})",
                literal(expect.as_str().unwrap_or_default())
            ),
        },
    }
}

/// An expression for the text of one row. Each row has its own type, because keys and types may differ.
///
/// `required` are keys whose value must be in the text; other keys without a slot are skipped.
pub(super) fn text(
    template: &str,
    notation: Notation,
    row: &Map<String, Value>,
    required: &[&str],
    words: &mut Vec<String>,
) -> Option<String> {
    let mut keys = Keys::default();
    let template = rewrite(template, notation, &mut keys)?;
    for key in keys.in_order().iter().filter(|key| !row.contains_key(*key)) {
        words.push(errors::unknown_slot(&keys.known(key)));
    }
    if template.trim().is_empty() {
        words.push(errors::EMPTY.to_owned());
    }
    let slots = keys.in_order().to_vec();
    let mut fields = Vec::new();
    for (key, value) in row {
        let name = keys.field(key);
        let mut attributes = vec![];
        if !slots.contains(key) && required.contains(&key.as_str()) {
            words.push(errors::unused_field(&name));
        } else if !slots.contains(key) {
            attributes.push("skip".to_owned());
        } else if matches!(notation, Notation::Input) {
            words.extend(errors::judge(value));
        }
        let is_text = matches!(notation, Notation::Input)
            || !matches!(value, Value::Null | Value::Array(_) | Value::Object(_));
        fields.push(if is_text {
            Field::of(name, attributes, Some(value))
        } else {
            Field {
                name,
                attributes,
                ty: "Python<Json>".to_owned(),
                value: Some(format!(
                    "python(Json::parse({})?)",
                    literal(&value.to_string())
                )),
            }
        });
    }
    let item = Item {
        attributes: vec![format!("format = plain, user = {}", literal(&template))],
        fields,
    };
    Some(format!(
        "{{\n{}    {}.to_text(format::PLAIN)?\n    }}",
        item.declaration(),
        item.literal()
    ))
}

/// A block that must not compile because of its texts.
pub(super) fn reject(texts: &[String], words: Vec<String>) -> Plan {
    let texts: String = texts
        .iter()
        .map(|text| format!("    drop({text});\n"))
        .collect();
    Plan::Reject {
        body: format!("{{\n{texts}    Ok(())\n}}"),
        words,
    }
}
