//! AdalFlow, formerly LightRAG: Jinja templates whose variables are fields, with preset values and values of the call.

mod uses;

use prompt_jinja_syntax::Jinja;
use std::collections::BTreeMap;

use prompt_syntax::analysis::FieldInfo;
use prompt_syntax::{Kind, KnownNames, XmlTags, parse_in};
use serde_json::{Map, Value, json};

use self::uses::Uses;
use crate::plan::{Plan, System};
use crate::rust::{field, literal};
use crate::{errors, goldens};

pub(crate) const SYSTEM: System = System {
    name: "adalflow",
    title: "AdalFlow",
    file: "adalflow.json",
    uses: "use typed_prompt::{Prompt, format, message::Json};",
    glue: "",
    cases,
    plan,
};

/// The cases. An empty template is the default template, and a template outside of the typed subset of Jinja is a quirk.
fn cases(file: &Value) -> Vec<Value> {
    let templates = &file["about"]["default_templates"];
    let default = &templates["adalflow 1.1.3"];
    let mut cases = goldens::cases(file);
    // The default template of another release renders the same values differently.
    let others: Vec<Value> = cases
        .iter()
        .flat_map(|case| of_other_releases(case, templates))
        .collect();
    cases.extend(others);
    for case in &mut cases {
        if case["template"].as_str().is_none_or(str::is_empty) && default.is_string() {
            case["template"] = default.clone();
        }
        let is_refused = matches!(plan(case), Plan::Reject { .. } | Plan::Unmapped(_));
        let is_outside = case.get("expect").is_some() && is_refused;
        if is_outside || is_of_python(case) {
            case["quirk"] = json!(true);
        }
    }
    cases
}

/// The same call for each release whose default template renders another text.
fn of_other_releases(case: &Value, templates: &Value) -> Vec<Value> {
    let differs = case["differs_in"].as_object();
    let releases = differs
        .into_iter()
        .flatten()
        .filter_map(|(release, expect)| {
            let template = templates[release].as_str()?;
            let mut other = case.clone();
            other["id"] = json!(format!("{} ({release})", case["id"].as_str()?));
            other["template"] = json!(template);
            other["expect"] = expect.clone();
            other.get("expect_stdout").is_none().then_some(other)
        });
    releases.collect()
}

/// Accidents of Python: the `repr` of an object in a list, or a preset that the outer call replaces by `None`.
fn is_of_python(case: &Value) -> bool {
    let outer = Uses::of(case["template"].as_str().unwrap_or_default()).variables;
    let given = given(case);
    given.values().any(|value| {
        let is_listed = value
            .as_array()
            .is_some_and(|items| items.iter().any(|item| item.get("$prompt").is_some()));
        let preset = value["$prompt"]["preset"].as_object();
        let is_erased = preset.is_some_and(|preset| {
            preset
                .keys()
                .any(|key| outer.contains_key(key) && !given.contains_key(key))
        });
        is_listed || is_erased
    }) || given.contains_key("self")
}

pub(super) fn plan(case: &Value) -> Plan {
    let Some(template) = case["template"].as_str() else {
        return Plan::unmapped("`template` is not a string");
    };
    let uses = Uses::of(template);
    match case["op"].as_str() {
        Some("init") => return init(case),
        Some("call_positional") => {
            return reject(
                &declaration(template, &typed(&uses, &Map::new())),
                "Case(\"Bo\")",
                ["expected function".to_owned(), "found struct".to_owned()],
            );
        }
        Some(op) if op.starts_with("get_prompt_variables") => return variables(template, case),
        Some("nested") => return nested(template, &uses, case),
        _ => {}
    }
    let given = given(case);
    let fields = typed(&uses, &given);
    let declaration = declaration(template, &fields);
    if !uses.refused.is_empty() {
        return reject(&declaration, &value(&fields, &given, case), uses.refused);
    }
    if template.trim().is_empty() {
        return reject(&declaration, "Case {}", [errors::EMPTY.to_owned()]);
    }
    let body = format!(
        "{{\n{declaration}    {}\n}}",
        text(&value(&fields, &given, case))
    );
    let wanted = match case["expect"].as_str() {
        Some(text) => format!("Wanted::Text({})", literal(text)),
        // The template alone, which belongs to the type.
        None if case["expect"].is_null() && case.get("expect_error").is_none() => {
            return Plan::Run {
                body: format!(
                    "{{\n{declaration}    drop(Case::INFO);\n    text({}.to_owned())\n}}",
                    literal(template)
                ),
                wanted: format!("Wanted::Text({})", literal(template)),
            };
        }
        None => "Wanted::Fails".to_owned(),
    };
    Plan::Run { body, wanted }
}

/// The prompt's text.
fn text(value: &str) -> String {
    format!("text({value}.to_text(format::PLAIN)?)")
}

fn reject(declaration: &str, value: &str, words: impl IntoIterator<Item = String>) -> Plan {
    Plan::Reject {
        body: format!("{{\n{declaration}    let _ = {value};\n    Ok(())\n}}"),
        words: words.into_iter().collect(),
    }
}

/// The values of a call: its own values replace preset ones.
fn given(case: &Value) -> Map<String, Value> {
    let mut given = Map::new();
    for key in ["preset", "update", "call"] {
        given.extend(case[key].as_object().cloned().unwrap_or_default());
    }
    for value in given.values_mut() {
        *value = without_parameters(value);
    }
    given
}

/// A `Parameter` of AdalFlow is replaced by its content.
fn without_parameters(value: &Value) -> Value {
    match value {
        Value::Object(entries) => match entries.get("$parameter") {
            Some(data) => data.clone(),
            None => value.clone(),
        },
        Value::Array(items) => items.iter().map(without_parameters).collect(),
        other => other.clone(),
    }
}

/// The type of each variable. A variable that the call leaves out, or whose items have several types, is JSON.
fn typed(uses: &Uses, given: &Map<String, Value>) -> BTreeMap<String, &'static str> {
    let ty = |name: &str, plain: bool| match given.get(name) {
        Some(value) if plain && (value.is_array() || !uses.walked.contains(name)) => {
            rust_type(value)
        }
        _ => "Json",
    };
    uses.variables
        .iter()
        .map(|(name, plain)| (name.clone(), ty(name, *plain)))
        .collect()
}

fn rust_type(value: &Value) -> &'static str {
    match value {
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_i64() => "i64",
        Value::Number(number) if number.is_f64() => "f64",
        Value::String(_) => "&'static str",
        Value::Array(items) if !items.is_empty() && items.iter().all(Value::is_string) => {
            "Vec<&'static str>"
        }
        Value::Array(items) if !items.is_empty() && items.iter().all(Value::is_i64) => "Vec<i64>",
        _ => "Json",
    }
}

fn rust_value(value: &Value, ty: &str) -> String {
    match (ty, value) {
        ("Json", value) => format!("Json::parse({})?", literal(&value.to_string())),
        ("f64", value) => format!("{:?}", value.as_f64().unwrap_or(f64::NAN)),
        (_, Value::String(text)) => literal(text),
        (_, Value::Array(items)) => {
            let items: Vec<String> = items.iter().map(|item| rust_value(item, "")).collect();
            format!("vec![{}]", items.join(", "))
        }
        (_, other) => other.to_string(),
    }
}

/// `struct Case`.
fn declaration(template: &str, fields: &BTreeMap<String, &'static str>) -> String {
    // A template of AdalFlow is a whole text, in which its author writes the tokens of a model.
    struct_of("Case", "format = plain, user", template, fields)
}

fn struct_of(
    name: &str,
    key: &str,
    template: &str,
    fields: &BTreeMap<String, &'static str>,
) -> String {
    let template = &kept(template, fields);
    let fields: String = fields
        .iter()
        .map(|(name, ty)| format!("        {}: {ty},\n", field(name)))
        .collect();
    format!(
        "    #[derive(Prompt)]\n    #[prompt(syntax = \"jinja\", trim_blocks, lstrip_blocks, keep_trailing_newline, {key} = {})]\n    struct {name} {{\n{fields}    }}\n",
        literal(template)
    )
}

/// The template, in which text that looks like a slot of a field is quoted: it is an error here and text in AdalFlow.
fn kept(template: &str, fields: &BTreeMap<String, &'static str>) -> String {
    let info = |name: &String| FieldInfo {
        name: name.clone(),
        kind: Kind::Unknown,
        trusted: false,
        excluded_by: None,
        answer: false,
    };
    let fields: Vec<FieldInfo> = fields.keys().map(info).collect();
    let parsed = parse_in::<Jinja>(
        template,
        uses::options(),
        &XmlTags::default(),
        KnownNames::Fields(&fields),
    );
    let mut kept = template.to_owned();
    let lookalikes = parsed.errors.iter().rev();
    for error in lookalikes.filter(|error| error.message().contains("is not a slot in")) {
        let quoted = format!("{{{{ {:?} }}}}", error.span.of(template));
        kept.replace_range(error.span.range(), &quoted);
    }
    kept
}

/// `Case { … }`. Presets are a value of their own, which the call's values update.
fn value(
    fields: &BTreeMap<String, &'static str>,
    given: &Map<String, Value>,
    case: &Value,
) -> String {
    let of = |name: &String, ty: &str| {
        let value = given.get(name).unwrap_or(&Value::Null);
        format!("{}: {}", field(name), rust_value(value, ty))
    };
    let all: Vec<String> = fields.iter().map(|(name, ty)| of(name, ty)).collect();
    let called: Vec<String> = fields
        .iter()
        .filter(|(name, _)| case["call"].get(name.as_str()).is_some())
        .map(|(name, ty)| of(name, ty))
        .collect();
    let is_preset = case["preset"]
        .as_object()
        .is_some_and(|preset| !preset.is_empty());
    if is_preset && called.len() < fields.len() && !called.is_empty() {
        return format!(
            "{{ let preset = Case {{ {} }}; Case {{ {}, ..preset }} }}",
            all.join(", "),
            called.join(", ")
        );
    }
    format!("Case {{ {} }}", all.join(", "))
}

/// Every variable is a field and every field a variable: a missing field is an unknown slot, an additional one has no slot.
fn variables(template: &str, case: &Value) -> Plan {
    let listed = case["expect"].as_array().cloned().unwrap_or_default();
    let fields: BTreeMap<String, &'static str> = listed
        .iter()
        .filter_map(|name| Some((name.as_str()?.to_owned(), "Json")))
        .collect();
    let uses = Uses::of(template);
    if !uses.refused.is_empty() {
        return reject(&declaration(template, &fields), "()", uses.refused);
    }
    let names: Vec<String> = fields.keys().map(|name| field(name)).collect();
    let declaration = declaration(template, &fields);
    Plan::Run {
        body: format!(
            "{{\n{declaration}    let list = |case: Case| {{ let Case {{ {} }} = case; }};\n    drop(list);\n    Ok(Got::Json(serde_json::json!([{}])))\n}}",
            names
                .iter()
                .map(|name| format!("{name}: _"))
                .collect::<Vec<_>>()
                .join(", "),
            fields
                .keys()
                .map(|name| literal(name))
                .collect::<Vec<_>>()
                .join(", "),
        ),
        wanted: format!("Wanted::Json({})", literal(&case["expect"].to_string())),
    }
}

/// A prompt in a prompt is a fragment with fields of its own.
fn nested(template: &str, uses: &Uses, case: &Value) -> Plan {
    let given = given(case);
    let (mut fields, mut structs) = (typed(uses, &given), String::new());
    let mut values = Vec::new();
    for (name, ty) in &mut fields {
        let value = given.get(name).unwrap_or(&Value::Null);
        let prompts: Vec<&Value> = match value {
            Value::Array(items) => items.iter().collect(),
            one => vec![one],
        };
        let Some(inner) = prompts.first().and_then(|prompt| prompt.get("$prompt")) else {
            values.push(format!("{}: {}", field(name), rust_value(value, ty)));
            continue;
        };
        let Some(text) = inner["template"].as_str() else {
            return Plan::unmapped("an inner prompt without a template");
        };
        let mut known = inner["preset"].as_object().cloned().unwrap_or_default();
        known.extend(given.clone());
        let inner = Uses::of(text);
        let inner_fields = typed(&inner, &known);
        structs.push_str(&struct_of("Inner", "fragment", text, &inner_fields));
        let inner_values: Vec<String> = inner_fields
            .iter()
            .map(|(name, ty)| {
                let value = known
                    .get(name)
                    .filter(|value| value.get("$prompt").is_none())
                    .unwrap_or(&Value::Null);
                format!("{}: {}", field(name), rust_value(value, ty))
            })
            .collect();
        let one = format!("Inner {{ {} }}", inner_values.join(", "));
        if value.is_array() {
            *ty = "Vec<Inner>";
            values.push(format!("{}: vec![{one}]", field(name)));
        } else {
            *ty = "Inner";
            values.push(format!("{}: {one}", field(name)));
        }
    }
    let declaration = declaration(template, &fields);
    Plan::Run {
        body: format!(
            "{{\n{structs}{declaration}    {}\n}}",
            text(&format!("Case {{ {} }}", values.join(", ")))
        ),
        wanted: format!(
            "Wanted::Text({})",
            literal(case["expect"].as_str().unwrap_or_default())
        ),
    }
}

/// Arguments that the constructor does not have.
fn init(case: &Value) -> Plan {
    let template = case["template"].as_str().unwrap_or_default();
    let uses = Uses::of(template);
    let fields = typed(&uses, &Map::new());
    let declaration = declaration(template, &fields);
    let arguments = case["ctor_kwargs"].as_object().cloned().unwrap_or_default();
    match arguments.iter().next() {
        Some((_, Value::Null)) => Plan::Reject {
            body: format!("{{\n{declaration}    let _: Case = None;\n    Ok(())\n}}"),
            words: vec!["mismatched types".to_owned()],
        },
        Some((name, _)) => Plan::Reject {
            body: format!(
                "{{\n{declaration}    let _ = |case: Case| Case {{ {}: 1, ..case }};\n    Ok(())\n}}",
                field(name)
            ),
            words: vec![format!("has no field named `{name}`")],
        },
        None => Plan::unmapped("an unknown constructor argument"),
    }
}
