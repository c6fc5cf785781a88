//! Values of the wrong kind, and those in expressions of the Jinja dialect.

use crate::builtin::{FILTERS, METHODS, find};
use prompt_syntax::problem::Problem;
pub use prompt_syntax::problem::value::*;
use prompt_syntax::{Dialect, Kind, problems};

/// Number 15: a part of an `Option` outside of a condition, in the Jinja dialect.
pub fn part_of_option(name: &str, part: &str) -> Problem {
    option_outside_condition(Dialect::Jinja, name).with_help(format!(
        "write `{{% if {name} %}}…{{{{ {part} }}}}…{{% endif %}}`"
    ))
}

/// `{{ name.part }}` of what has no parts.
pub fn no_part(name: &str, kind: &Kind, part: &str) -> Problem {
    Problem::new(format!("`{name}` is {kind}, so it has no `{part}`"))
        .with_label("no such part")
        .with_help(match kind {
            _ if ["length", "len", "count", "size"].contains(&part) => {
                format!("write `{name} | length`")
            }
            Kind::List(_) | Kind::Tuple(_) => {
                format!("write `{name}[0]` for an item, or `{{% for item in {name} %}}`")
            }
            Kind::Text if find(METHODS, part).is_some() => format!("write `{name}.{part}()`"),
            Kind::Text if find(FILTERS, part).is_some() => format!("write `{name} | {part}`"),
            _ => format!("write `{name}`"),
        })
}

problems! {
    /// `{{ name["a"] }}` of a list.
    pub fn index_not_a_number(kind: &Kind, given: &Kind) = "an item of {kind} has a number",
        label "{given}", help "write `[0]` for the first item, `[-1]` for the last";

    /// An operator beside `a if b`, which may be undefined.
    pub fn beside_nothing(sign: &str) = "`{sign}` is used beside a value that may be missing",
        label "has no `else`", help "write what it is otherwise: `… if … else \"\"`";

    /// `{{ count[0] }}`
    pub fn no_items(kind: &Kind, name: &str) = "{kind} has no items",
        label "no list, map or text", help "write `{name}`";

    /// `{{ count[1:] }}`
    pub fn no_slices(kind: &Kind, name: &str) = "{kind} cannot be cut into slices",
        label "no list or text", help "write `{name}`";

    /// `{{ items["a":] }}`
    pub fn slice_bound(given: &Kind) = "a slice is cut at whole numbers",
        label "{given}", help "write `[1:3]`";

    /// `{{ -name }}`
    pub fn no_number(sign: &str, kind: &Kind) = "`{sign}` cannot be applied to {kind}",
        label "no number", help "make a number of it: `| int`";
}

/// An operator between values of two kinds.
pub fn mismatched_operands(sign: &str, left: &Kind, right: &Kind) -> Problem {
    let texts = (*left == Kind::Text) != (*right == Kind::Text);
    let other = if *left == Kind::Text { right } else { left };
    let (message, help) = match sign {
        "+" if texts => (
            format!("`+` joins {left} and {right}"),
            "write `~`, which makes texts of both",
        ),
        "==" | "!=" => (
            format!("`{sign}` compares {left} with {right}, which are never equal"),
            if texts && other.is_number() {
                "compare with a string, or make a number of it: `| int`"
            } else {
                "compare values of one kind"
            },
        ),
        "<" | "<=" | ">" | ">=" => (
            format!("`{sign}` compares {left} with {right}"),
            if texts && other.is_number() {
                "make a number of the text: `| int`"
            } else {
                "compare values of one kind"
            },
        ),
        _ => (
            format!("`{sign}` cannot be applied to {left} and {right}"),
            if sign == "%" && *left == Kind::Text {
                "write the pattern as `\"%.2f\" | format(number)`"
            } else if texts {
                "make a number of the text: `| int`"
            } else {
                "use two numbers"
            },
        ),
    };
    Problem::new(message)
        .with_label("of two kinds")
        .with_help(help)
}

problems! {
    /// `{{ a in 1 }}`
    pub fn not_in(kind: &Kind) = "nothing can be `in` {kind}",
        label "no list, map or text", help "ask for an item of a list, a key of a map, or a part of a string";

    /// `{% set a, b = value %}` of another number of values.
    pub fn wrong_number_of_values(names: usize, values: usize) = "{names} names take {values} values",
        label "not as many", help "give as many names as there are values";

    /// `{% for key, value in map %}`
    pub fn keys_alone(name: &str) = "a loop over a map has its keys alone",
        label "no pairs", help "write `{name}.items()`";

    /// `{% set a, b = value %}` of one value.
    pub fn not_taken_apart(names: usize, kind: &Kind) = "{names} names take {kind}",
        label "cannot be taken apart", help "give one name";

    /// `{% filter length %}`
    pub fn block_result(kind: &Kind) = "the filters of this block give {kind}",
        label "no text", help "end with `| string`, or set a block and write `{{{{ … }}}}`";
}
