//! Values of the wrong kind: `Option`s, lists, media, kinds that do not fit (numbers 7, 15, 16, 17 and 22).

use super::field::{MacroKind, describe_field};
use super::{Problem, suggest_name};
use crate::Dialect;
use crate::Kind;

const MEDIA: &str = "an image, audio, video or file";

/// How a field is shown in a slot.
fn slot_or_expr(dialect: Dialect, name: &str) -> String {
    match dialect {
        Dialect::Jinja => format!("{{{{ {name} }}}}"),
        _ => format!("<{name}>"),
    }
}

/// Number 15: an `Option` outside of a condition.
pub fn option_outside_condition(dialect: Dialect, name: &str) -> Problem {
    Problem::new(format!("`{name}` can be `None`: it is an `Option`"))
        .with_label("not in a condition")
        .with_help(match dialect {
            Dialect::Angle => {
                format!("write `<if {name}>…<{name}>…</if>` or `<{name} ?? \"none\">`")
            }
            Dialect::Jinja => format!(
                "write `{{% if {name} %}}…{{{{ {name} }}}}…{{% endif %}}` or `{{{{ {name} | default(\"none\") }}}}`"
            ),
            _ => format!(
                "give the field a value without `Option`, such as `{name}.unwrap_or_default()`: the {} dialect has no conditions; or write the template with `syntax = \"angle\"`, which has `<if {name}>…<{name}>…</if>` and `<{name} ?? \"none\">`",
                dialect.title()
            ),
        })
}

/// Number 15: the same for an image or a file, which has no default, as a default is text.
pub fn option_of_media(dialect: Dialect, name: &str) -> Problem {
    let problem = option_outside_condition(dialect, name);
    match dialect {
        Dialect::Angle => problem.with_help(format!("write `<if {name}><{name}></if>`")),
        _ => problem,
    }
}

problems! {
    /// Number 7: a field of type `Untrusted` in the system message.
    pub fn unendorsed_field(form: MacroKind, name: &str) = "the untrusted {field} is used in the system message",
        label "its type is `Untrusted`",
        help "move the slot into `user`; or endorse the value where the prompt is filled, `{name}: {name}.endorse(\"…\")`, remove `Untrusted` from the type, and {mark}",
        where field = describe_field(form, name), where mark = form.marking_help(name, "trusted");

    /// Number 7: a trusted field of type `Untrusted`.
    pub fn trusted_and_untrusted(form: MacroKind, name: &str) = "the trusted {field} cannot be `Untrusted`",
        label "trusted and untrusted",
        help "remove `Untrusted` from the type, and endorse the value where the prompt is filled: `{name}: {name}.endorse(\"…\")`",
        where field = describe_field(form, name);

    /// Number 22: media inside of an expression or a string.
    pub fn media_as_text(dialect: Dialect, name: &str) = "`{name}` is not text, and only text can be used here",
        label "{MEDIA}", help "write `{slot}` in a slot of its own", where slot = slot_or_expr(dialect, name);

    /// An `Option` in an `Option`.
    pub fn nested_option(name: &str) = "`{name}` is an `Option` in an `Option`",
        label "wrapped twice", help "make the field one `Option`";
}

/// A default for a value that is not an `Option`, or of which a condition has shown that it is there.
pub fn always_there(dialect: Dialect, name: &str, kind: &Kind, is_shown: bool) -> Problem {
    let slot = slot_or_expr(dialect, name);
    let problem = Problem::new(format!(
        "`{name}` is always there, so its default is never used"
    ));
    if is_shown {
        return problem
            .with_label("a condition around it is true only if it is there")
            .with_help(format!("write `{slot}`"));
    }
    let help = format!("write `{slot}`, or make the field an `Option`");
    problem
        .with_label("not an `Option`")
        .with_help(match dialect {
            Dialect::Jinja => format!("{help}; `default(…, true)` also replaces an empty value"),
            // An `Option` with an empty text has no use for its default either.
            Dialect::Angle if matches!(kind, Kind::Text) => {
                format!("{help}; `<if {name}><{name}><else>…</if>` also replaces an empty text")
            }
            Dialect::Angle if matches!(kind, Kind::List(_)) => {
                format!("{help}; `<for item in {name}>…<else>…</for>` also replaces an empty list")
            }
            _ => help,
        })
}

/// Number 15: a field of an `Option` outside of a condition, in the angle, brace or f-string dialect.
pub fn field_of_option(dialect: Dialect, name: &str, part: &str) -> Problem {
    let problem = option_outside_condition(dialect, name);
    match dialect {
        Dialect::Angle => problem.with_help(format!("write `<if {name}>…<{part}>…</if>`")),
        _ => problem,
    }
}

/// A list of such items in a slot of the angle or brace dialect.
pub fn list_as_text(dialect: Dialect, name: &str, item: &Kind) -> Problem {
    Problem::new(format!("`{name}` is a list"))
        .with_label("a slot shows one value")
        .with_help(match dialect {
            Dialect::Brace | Dialect::Fstring => format!(
                "give the field as a `String`, joined in Rust by `{name}.join(\", \")`: the {} dialect has no loops; or write the template with `syntax = \"angle\"`, which has `<{name} | join(\", \")>`",
                dialect.title()
            ),
            _ if *item == Kind::Media => format!("write `<for item in {name}><item></for>`"),
            _ if matches!(item, Kind::Tuple(_)) => format!(
                "write `<for first, second in {name}><first>: <second></for>`, with a name for each part of an item"
            ),
            _ => match item {
                Kind::Struct([(field, _), ..]) => {
                    format!("write `<for item in {name}>…<item.{field}>…</for>`")
                }
                Kind::Unknown => format!("write `<for item in {name}>…<item>…</for>`, with `<item.field>` for a field of a struct, or `<{name} | join(\", \")>`"),
                _ => format!("write `<for item in {name}>…<item>…</for>` or `<{name} | join(\", \")>`"),
            },
        })
}

problems! {
    /// Number 14: a list in a section of its own.
    pub fn list_as_extra(name: &str) = "the extra field `{name}` is a list", label "an extra field is one text",
        help "make the field a `String`, joined where the prompt is filled: `{name}.join(\"\\n\")`";
}

/// A field of a list, such as `docs.title`. `item` is the variable of a loop over the list that contains the slot.
pub fn part_of_list(
    dialect: Dialect,
    list: &str,
    part: &str,
    item: Option<&str>,
    is_condition: bool,
) -> Problem {
    let slot = |item: &str| dialect.slot(&format!("{item}.{part}"));
    Problem::new(format!("`{list}` is a list, and a list has no field `{part}`"))
        .with_label("a field of an item")
        .with_help(match (dialect, item) {
            (_, Some(item)) if is_condition => format!("write `{item}.{part}` for the item of this loop"),
            (_, Some(item)) => format!("write `{}` for the item of this loop", slot(item)),
            (Dialect::Brace | Dialect::Fstring, _) => format!(
                "the {} dialect has no loops, `syntax = \"angle\"` has: `<for item in {list}><item.{part}></for>`",
                dialect.title()
            ),
            _ if is_condition => format!(
                "write `{list}` alone to ask whether it has items, or give the condition as a field that is a `bool`"
            ),
            _ => format!(
                "write `{}{}{}`",
                dialect.tag(&format!("for item in {list}")),
                slot("item"),
                dialect.end("for")
            ),
        })
}

/// `<title.txt>` for a field `title` that is text or a number. `before` is the text before it.
pub fn part_of_text(
    dialect: Dialect,
    whole: &str,
    part: &str,
    kind: &Kind,
    before: &str,
) -> Problem {
    let is_slot = before.ends_with('<') || before.ends_with('{');
    let name = format!("{whole}.{part}");
    let problem = Problem::new(format!("`{whole}` is {kind} and has no field `{part}`"))
        .with_label("not a field")
        .with_help(match (dialect, is_slot) {
            (Dialect::Angle, true) => {
                format!("write `<{whole}>`, or `\\<{name}>` to keep it as text")
            }
            _ => format!("write `{whole}`"),
        });
    match is_slot {
        true => problem.possibly_pasted(&dialect.slot(&name), None, None),
        false => problem,
    }
}

/// A hash set or map, which would make the text change from run to run. In a loop, `targets` are the names of an item.
pub fn unordered_value(dialect: Dialect, name: &str, targets: &[&str]) -> Problem {
    Problem::new(format!("`{name}` has no order: it is a hash set or map"))
        .with_label("would change from run to run")
        .with_help(match (dialect, targets) {
            (Dialect::Jinja, _) => {
                "make the field a `BTreeSet` if it is a set, a `BTreeMap` if it is a map".to_owned()
            }
            (Dialect::Brace, _) => {
                "make the field a string, sorted and joined before: the brace dialect has no filters"
                    .to_owned()
            }
            (_, []) => format!(
                "write `<{name} | sort | join(\", \")>` for a set, or `<for key, value in {name} | sort><key>: <value></for>` for a map"
            ),
            (_, [item]) => format!(
                "write `<for {item} in {name} | sort>` for a set, or `<for {item}, value in {name} | sort>` for a map"
            ),
            (_, [key, value, ..]) => format!("write `<for {key}, {value} in {name} | sort>`"),
        })
}

problems! {
    /// A map in a slot of the angle dialect.
    pub fn map_as_text(name: &str) = "`{name}` is a map",
        label "a slot shows one value", help "write `<for key, value in {name}><key>: <value></for>`";
}

/// Number 16: a loop with one name over a map.
pub fn map_in_loop(dialect: Dialect, name: &str, target: &str) -> Problem {
    let tag = |names: &str| dialect.tag(&format!("for {names} in {name}"));
    Problem::new(format!("`{name}` is a map: its items are pairs"))
        .with_label("two names take a pair apart")
        .with_help(format!(
            "write `{}` for the keys, or `{}` for the values",
            tag(&format!("{target}, _value")),
            tag(&format!("_key, {target}"))
        ))
}

problems! {
    /// Number 16: a loop with two names over a list whose items are not pairs.
    pub fn no_pairs(dialect: Dialect, name: &str, first: &str, second: &str) = "the items of `{name}` are not pairs",
        label "two names take a pair apart",
        help "write `{tag}`, and `{index}` instead of `{slot}`: the number of the item, counted from 1",
        where tag = dialect.tag(&format!("for {second} in {name}")), where index = dialect.slot("loop.index"), where slot = dialect.slot(first);
}

/// Number 16: a loop over a value that is not a list. `target` is the variable of the loop.
pub fn no_list(dialect: Dialect, name: &str, target: &str, kind: &Kind) -> Problem {
    let shown = slot_or_expr(dialect, name);
    let is_jinja = dialect == Dialect::Jinja;
    let help = match kind {
        Kind::Option(_) if is_jinja => format!(
            "write `{{% if {name} %}}{{% for {target} in {name} %}}…{{% endfor %}}{{% endif %}}`"
        ),
        Kind::Option(_) => format!("write `<if {name}><for {target} in {name}>…</for></if>`"),
        Kind::Text if is_jinja => format!(
            "write `{shown}`, or `{name}.splitlines()` for its lines, or `{name} | list` for its characters"
        ),
        Kind::Text => {
            format!("write `{shown}`, or `<for {target} in {name} | lines>` for its lines")
        }
        Kind::Int if is_jinja => format!("write `{shown}`, or `range({name})` to count"),
        Kind::Struct(_) => {
            let tag = dialect.tag(&format!("for {target} in {name}.field"));
            format!("write a field of it that is a list: `{tag}`")
        }
        Kind::Int | Kind::Number if !is_jinja => format!(
            "write `{shown}`; to count, fill a field with the numbers, such as `numbers: Vec<u32>`"
        ),
        _ => format!("write `{shown}`"),
    };
    Problem::new(format!(
        "`{name}` is {}, not a list",
        describe_kind(dialect, kind)
    ))
    .with_label("a loop needs a list")
    .with_help(help)
}

/// Number 14: the slot of a type parameter that only prints itself: with `T: Display` (`printed` is `display`) or `T: Debug` (`debug`).
pub fn parameter_without_bound(
    dialect: Dialect,
    name: &str,
    parameter: &str,
    printed: &str,
    written: &str,
) -> Problem {
    let bound = match dialect {
        Dialect::Jinja => "typed_prompt::jinja::ToValue + typed_prompt::value::Truthy",
        _ => "typed_prompt::ToPrompt",
    };
    let right = match dialect {
        Dialect::Angle => {
            format!(
                "write `{}`",
                written.replacen(name, &format!("{name} | {printed}"), 1)
            )
        }
        _ => format!("make its type `typed_prompt::value::DisplayValue<{parameter}>`"),
    };
    let bounded_by = match printed {
        "display" => "Display",
        _ => "Debug",
    };
    Problem::new(format!(
        "`{name}` is a `{parameter}`, which `{bounded_by}` prints, and a slot does not use `{bounded_by}`"
    ))
    .with_label("not every such type can fill a slot")
    .with_help(format!("{right}, or add the bound `{parameter}: {bound}`"))
}

problems! {
    /// Number 16: `<for i in 5>`, `<for i in [1, 2]>`
    pub fn constant_in_loop(target: &str) = "a loop needs a list, and a template has no constant lists",
        label "not a list", help "fill a field with the items, such as `items: Vec<u32>`, and write `<for {target} in items>`";
}

/// The angle and brace dialects do not distinguish kinds of single values.
fn describe_kind(dialect: Dialect, kind: &Kind) -> String {
    match kind {
        Kind::Bool | Kind::Int | Kind::Float | Kind::Number if dialect != Dialect::Jinja => {
            "a single value".to_owned()
        }
        kind => kind.to_string(),
    }
}

/// Number 7: untrusted data in the system message. `slot` is the path of a slot that is this value alone.
pub fn untrusted_in_system(
    form: MacroKind,
    dialect: Dialect,
    name: &str,
    slot: Option<&str>,
) -> Problem {
    let mut help = match (dialect, slot) {
        (Dialect::Angle, Some(path)) => format!(
            "write `\\<{path}>` to keep it as text; or move the slot into `user`, as `<input:{path}>`"
        ),
        (Dialect::Brace | Dialect::Fstring, Some(path)) => {
            format!("write `{{{{{path}}}}}` to keep it as text; or move the slot into `user`")
        }
        _ => "move the slot into `user`".to_owned(),
    };
    help += &format!(
        "; or, if `{name}` never contains a user's text, {}",
        form.marking_help(name, "trusted")
    );
    Problem::new(format!(
        "the untrusted {} is used in the system message",
        describe_field(form, name)
    ))
    .with_label("its value could instruct the model")
    .with_help(help)
}

/// Number 7: tools that may not be the program's own.
pub fn untrusted_tools(form: MacroKind, name: &str) -> Problem {
    Problem::new(format!("the tools in {} are untrusted", describe_field(form, name)))
        .with_label("their descriptions could instruct the model")
        .with_help(
            "if your program defines them, or you have reviewed them, write `#[prompt(tools, trusted)]` or make the type \
             `Trusted<…>`; the tools of an enum are passed with `llm.with_tools(…)` and need neither",
        )
}

problems! {
    /// Number 22: media in the system message.
    pub fn media_in_system(name: &str) = "the system message is text, and `{name}` is not",
        label "{MEDIA}", help "move the slot into `user`";

    /// Number 22: a filter of media.
    pub fn filtered_media(name: &str) = "`{name}` is not text, so it has no filters",
        label "{MEDIA}", help "write `<{name}>` alone";

    /// Number 22: a default for media.
    pub fn media_default(name: &str) = "`{name}` is not text, so it has no default",
        label "an image, audio, video or file", help "write `<if {name}><{name}><else>…</if>`";
}

/// A field that a struct does not have, or a map that is only known when the template is rendered, in a run-time template.
pub fn no_field(whole: &str, part: &str, names: &[&str]) -> Problem {
    Problem::new(format!("`{whole}` has no field `{part}`"))
        .with_label("not a field")
        .with_help(suggest_name(part, names))
}

/// An attribute that no item of a list of structs has, in a run-time template: `map(attribute="nmae")`.
pub fn no_field_of_items(list: &str, part: &str, names: &[&str]) -> Problem {
    Problem::new(format!("the items of `{list}` have no field `{part}`"))
        .with_label("not a field")
        .with_help(suggest_name(part, names))
}

/// A struct in a slot, or a map that is only known when the template is rendered, in a run-time template.
pub fn struct_as_text(dialect: Dialect, name: &str) -> Problem {
    Problem::new(format!("`{name}` is a struct or a map"))
        .with_label("a slot shows one value")
        .with_help(match dialect {
            Dialect::Angle => format!("write a field of it, `<{name}.field>`, or `<{name} | json>`"),
            _ => format!(
                "make the field a string: the {} dialect has no paths, `syntax = \"angle\"` has: `<{name}.field>`",
                dialect.title()
            ),
        })
}

problems! {
    /// A field of a struct that is `None`, in a run-time template.
    pub fn field_of_none(name: &str, part: &str) = "`{name}` is `None`: it is an `Option`",
        label "not in a condition", help "write `<if {name}>…<{part}>…</if>`";

    /// A filter for text in a list of structs.
    pub fn items_with_fields(list: &str) = "the items of `{list}` are structs or maps",
        label "takes a list of texts or numbers", help "write `<for item in {list}>…<item.field>…</for>`";
}
