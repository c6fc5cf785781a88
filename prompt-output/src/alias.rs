//! Other words for a field or a value, as a schema may state them.
//!
//! serde's `alias` does not reach a schema, so aliases are an extension: `x-aliases` (or any
//! keyword with `alias` in its name) beside the field or the value, as one string or a list;
//! for a plain `enum`, a map from value to aliases or from alias to value, or a list of the same
//! length. A `title` counts as an alias too. With schemars:
//! `#[schemars(extend("x-aliases" = ["ok", "fine"]))]`.

use serde_json::{Map, Value};

/// Whether a keyword states aliases.
pub(super) fn is_alias(key: &str) -> bool {
    key.to_ascii_lowercase().contains("alias") || matches!(key, "enumNames" | "x-enum-varnames")
}

/// The description, where there is one.
pub(super) fn description(map: &Map<String, Value>) -> Option<String> {
    map.get("description")
        .and_then(Value::as_str)
        .map(str::to_owned)
}

/// The aliases of a field: its own, and those its object states.
pub(super) fn of_field(object: &Map<String, Value>, name: &str, field: &Value) -> Vec<String> {
    let mut aliases = Vec::new();
    if let Value::Object(field) = field {
        own(field, &mut aliases);
    }
    for (_, stated) in object.iter().filter(|(key, _)| is_alias(key)) {
        mapped(stated, name, &mut aliases);
    }
    aliases
}

/// The aliases of one value of an `enum` or `const`.
pub(super) fn of_literal(
    map: &Map<String, Value>,
    value: &Value,
    place: usize,
    count: usize,
) -> Vec<String> {
    let mut aliases = Vec::new();
    if count == 1 {
        own(map, &mut aliases);
    }
    for (_, stated) in map.iter().filter(|(key, _)| is_alias(key)) {
        match stated {
            Value::Array(list) if list.len() == count && count > 1 => {
                strings(&list[place], &mut aliases);
            }
            stated => mapped(stated, value.as_str().unwrap_or_default(), &mut aliases),
        }
    }
    aliases
}

fn own(map: &Map<String, Value>, aliases: &mut Vec<String>) {
    for (key, stated) in map {
        if is_alias(key) || key == "title" {
            strings(stated, aliases);
        }
    }
}

/// A map names either the aliases of each name, or the name of each alias.
fn mapped(stated: &Value, name: &str, aliases: &mut Vec<String>) {
    let Value::Object(map) = stated else { return };
    if let Some(listed) = map.get(name) {
        return strings(listed, aliases);
    }
    aliases.extend(
        map.iter()
            .filter(|(_, of)| of.as_str() == Some(name))
            .map(|(a, _)| a.clone()),
    );
}

fn strings(stated: &Value, aliases: &mut Vec<String>) {
    match stated {
        Value::String(alias) => aliases.push(alias.clone()),
        Value::Array(list) => {
            aliases.extend(list.iter().filter_map(Value::as_str).map(str::to_owned));
        }
        _ => {}
    }
}
