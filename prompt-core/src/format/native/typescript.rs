//! Tool definitions as TypeScript, which is how gpt-oss and Apertus read them.
//!
//! The line breaks and spaces inside objects and unions look odd; the models were trained on them.

use std::collections::BTreeSet;

use super::python::{display, dumps};
use crate::Json;

/// Tools as a namespace of TypeScript.
pub(crate) fn namespace(name: &str, tools: &[Json]) -> Vec<String> {
    let mut out = vec![format!("## {name}\n\nnamespace {name} {{\n\n")];
    let types = tools.iter().map(|tool| function_type(tool, ",\n"));
    out.extend(types.map(|text| text + "\n\n"));
    out.push(format!("}} // namespace {name}"));
    out
}

/// The type of a tool. `end` follows its last parameter.
pub(crate) fn function_type(tool: &Json, end: &str) -> String {
    let function = tool.get("function").unwrap_or_else(|| tool.clone());
    let mut out = String::new();
    if let Some(description) = function.get("description") {
        out.push_str(&format!("// {}\n", display(&description)));
    }
    let name = function
        .get("name")
        .map(|name| display(&name))
        .unwrap_or_default();
    out.push_str(&format!("type {name} = "));
    let parameters = function.get("parameters").filter(Json::is_truthy);
    let properties = parameters
        .as_ref()
        .and_then(|parameters| truthy_value(parameters, "properties"));
    let (Some(parameters), Some(properties)) = (parameters, properties) else {
        return out + "() => any;";
    };
    out.push_str("(_: {\n");
    let required = required_keys(&parameters);
    for (index, (name, spec)) in properties
        .entries()
        .unwrap_or_default()
        .into_iter()
        .enumerate()
    {
        out.push_str(if index > 0 { ",\n" } else { "" });
        if let Some(description) = truthy_value(&spec, "description") {
            out.push_str(&format!("// {}\n", display(&description)));
        }
        out.push_str(&name);
        out.push_str(if required.contains(&name) {
            ": "
        } else {
            "?: "
        });
        out.push_str(&type_of_schema(&spec));
        if let Some(value) = spec.get("default") {
            let has = |key| truthy_value(&spec, key).is_some();
            out.push_str(&match (has("enum"), has("oneOf")) {
                (true, _) => format!(", // default: {}", display(&value)),
                (_, true) => format!("// default: {}", display(&value)),
                _ => format!(", // default: {}", dumps(&value, None)),
            });
        }
    }
    out + end + "}) => any;"
}

fn truthy_value(json: &Json, key: &str) -> Option<Json> {
    json.get(key).filter(Json::is_truthy)
}

fn required_keys(schema: &Json) -> BTreeSet<String> {
    let names = truthy_value(schema, "required").and_then(|names| names.items());
    let names = names.unwrap_or_default();
    names.iter().filter_map(Json::as_string).collect()
}

/// The type of a value that a schema describes.
fn type_of_schema(spec: &Json) -> String {
    let nullable = if truthy_value(spec, "nullable").is_some() {
        " | null"
    } else {
        ""
    };
    let named = spec.get("type");
    let name = named.as_ref().and_then(Json::as_string).unwrap_or_default();
    if name == "array" {
        return type_of_array(spec) + nullable;
    }
    if let Some(names) = named
        .and_then(|named| named.items())
        .filter(|names| !names.is_empty())
    {
        return names.iter().map(display).collect::<Vec<_>>().join(" | ");
    }
    if let Some(variants) = truthy_value(spec, "oneOf") {
        return type_of_union(&variants.items().unwrap_or_default());
    }
    match &*name {
        "string" => match truthy_value(spec, "enum") {
            Some(values) => {
                let values: Vec<String> = values
                    .items()
                    .unwrap_or_default()
                    .iter()
                    .map(display)
                    .collect();
                format!("\"{}\"", values.join("\" | \""))
            }
            None => format!("string{nullable}"),
        },
        "number" | "integer" => "number".to_owned(),
        "boolean" => "boolean".to_owned(),
        "object" => type_of_object(spec),
        _ => "any".to_owned(),
    }
}

fn type_of_array(spec: &Json) -> String {
    let Some(items) = truthy_value(spec, "items") else {
        return "any[]".to_owned();
    };
    match &*items
        .get("type")
        .and_then(|kind| kind.as_string())
        .unwrap_or_default()
    {
        "string" => "string[]".to_owned(),
        "number" | "integer" => "number[]".to_owned(),
        "boolean" => "boolean[]".to_owned(),
        _ => match type_of_schema(&items) {
            inner if inner == "object | object" || inner.chars().count() > 50 => "any[]".to_owned(),
            inner => inner + "[]",
        },
    }
}

fn type_of_union(variants: &[Json]) -> String {
    let mut out = String::new();
    for (index, variant) in variants.iter().enumerate() {
        out.push_str(if index > 0 { " | \n" } else { "" });
        out.push_str(&type_of_schema(variant));
        if let Some(description) = truthy_value(variant, "description") {
            out.push_str(&format!("// {}", display(&description)));
        }
        if let Some(value) = variant.get("default") {
            out.push_str(&format!(
                "                    // default: {}",
                dumps(&value, None)
            ));
        }
    }
    out
}

fn type_of_object(spec: &Json) -> String {
    let Some(properties) = truthy_value(spec, "properties") else {
        return "object".to_owned();
    };
    let entries = properties.entries().unwrap_or_default();
    let required = required_keys(spec);
    let entry = |(name, inner): &(String, Json)| {
        let mark = if required.contains(name) { "" } else { "?" };
        format!("{name}{mark}: \n                {}", type_of_schema(inner))
    };
    format!(
        "{{\n{}}}",
        entries.iter().map(entry).collect::<Vec<_>>().join(", ")
    )
}
