//! Lamini's client: typed templates of 0.0.19, typed calls of 1.0.3, and the templates of 2.x and 3.x.
//!
//! A case compares the rendered prompt and the value that the caller receives.

use serde_json::{Map, Value, json};

use super::lamini::{reject, text};
use crate::goldens;
use crate::plan::{Plan, System};
use crate::rust::{Names, field, literal, slice};
use crate::template::Notation;

pub(crate) const SYSTEM: System = System {
    name: "lamini_client",
    title: "Lamini",
    file: "lamini_client.json",
    uses: "use std::collections::BTreeMap;\nuse typed_prompt::{Prompt, Reply, compat::lamini::{Coerced, Input, Output, TypedTemplate}, format, message::Json, output, value::{Python, python}};",
    glue: "",
    cases: goldens::cases,
    plan,
};

fn plan(case: &Value) -> Plan {
    let mut call = match case["api"].as_str().unwrap_or_default() {
        "construct_prompt" => return typed(case),
        "LLMEngine(typed)" | "Lamini(dict)" | "runner" => server(case),
        "runner (client-side str.format)" => runner(case),
        "BaseGenerator (client-side)" => generator(case),
        other => return Plan::unmapped(format!("the API `{other}` is not known")),
    };
    let is_wrong = case.get("better").is_some();
    let mut words = Vec::new();
    let rows = call.rows.iter();
    let texts = rows.map(|row| {
        text(
            &call.template,
            call.notation,
            row,
            call.required,
            &mut words,
        )
    });
    let Some(texts) = texts.collect::<Option<Vec<String>>>() else {
        return Plan::unmapped("the brace dialect cannot express this text");
    };
    if !words.is_empty() && is_wrong {
        return reject(&texts, words);
    }
    if !words.is_empty() {
        return Plan::unmapped(format!("it is rejected here: {}", words.join(", ")));
    }
    let Some(answer) = Answer::of(case, &mut call) else {
        return Plan::unmapped("unknown output type");
    };
    let wanted = json!({"prompts": call.prompts, "answers": answer.expect});
    Plan::Run {
        body: format!(
            "{{\n{}    let prompts = Vec::<String>::from([{}]);\n    let answers = [{}];\n    \
             Ok(Got::Json(serde_json::json!({{\"prompts\": prompts, \"answers\": answers}})))\n}}",
            answer.declaration,
            texts.join(", "),
            answer.values.join(", "),
        ),
        wanted: if is_wrong || answer.is_refused {
            "Wanted::Error(\"Output\")".to_owned()
        } else {
            format!("Wanted::Json({})", literal(&wanted.to_string()))
        },
    }
}

/// A call: its template, the values of each prompt, and the original's results.
struct Call<'a> {
    template: String,
    notation: Notation,
    rows: Vec<Map<String, Value>>,
    /// Keys whose value must be in the prompt.
    required: &'static [&'static str],
    prompts: Vec<&'a Value>,
    replies: Vec<Value>,
}

fn list(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(items) => items.iter().collect(),
        Value::Null => Vec::new(),
        one => vec![one],
    }
}

/// 1.0.3: the server fills the template. `documented_prompt` is the prompt that the documentation describes.
fn server(case: &Value) -> Call<'_> {
    let rows = list(&case["input"]);
    let rows = rows.into_iter().filter_map(Value::as_object).cloned();
    Call {
        template: case["template"].as_str().unwrap_or_default().to_owned(),
        notation: Notation::Input,
        rows: match case["template"] {
            Value::Null => Vec::new(),
            _ => rows.collect(),
        },
        required: &[],
        prompts: list(&case["documented_prompt"]),
        replies: list(&case["reply"]).into_iter().cloned().collect(),
    }
}

/// 2.x: `{system}` and the runner's name for the user's text.
fn runner(case: &Value) -> Call<'_> {
    let is_base = case["runner"]
        .as_str()
        .is_some_and(|runner| runner.starts_with("Bas"));
    let own = if is_base { "input" } else { "user" };
    let template = case["template"]
        .as_str()
        .map_or_else(|| format!("{{{own}}}"), str::to_owned);
    let prompt = "prompt";
    let name = if template.contains("{prompt}") {
        prompt
    } else {
        own
    };
    let given = &case["input"]["system_prompt"];
    let system = if given.is_null() {
        &case["system_prompt"]
    } else {
        given
    };
    let rows = list(&case["input"]["prompt"]).into_iter().map(|prompt| {
        let mut row = Map::from_iter([(name.to_owned(), prompt.clone())]);
        if !system.is_null() {
            row.insert("system".to_owned(), system.clone());
        }
        row
    });
    let is_typed = !case["input"]["output_type"].is_null();
    let replies = list(&case["reply"])
        .into_iter()
        .map(|reply| match is_typed {
            true => reply.clone(),
            // The server's name for the text of an answer.
            false => reply["output"].clone(),
        });
    Call {
        notation: Notation::Format,
        rows: rows.collect(),
        // A system prompt of the call is a required field, that of the runner its default.
        required: if given.is_null() {
            &["user", "input", "prompt"]
        } else {
            &["user", "input", "prompt", "system"]
        },
        prompts: list(&case["expect"]),
        replies: replies.collect(),
        template,
    }
}

/// 3.x: the role, an empty line, and the instruction with its keys.
fn generator(case: &Value) -> Call<'_> {
    let role = case["role"].as_str().unwrap_or_default();
    let role = role.replace('{', "{{").replace('}', "}}");
    let separator = if role.is_empty() { "" } else { "\n\n" };
    let instruction = case["template"].as_str().unwrap_or_default();
    Call {
        template: format!("{role}{separator}{instruction}"),
        notation: Notation::Format,
        rows: vec![case["input"].as_object().cloned().unwrap_or_default()],
        required: &[],
        prompts: list(&case["expect"]),
        replies: vec![case["reply"].clone()],
    }
}

/// How the replies are read.
struct Answer {
    /// The type, if it has fields.
    declaration: String,
    values: Vec<String>,
    expect: Vec<Value>,
    /// A missing value is an error here and zero in the original.
    is_refused: bool,
}

impl Answer {
    fn of(case: &Value, call: &mut Call<'_>) -> Option<Answer> {
        let expect = list(&case["expect_return"]);
        let mut answer = Answer {
            declaration: String::new(),
            values: Vec::new(),
            expect: expect.into_iter().cloned().collect(),
            is_refused: false,
        };
        let ty = match case["output_schema"].as_object() {
            Some(fields) => {
                answer.declare(fields, &call.replies)?;
                "Answer"
            }
            None if call.replies.iter().all(Value::is_string) => "String",
            // A dict: the model's answer is returned unchecked.
            None => "serde_json::Value",
        };
        let values = call.replies.iter().map(|reply| {
            let text = reply
                .as_str()
                .map_or_else(|| reply.to_string(), str::to_owned);
            let read = match ty {
                "String" => "output::parse_text".to_owned(),
                ty => format!("output::parse_json::<{ty}>"),
            };
            format!(
                "serde_json::json!({read}(&Reply::new({}))?)",
                literal(&text)
            )
        });
        answer.values = values.collect();
        Some(answer)
    }

    /// Declares the type, with an attribute for the name of each field. The original returns zero if the reply has no value.
    fn declare(&mut self, fields: &Map<String, Value>, replies: &[Value]) -> Option<()> {
        let mut names = Names::default();
        self.declaration.push_str(
            "    #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]\n    struct Answer {\n",
        );
        for (key, python) in fields {
            let name = field(&names.give(key));
            let ty = rust_type(python.as_str()?)?;
            let rename = literal(key);
            self.declaration += &format!("        #[serde(rename = {rename})] {name}: {ty},\n");
            for (reply, expect) in replies.iter().zip(&mut self.expect) {
                if reply[key].is_null() && ty.starts_with("Option<") {
                    expect[key] = Value::Null;
                } else if reply[key].is_null() {
                    self.is_refused = true;
                }
            }
        }
        self.declaration.push_str("    }\n");
        Some(())
    }
}

/// The Rust type for a Python type such as `<class 'int'>` or `typing.List[int]`.
fn rust_type(python: &str) -> Option<String> {
    let name = python
        .strip_prefix("<class '")
        .and_then(|rest| rest.strip_suffix("'>"));
    let name = name.unwrap_or(python);
    let name = name.strip_prefix("typing.").unwrap_or(name);
    if let Some((outer, inner)) = name.strip_suffix(']').and_then(|name| name.split_once('[')) {
        return match outer {
            "List" | "list" => Some(format!("Vec<{}>", rust_type(inner)?)),
            "Optional" => Some(format!("Option<{}>", rust_type(inner)?)),
            "Dict" | "dict" => {
                let (_, value) = inner.split_once(", ")?;
                Some(format!("BTreeMap<String, {}>", rust_type(value)?))
            }
            _ => None,
        };
    }
    Some(match name {
        "str" => "Coerced<String>".to_owned(),
        "int" => "Coerced<i64>".to_owned(),
        "float" => "Coerced<f64>".to_owned(),
        "bool" => "Coerced<bool>".to_owned(),
        "list" | "List" => "Vec<serde_json::Value>".to_owned(),
        "dict" | "Dict" => "serde_json::Map<String, serde_json::Value>".to_owned(),
        "Any" => "serde_json::Value".to_owned(),
        _ => return None,
    })
}

/// 0.0.19: the input's fields with names and descriptions, and the output's.
fn typed(case: &Value) -> Plan {
    let context = |types: &Value, name: &str| literal(types[name][1].as_str().unwrap_or_default());
    let empty = Map::new();
    let input = case["input"].as_object().unwrap_or(&empty);
    let input = input.iter().map(|(name, value)| {
        let value = match value {
            Value::String(text) => literal(text),
            other => format!("python(Json::parse({})?)", literal(&other.to_string())),
        };
        let description = context(&case["input_type"], name);
        format!(
            "Input {{ name: {}, description: {description}, value: &{value} }}",
            literal(name)
        )
    });
    let output = case["output_type"].as_object().unwrap_or(&empty);
    let output = output.keys().map(|name| {
        let description = context(&case["output_type"], name);
        format!(
            "Output {{ name: {}, description: {description} }}",
            literal(name)
        )
    });
    let template = |key: &str| literal(case[key].as_str().unwrap_or_default());
    Plan::Run {
        body: format!(
            "{{\n    let template = TypedTemplate::new({}, {});\n    text(template.fill({}, {})?.to_plain_text()?)\n}}",
            template("template"),
            template("input_template"),
            slice(input),
            slice(output),
        ),
        wanted: match case.get("better") {
            Some(_) => "Wanted::Error(\"Template\")".to_owned(),
            None => format!("Wanted::Text({})", template("expect")),
        },
    }
}
