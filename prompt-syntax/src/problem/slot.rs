//! What fills a slot of the angle and brace dialects, and how its tag is written.

use super::Problem;
use crate::Dialect;

/// Number 3: `<input:name`, `<name | join` without the end of the slot.
pub fn unclosed(written: &str) -> Problem {
    Problem::new("this slot is never closed")
        .labelled("opened here")
        .helped(format!(
            "write `{written}>`, or `\\{written}` to keep it as text"
        ))
}

/// Number 3: the same in the brace dialect, `{input:name`.
pub fn unclosed_brace(name: &str) -> Problem {
    Problem::new("this slot is never closed")
        .labelled("opened here")
        .helped(format!(
            "write `{{input:{name}}}`, or `{{{{input:{name}` to keep it as text"
        ))
}

/// `<input:>`, `{input:}`
pub fn nameless(dialect: Dialect) -> Problem {
    Problem::new("this slot names no field")
        .labelled("a name is missing after `input:`")
        .helped(match dialect {
            Dialect::Brace => {
                "write `{input:name}` with the name of a field, or `{{input:}}` to keep it as text"
            }
            _ => {
                "write `<input:name>` with the name of a field, or `\\<input:>` to keep it as text"
            }
        })
}

/// `{input:user.name}`
pub fn more_than_a_name(name: &str, written: &str) -> Problem {
    Problem::new("a slot of the brace dialect is one name")
        .labelled("more than a name")
        .helped(format!(
            "write `{{input:{name}}}`, or `{{{{{written}}}}}` to keep it as text; paths and filters need `syntax = \"angle\"`"
        ))
}

/// `<if | upper>`
pub fn named_like_block(name: &str, words: &str) -> Problem {
    Problem::new(format!("`{name}` begins a block, so it names no slot"))
        .labelled("not a slot")
        .helped(format!(
            "write `<input:{words}>` for a field `{name}`, or `\\<{words}>` to keep it as text"
        ))
}

/// `<trim ?? "none" | upper>`
pub fn default_inside() -> Problem {
    Problem::new("`??` stands inside of another value")
        .labelled("not at the end of the slot")
        .helped("write it last: `<x | trim ?? \"none\">`")
}

/// `<a and b>`
pub fn condition() -> Problem {
    Problem::new("a condition stands where a value is expected")
        .labelled("true or false, no text")
        .helped("write `<if …>…</if>`")
}

/// What the parser reads and only the Jinja dialect has.
pub fn unsupported(what: &str) -> Problem {
    Problem::new(format!("{what} is not supported here"))
        .labelled("not supported")
        .helped("compute the value in Rust and give it as a field")
}

/// What only the angle and brace dialects have.
pub fn not_of_jinja() -> Problem {
    Problem::new("this cannot stand in the Jinja dialect")
        .labelled("of another dialect")
        .helped("write `{{ x | default(\"none\") }}` for what may not be there")
}
