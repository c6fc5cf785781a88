//! Descriptions of types and excerpts of text, for messages.

use crate::types::{Bound, Numbers, Object, Type, TypeIndex, TypeTable};

/// The longest excerpt, in characters.
const MAX_EXCERPT: usize = 40;
/// The largest number of listed names.
const MAX_NAMES: usize = 8;

/// Describes the values that a type accepts: `a whole number from 0 to 255`.
pub(crate) fn describe_type(types: &TypeTable, id: TypeIndex) -> String {
    // A message is one line: two levels identify the type, and a recursive type has no end.
    describe_nested(types, id, 2)
}

/// The same as the label of an issue.
pub(crate) fn expected_label(types: &TypeTable, id: TypeIndex) -> String {
    ["expected ", &describe_type(types, id)].concat()
}

fn describe_nested(types: &TypeTable, id: TypeIndex, depth: u8) -> String {
    match types.get(id) {
        Type::Any => "a value".to_owned(),
        Type::Never | Type::Same(_) => "nothing".to_owned(),
        Type::Null => "null".to_owned(),
        Type::Bool => "true or false".to_owned(),
        Type::Number(numbers) => {
            let name = if numbers.is_whole {
                "a whole number"
            } else {
                "a number"
            };
            [name, &describe_bounds(*numbers)].concat()
        }
        Type::Text => "a string".to_owned(),
        Type::Choice(literals) => {
            join_names(literals.iter().map(|literal| literal.text.as_str()), " or ")
        }
        Type::List(_) if depth == 0 => "a list".to_owned(),
        Type::List(list) if list.first.is_empty() => [
            "a list, each ",
            &describe_nested(types, list.rest, depth - 1),
        ]
        .concat(),
        Type::List(list) => format!("a list of {}", list.first.len()),
        Type::Object(object) => describe_fields(object),
        Type::Nullable(inner) => describe_nested(types, *inner, depth) + " or null",
        Type::Union(variants) if depth > 0 => variants
            .iter()
            .map(|variant| describe_nested(types, *variant, depth - 1))
            .collect::<Vec<_>>()
            .join(", or "),
        Type::Union(variants) => format!("one of {} types", variants.len()),
    }
}

fn describe_fields(object: &Object) -> String {
    match object.fields.is_empty() {
        true => "an object".to_owned(),
        false => {
            let names = join_names(
                object.fields.iter().map(|field| field.name.as_str()),
                " and ",
            );
            ["an object with ", &names].concat()
        }
    }
}

/// `` `a`, `b` or `c` ``
fn join_names<'n>(names: impl Iterator<Item = &'n str>, last: &str) -> String {
    let mut names: Vec<String> = names.map(|name| ["`", name, "`"].concat()).collect();
    if names.len() > MAX_NAMES {
        let more = names.len() - MAX_NAMES;
        names.truncate(MAX_NAMES);
        names.push(format!("{more} more"));
    }
    match names.pop() {
        Some(only) if names.is_empty() => only,
        Some(end) => names.join(", ") + last + &end,
        None => "nothing".to_owned(),
    }
}

/// ` from 0 to 1, a multiple of 0.5`
fn describe_bounds(numbers: Numbers) -> String {
    let step = numbers
        .multiple_of
        .map_or(String::new(), |step| format!(", a multiple of {step}"));
    let describe = |bound: Bound, inclusive: &str, exclusive: &str| match bound.is_exclusive {
        false => format!(" {inclusive} {}", bound.value),
        true => format!(" {exclusive} {}", bound.value),
    };
    let low = numbers.min.map(|min| describe(min, "of at least", "above"));
    let high = numbers.max.map(|max| describe(max, "of at most", "below"));
    match (numbers.min, numbers.max) {
        (Some(min), Some(max)) if !min.is_exclusive && !max.is_exclusive => {
            format!(" from {} to {}{step}", min.value, max.value)
        }
        _ => match (low, high) {
            (Some(low), Some(high)) => format!("{low} and{high}{step}"),
            (low, high) => low.or(high).unwrap_or_default() + &step,
        },
    }
}

/// The first line of a text, shortened.
pub(crate) fn excerpt(text: &str) -> String {
    let text = text.trim();
    let line = text.lines().next().unwrap_or_default().trim_end();
    if line.len() == text.len() && line.len() <= MAX_EXCERPT {
        return line.to_owned();
    }
    let cut = line.len() < text.len() || line.chars().count() > MAX_EXCERPT;
    let short: String = line.chars().take(MAX_EXCERPT).collect();
    if cut { short + "…" } else { short }
}
