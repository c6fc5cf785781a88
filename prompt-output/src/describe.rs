//! Shapes and texts in the words of a message.

use crate::shape::{Bound, Id, Integers, Numbers, Object, Rest, Shape, Shapes};

/// How much of a text is quoted, in characters.
const QUOTE: usize = 40;
/// How many names are listed.
const NAMES: usize = 8;

/// What a shape asks for: `a whole number from 0 to 255`.
pub(crate) fn describe(shapes: &Shapes, id: Id) -> String {
    within(shapes, id, 2)
}

/// What a shape asks for, as a label.
pub(crate) fn expected(shapes: &Shapes, id: Id) -> String {
    ["expected ", &describe(shapes, id)].concat()
}

fn within(shapes: &Shapes, id: Id, depth: u8) -> String {
    match shapes.get(id) {
        Shape::Any => "a value".to_owned(),
        Shape::Never | Shape::Same(_) => "nothing".to_owned(),
        Shape::Null => "null".to_owned(),
        Shape::Bool => "true or false".to_owned(),
        Shape::Integer(integers) => ["a whole number", &range(*integers)].concat(),
        Shape::Number(numbers) => ["a number", &bounds(*numbers)].concat(),
        Shape::Text(_) => "a string".to_owned(),
        Shape::Choice(literals) => {
            names(literals.iter().map(|literal| literal.text.as_str()), " or ")
        }
        Shape::List(_) | Shape::Tuple(_) if depth == 0 => "a list".to_owned(),
        Shape::List(list) => ["a list, each ", &within(shapes, list.item, depth - 1)].concat(),
        Shape::Tuple(items) => format!("a list of {}", items.len()),
        Shape::Object(object) => fields(object),
        Shape::Nullable(inner) => within(shapes, *inner, depth) + " or null",
        Shape::Union(variants) if depth > 0 => variants
            .iter()
            .map(|variant| within(shapes, *variant, depth - 1))
            .collect::<Vec<_>>()
            .join(", or "),
        Shape::Union(variants) => format!("one of {} types", variants.len()),
    }
}

fn fields(object: &Object) -> String {
    match object.rest {
        Rest::Map { .. } if object.fields.is_empty() => "an object".to_owned(),
        _ if object.fields.is_empty() => "an empty object".to_owned(),
        _ => {
            let names = names(
                object.fields.iter().map(|field| field.name.as_str()),
                " and ",
            );
            ["an object with ", &names].concat()
        }
    }
}

/// `` `a`, `b` or `c` ``
fn names<'n>(names: impl Iterator<Item = &'n str>, last: &str) -> String {
    let mut names: Vec<String> = names.map(|name| ["`", name, "`"].concat()).collect();
    if names.len() > NAMES {
        let more = names.len() - NAMES;
        names.truncate(NAMES);
        names.push(format!("{more} more"));
    }
    match names.pop() {
        Some(only) if names.is_empty() => only,
        Some(end) => names.join(", ") + last + &end,
        None => "nothing".to_owned(),
    }
}

/// ` from 0 to 255`, unless every number of 64 bits is allowed.
pub(crate) fn range(integers: Integers) -> String {
    let low = (integers.min > i128::from(i64::MIN)).then_some(integers.min);
    let high = (integers.max < i128::from(i64::MAX)).then_some(integers.max);
    let range = match (low, high) {
        (Some(low), Some(high)) => format!(" from {low} to {high}"),
        (Some(low), None) => format!(" of at least {low}"),
        (None, Some(high)) => format!(" of at most {high}"),
        (None, None) => String::new(),
    };
    match integers.multiple_of {
        Some(step) => format!("{range}, a multiple of {step}"),
        None => range,
    }
}

/// ` from 0 to 1`
pub(crate) fn bounds(numbers: Numbers) -> String {
    let low = numbers.min.map(|(bound, kind)| match kind {
        Bound::Inclusive => format!(" of at least {bound}"),
        Bound::Exclusive => format!(" above {bound}"),
    });
    let high = numbers.max.map(|(bound, kind)| match kind {
        Bound::Inclusive => format!(" of at most {bound}"),
        Bound::Exclusive => format!(" below {bound}"),
    });
    match (numbers.min, numbers.max) {
        (Some((low, Bound::Inclusive)), Some((high, Bound::Inclusive))) => {
            format!(" from {low} to {high}")
        }
        _ => match (low, high) {
            (Some(low), Some(high)) => format!("{low} and{high}"),
            (low, high) => low.or(high).unwrap_or_default(),
        },
    }
}

/// A text on one line, cut short.
pub(crate) fn excerpt(text: &str) -> String {
    let text = text.trim();
    let line = text.lines().next().unwrap_or_default().trim_end();
    if line.len() == text.len() && line.len() <= QUOTE {
        return line.to_owned();
    }
    let cut = line.len() < text.len() || line.chars().count() > QUOTE;
    let short: String = line.chars().take(QUOTE).collect();
    if cut { short + "…" } else { short }
}
