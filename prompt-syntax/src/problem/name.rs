//! Names: unknown names, and names that blocks define.

use super::{Problem, list_names};
use crate::name::{LOOP_PARTS, is_latex};
use crate::notation::OUTPUT_TYPES;
use crate::{Dialect, Role};
use prompt_base::suggest::closest;

/// The help for the tag of a role where roles are not read.
pub(crate) const MESSAGES: &str = "write the messages as `<user>…</user>` and the like in a `template`, or with the keys `system`, `user` and `assistant`";

/// Number 1: a name that is not in scope. `before` is the text before the name, `written` the tag that contains it if it is known,
/// `names` are those that it could be, and `owner` has so many fields.
pub fn unknown_name(
    dialect: Dialect,
    name: &str,
    before: &str,
    written: Option<&str>,
    names: &[&str],
    owner: &str,
    fields: usize,
) -> Problem {
    let as_text = match dialect {
        Dialect::Brace | Dialect::Fstring => {
            format!("write `{{{{{name}}}}}` for the text `{{{name}}}`")
        }
        _ => match written {
            Some(written) => format!("write `\\{written}` to keep it as text"),
            None => format!("write `\\<{name}>` to keep it as text"),
        },
    };
    // In a condition, a loop or an argument it is never text.
    let is_slot = dialect != Dialect::Jinja
        && ["<", "<input:", "{", "{input:"]
            .iter()
            .any(|open| before.ends_with(open));
    let near = closest(name, names.iter().copied());
    let is_role = near.is_none()
        && is_slot
        && dialect == Dialect::Angle
        && Role::from_any_library(name).is_some();
    let compared = before.trim_end();
    let compared = ["==", "!="]
        .iter()
        .find_map(|sign| compared.strip_suffix(sign));
    let is_operand =
        dialect == Dialect::Angle && (compared.is_some() || before.trim_end().ends_with("??"));
    let is_of_loop = LOOP_PARTS.contains(&name) && names.contains(&"loop");
    let output_type = output_type(name, dialect);
    let help = match near {
        None if output_type.is_some() => format!(
            "remove `{}`, since a call sends the type of `output`; or add a field `{name}`",
            output_type.unwrap_or_default()
        ),
        _ if is_of_loop && dialect == Dialect::Angle => match is_slot {
            true => format!("write `<loop.{name}>`; or {as_text}"),
            false => format!("write `loop.{name}`"),
        },
        _ if name == "raw" && is_slot && dialect == Dialect::Angle => {
            format!("write `</raw>` behind the text that is kept; or {as_text}")
        }
        None if matches!(name, "break" | "continue") && names.contains(&"loop") => format!(
            "there is none: give the items that are wanted, or show an item only inside of `{}…{}`; or {as_text}",
            dialect.tag("if loop.index <= 3"),
            dialect.end("if"),
        ),
        _ if is_role => format!("{MESSAGES}; or {as_text}"),
        _ if name == "loop" && matches!(dialect, Dialect::Angle | Dialect::Jinja) => {
            let block = dialect.tag("for …");
            format!("write `loop.index` and the like inside of a `{block}` block")
        }
        _ if compared.is_some() && ["null", "none", "None", "nil"].contains(&name) => {
            let left = compared.unwrap_or_default().trim_end();
            let left = left.rsplit(char::is_whitespace).next().unwrap_or_default();
            format!("write `<if {left}>`, which is true if it has a value, or `<if not {left}>`")
        }
        near if is_operand => {
            let own = |near: &&str| !before.contains(&format!("{near} "));
            let or = near
                .filter(own)
                .map(|near| format!("; or did you mean `{near}`?"));
            format!("write `'{name}'` for a text{}", or.unwrap_or_default())
        }
        _ if matches!(dialect, Dialect::Brace | Dialect::Fstring) && is_latex(before) => {
            format!("{as_text}, as LaTeX needs it")
        }
        Some(near) if is_slot => format!("did you mean `{near}`? If not, {as_text}"),
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let mut ways = Vec::new();
            match names {
                [only] => ways.push(format!("use `{only}`")),
                [_, ..] if names.len() <= 8 => {
                    ways.push(format!("use one of {}", list_names(names)));
                }
                _ => {}
            }
            if compared.is_some() || before.trim_end().ends_with("??") {
                ways.push(format!("write `\"{name}\"` for the text"));
            }
            ways.push(format!("add a field `{name}`"));
            if is_slot {
                ways.push(as_text);
            }
            ways.join("; or ")
        }
    };
    let problem = Problem::new(format!("unknown slot `{name}`"))
        .with_label(match fields {
            0 => format!("`{owner}` has no fields"),
            _ => format!("not a field of `{owner}`"),
        })
        .with_help(help);
    if !is_slot {
        return problem;
    }
    let slot = dialect.slot(name);
    let mut problem = problem.possibly_pasted(written.unwrap_or(&slot), None, None);
    if let Some(pasted) = &mut problem.pasted {
        pasted.misspelt = near.is_some();
    }
    problem
}

/// What begins with this name, if other tools replace it by a description of the output type. Paths are those of the Jinja dialect.
fn output_type(name: &str, dialect: Dialect) -> Option<&'static str> {
    let mut known = OUTPUT_TYPES.into_iter();
    known.find(|written| match written.split_once('.') {
        Some((first, _)) => first == name && dialect == Dialect::Jinja,
        None => *written == name,
    })
}

/// Number 1: `<for item in items>…</for><item>`. `unknown` is the problem without the block.
pub(crate) fn outside_of_its_block(name: &str, unknown: Problem) -> Problem {
    let problem = Problem::new(format!("`{name}` is used outside of its block"))
        .with_label("has no value here")
        .with_help(
            "move it into the block that defines it; or give the value as a field of another name",
        );
    Problem {
        pasted: unknown.pasted,
        ..problem
    }
}

/// A field that its key keeps out of the template's text.
pub fn field_without_slot(name: &str, key: &str) -> Problem {
    let (why, help) = match key {
        "history" => (
            "its turns are messages of their own",
            "leave the slot out: the turns go before the last user message".to_owned(),
        ),
        "tools" => (
            "tools are given to the model beside the messages",
            "leave the slot out".to_owned(),
        ),
        "extra" => (
            "it gets a section of its own after the instruction",
            format!("leave the slot out, or take `extra` off the field `{name}`"),
        ),
        _ => (
            "it is skipped",
            format!("take `skip` off the field `{name}`"),
        ),
    };
    Problem::new(format!(
        "the field `{name}` is marked `{key}`, so it has no slot"
    ))
    .with_label(why)
    .with_help(help)
}

problems! {
    /// A name of Rust that no variable can have, in `prompt!`.
    pub fn no_variable(name: &str) = "`{name}` names no variable", help "give the slot another name";
}

/// Number 1: a slot of `prompt!` with the name of a type, as in Rust code that was pasted.
pub fn type_captured(dialect: Dialect, name: &str) -> Problem {
    let as_text = match dialect {
        Dialect::Brace | Dialect::Fstring => {
            format!("write `{{{{{name}}}}}` for the text `{{{name}}}`")
        }
        _ => format!("write `\\<{name}>` to keep it as text"),
    };
    Problem::new(format!(
        "`{name}` is named like a type, not like a variable"
    ))
    .with_label("nothing to show")
    .with_help(format!(
        "{as_text}, or give the slot its value: `{name} = …`"
    ))
}

problems! {
    /// Number 16: a loop variable that hides a field.
    pub fn hides_field(name: &str) = "the loop variable `{name}` has the name of a field",
        label "hides the field inside the loop", help "give it another name";

    /// Number 16: a loop variable that hides that of a loop around.
    pub fn hides_loop(name: &str) = "`{name}` is bound again inside of its own loop",
        label "hides the one outside", help "give one of them another name";
}

/// Number 16: a name that is given and never used.
pub fn binding_as_tag(name: &str) -> Problem {
    Problem::new(format!("no slot uses the loop variable `{name}`: `<{name}>` is a tag, because the prompt contains `</{name}>`"))
        .with_label("bound here")
        .with_help(format!("write `<input:{name}>` in the loop, or give the variable another name"))
}

/// A loop variable that is never used.
pub fn unused_loop_variable(dialect: Dialect, name: &str) -> Problem {
    let slot = dialect.slot(name);
    Problem::new(format!("the loop variable `{name}` is never used"))
        .with_label("bound here")
        .with_help(format!("write `{slot}` in the loop, or call it `_{name}`"))
}

problems! {
    /// `{{ loop }}`
    pub fn whole_loop() = "`loop` is not a value",
        label "the state of the loop", help "write `loop.index`, `loop.first`, `loop.last` or `loop.length`";
}

/// `{{ loop.previtem }}`
pub fn no_part_of_loop(part: &str, names: &[&str]) -> Problem {
    Problem::new(format!("`loop` has no `{part}`"))
        .with_label("not a property of `loop`")
        .with_help(match closest(part, names.iter().copied()) {
            Some(near) => format!("did you mean `loop.{near}`?"),
            None => format!("it has {}", list_names(names)),
        })
}
