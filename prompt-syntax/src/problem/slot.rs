//! Slots of the angle and brace dialects, and the notation of their tags.

use super::Problem;
use crate::Dialect;

problems! {
    /// `"<name | json>"`
    pub(crate) fn quoted_json(written: &str) = "the filter writes quotes, and `{written}` is between quotes",
        label "quoted twice", help "remove the quotes around it";

    /// Number 3: `<input:name`, `<name | join` without the end of the slot.
    pub fn unclosed_slot(written: &str) = "this slot is never closed",
        label "opened here", help "write `{written}>`, or `\\{written}` to keep it as text";

    /// Number 3: the same in the brace dialect, `{input:name`.
    pub fn unclosed_brace(name: &str) = "this slot is never closed",
        label "opened here", help "write `{{input:{name}}}`, or `{{{{input:{name}` to keep it as text";
}

/// `<input:>`, `{input:}`
pub fn nameless_slot(dialect: Dialect) -> Problem {
    Problem::new("this slot names no field")
        .with_label("a name is missing after `input:`")
        .with_help(match dialect {
            Dialect::Brace => {
                "write `{input:name}` with the name of a field, or `{{input:}}` to keep it as text"
            }
            _ => {
                "write `<input:name>` with the name of a field, or `\\<input:>` to keep it as text"
            }
        })
        .possibly_pasted(&dialect.slot("input:"), None, None)
}

problems! {
    /// `{input:user.name}`
    pub fn more_than_a_name(name: &str, written: &str) = "a slot of the brace dialect is one name",
        label "more than a name",
        help "write `{{input:{name}}}`, or `{{{{{written}}}}}` to keep it as text; paths and filters need `syntax = \"angle\"`";

    /// `<if | upper>`
    pub fn named_like_block(name: &str, words: &str) = "`{name}` begins a block, so it names no slot",
        label "not a slot", help "write `<input:{words}>` for a field `{name}`, or `\\<{words}>` to keep it as text";

    /// `<trim ?? "none" | upper>`
    pub fn default_inside() = "`??` is used inside of another value",
        label "not at the end of the slot", help "write it last: `<x | trim ?? \"none\">`";

    /// `<a and b>`
    pub fn condition_as_value() = "a condition is used where a value is expected",
        label "true or false, not text", help "write `<if …>…</if>`";

    /// `{{ "a": 1 }}` in the brace dialect.
    pub fn doubled_brace(written: &str) = "`{written}` is doubled, and single braces are text in the brace dialect",
        label "an escape of Python's formats",
        help "add `syntax = \"fstring\"` if all braces of the text are doubled; or write one brace, or `<raw>{written}</raw>` to keep them";

    /// `{{#if name}}` in the brace dialect.
    pub fn block_in_brace(written: &str) = "`{written}` is a block of Handlebars",
        label "not of the brace dialect",
        help "write `{{name}}` for a value: the brace dialect has no conditions, loops and includes, `syntax = \"angle\"` has conditions and loops; or write `<raw>{written}</raw>` to keep it as text";

    /// `{{ question }}` in the brace dialect.
    pub fn doubled_slot(written: &str, name: &str) = "`{written}` is a slot in Jinja, and an escape in Python's formats",
        label "not a slot of the brace dialect",
        help "write `{{{name}}}`; or add `syntax = \"fstring\"` if all braces of the text are doubled, or `syntax = \"jinja\"`; or write `<raw>{written}</raw>` to keep it as text";

    /// Constructs that the parser reads and only the Jinja dialect has.
    pub fn unsupported_here(what: &str) = "{what} is not supported here",
        label "not supported", help "compute the value in Rust and give it as a field";
}
