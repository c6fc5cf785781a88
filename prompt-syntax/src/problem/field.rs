//! Fields without a slot (number 2), and fields that are two things at once.

use super::Problem;
use crate::{Dialect, Span};

/// Number 2: a field that no slot uses. `what` it is to the user, `place` is where its slot would stand, `or` says how it may
/// have none.
pub fn unused(what: &str, name: &str, dialect: Dialect, place: &str, or: &str) -> Problem {
    let slot = dialect.slot(name);
    Problem::new(format!("no slot uses the {what} `{name}`"))
        .labelled("the template ends here")
        .helped(format!("write `{slot}` in {place}, or {or}"))
}

/// Number 2: a field whose slot was most likely meant by words that are text.
pub fn nearly_used(what: &str, name: &str, written: &str, slot: &str, or: &str) -> Problem {
    Problem::new(format!(
        "no slot uses the {what} `{name}`: `{written}` is text"
    ))
    .labelled("no slot")
    .helped(format!("write `{slot}`, or {or}"))
}

/// Number 10: `<name>` with `</name>` is an XML tag, and the field has no other slot.
pub fn tag(what: &str, name: &str, close: Span, or: &str) -> Problem {
    Problem::new(format!(
        "`<{name}>` and `</{name}>` are an XML tag here, so the {what} `{name}` has no slot"
    ))
    .labelled("stays text")
    .related_to(close, "because of this")
    .helped(format!("write the slot as `<input:{name}>`, or {or}"))
}

/// A second history, a second set of tools.
pub fn second(key: &str) -> Problem {
    Problem::new(format!("a second field is marked `{key}`")).helped("keep one of them")
}

/// A field that is two things.
pub fn marked_twice(name: &str, first: &str, second: &str) -> Problem {
    Problem::new(format!(
        "the field `{name}` is marked `{first}` and `{second}`"
    ))
    .helped("keep one of them")
}

/// The place of turns that no field holds.
pub fn no_turns(key: &str) -> Problem {
    Problem::new(match key {
        "history" => "no field is the history",
        _ => "no field holds the examples",
    })
    .helped(format!("mark a field `#[prompt({key})]`"))
}
