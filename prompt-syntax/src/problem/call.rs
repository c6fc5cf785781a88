//! Filters, tests, methods, functions and macros, and their arguments (numbers 4 and 17).

use super::{Problem, count_given, list_names};
use crate::filters;
use prompt_base::suggest::closest;

/// Number 4: a name that no filter of the angle dialect has. Functions of the user's can be named by their paths, where Rust
/// is compiled.
pub fn unknown_plain(name: &str, known: &[&str], compiled: bool) -> Problem {
    let near = name_in_angle(name).or_else(|| closest(name, known.iter().copied()));
    let help = match (near, compiled) {
        _ if ["length", "len", "count", "size"].contains(&name) => {
            "a loop has `loop.length`; a condition takes the list alone, which is true if it has an item; for a comparison give the number as a field of its own".to_owned()
        }
        (Some(near), true) => {
            format!(
                "did you mean `{near}`? A function of yours is named by its path: `self::{name}`"
            )
        }
        (None, true) => format!(
            "write one of {}, or the path of a function: `self::{name}`",
            list_names(known)
        ),
        (_, false) => super::suggest_name(name, known),
    };
    Problem::new(format!("unknown filter `{name}`"))
        .with_label("not a filter")
        .with_help(help)
}

problems! {
    /// Number 4: the filter of Jinja in the angle dialect, as `value ?? default`.
    pub fn default_of_jinja(right: &str) = "unknown filter `default`",
        label "not a filter", help "write `{right}` for what may not be there";

    /// Number 17: `photos | join(', ')` where the items of `photos` are pairs.
    pub fn joins_pairs(name: &str) = "the items of `{name}` are pairs",
        label "`join` takes a list of texts", help "write `<for first, second in {name}><first>: <second></for>`";
}

/// Number 4: `<for p in passages | first(3)>`, where `tag` is the loop without the filter.
pub fn unknown_in_loop(name: &str, tag: &str, compiled: bool) -> Problem {
    let select = format!("write `{tag}`, and select or sort the items in Rust");
    let help = match (closest(name, filters::list_makers()), compiled) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, true) => {
            format!("{select}; or name a function of yours by its path: `self::{name}`")
        }
        (None, false) => select,
    };
    Problem::new(format!("unknown filter `{name}`"))
        .with_label("not a filter")
        .with_help(help)
}

/// Number 4: `<for part in text | split(",")>`
pub fn unknown_of_text_in_loop(name: &str, lines: &str) -> Problem {
    Problem::new(format!("unknown filter `{name}`"))
        .with_label("not a filter")
        .with_help(format!(
            "write `{lines}` for the lines of the text; or split it in Rust, and give a list as the field"
        ))
}

/// Number 17: `<for p in passages | truncate(3)>`, where `tag` is the loop without the filter, and `target` its item.
pub fn filtered_list(name: &str, written: &str, tag: &str, target: &str) -> Problem {
    text_in_loop_with(
        name,
        match name {
            "join" => format!(
                "write `{tag}`; text between the items is `<if not loop.last>, </if>` in the loop"
            ),
            "truncate" => {
                format!("write `{tag}`, and select the items in Rust, such as the first ones")
            }
            _ => format!("write `{tag}`, and in the loop `<{target} | {written}>`"),
        },
    )
}

/// Number 17: `<for line in text | trim>`
pub fn text_in_loop(name: &str, lines: &str) -> Problem {
    text_in_loop_with(name, format!("write `{lines}` for the lines of the text"))
}

fn text_in_loop_with(name: &str, help: String) -> Problem {
    Problem::new(format!(
        "filter `{name}` makes a text, and a loop needs a list"
    ))
    .with_label("makes a text")
    .with_help(help)
}

/// A filter of the angle dialect by the name that Rust, Jinja or another language has for it.
fn name_in_angle(name: &str) -> Option<&'static str> {
    Some(match name {
        "uppercase" | "to_uppercase" => "upper",
        "lowercase" | "to_lowercase" | "downcase" => "lower",
        "strip" => "trim",
        "tojson" | "to_json" => "json",
        "splitlines" => "lines",
        _ => return None,
    })
}

/// Number 17: an argument of another type than a filter of the angle dialect takes.
pub fn argument_of_plain(name: &str, what: &str, text: bool, example: &str) -> Problem {
    let wanted = match text {
        true => "a quoted string",
        false => "a whole number, 0 or more",
    };
    Problem::new(format!("filter `{name}` takes {what} as {wanted}"))
        .with_label(format!("not {wanted}"))
        .with_help(format!("write `{name}({example})`"))
}

problems! {
    /// Number 17: a filter of the angle dialect with an argument that it does not take.
    pub fn no_argument(name: &str, count: usize) = "filter `{name}` takes no argument",
        label "{count}", help "write `{name}`", where count = count_given(count);

    /// Number 17: a filter of the angle dialect without its argument, or with several.
    pub fn one_argument(name: &str, what: &str, example: &str, count: usize) = "filter `{name}` takes one argument, {what}",
        label "{count}", help "write `{name}({example})`", where count = count_given(count);

    /// Number 17: a filter of lists on a single value.
    pub fn takes_a_list(name: &str) = "filter `{name}` takes a list",
        label "a single value", help "take the filter away";

    /// Number 17: a filter of texts on a list.
    pub fn takes_a_text(name: &str) = "filter `{name}` takes a string",
        label "a list", help "join the list first: `join(\", \")`";

    /// A filter that would show a hash set or map.
    pub fn shows_unordered(name: &str) = "filter `{name}` would show a hash set or map in no order",
        label "would change from run to run", help "make the field a `BTreeSet`, a `BTreeMap`, or a sorted `Vec`; in the angle dialect, the filter `sort` sorts it";

    /// A function of the user's in a template of run time.
    pub fn function_at_run_time() = "a run-time template cannot call a function of yours",
        label "known to the compiler alone", help "fill a field with what it gives";
}
