//! What is said of a mistake in a template of run time: the words of the compiler.

use prompt_syntax::builtin::{Builtin, REFUSED};
use prompt_syntax::suggest::closest;
use prompt_syntax::{Dialect, Error, Expr, Literal, Path, Span};

use crate::dynamic::fields::Field;

/// A name of nothing in scope.
pub(super) fn unknown(
    dialect: Dialect,
    path: &Path,
    text: &str,
    names: &[&str],
    owner: &str,
    fields: usize,
) -> Error {
    let first = &path.segments[0];
    let name = first.as_str();
    let as_text = match dialect {
        Dialect::Brace => format!("write `{{{{{name}}}}}` for the text `{{{name}}}`"),
        _ => format!("write `\\<{name}>` to keep it as text"),
    };
    let written = text.get(..path.span.start).unwrap_or_default();
    let is_slot = dialect != Dialect::Jinja
        && ["<", "<input:", "{", "{input:"]
            .iter()
            .any(|open| written.ends_with(open));
    let help = match closest(name, names.iter().copied()) {
        Some(near) if is_slot => format!("did you mean `{near}`? If not, {as_text}"),
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let mut ways = Vec::new();
            match names[..] {
                [only] => ways.push(format!("use `{only}`")),
                [_, ..] if names.len() <= 8 => {
                    ways.push(format!("use one of `{}`", names.join("`, `")));
                }
                _ => {}
            }
            ways.push(format!("add a field `{name}`"));
            if is_slot {
                ways.push(as_text);
            }
            ways.join("; or ")
        }
    };
    let label = if fields == 0 {
        format!("`{owner}` has no fields")
    } else {
        format!("not a field of `{owner}`")
    };
    Error::new(first.span, format!("unknown slot `{name}`"))
        .label(label)
        .help(help)
}

/// A field that is no slot.
pub(super) fn apart(path: &Path, key: &str) -> Error {
    let name = path.segments[0].as_str();
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
    Error::new(
        path.span,
        format!("the field `{name}` is marked `{key}`, so it has no slot"),
    )
    .label(why)
    .help(help)
}

pub(super) fn option(dialect: Dialect, name: &str, span: Span) -> Error {
    Error::new(span, format!("`{name}` may not be there: it is an `Option`"))
        .label("stands in no condition")
        .help(match dialect {
            Dialect::Angle => format!("write `<if {name}>…<{name}>…</if>` or `<{name} ?? \"none\">`"),
            Dialect::Brace => format!("make the field no `Option`: the brace dialect has no conditions, `syntax = \"angle\"` has: `<if {name}>…<{name}>…</if>`"),
            Dialect::Jinja => format!("write `{{% if {name} %}}…{{{{ {name} }}}}…{{% endif %}}` or `{{{{ {name} | default(\"none\") }}}}`"),
        })
}

pub(super) fn list(dialect: Dialect, name: &str, span: Span) -> Error {
    Error::new(span, format!("`{name}` is a list"))
        .label("a slot shows one value")
        .help(match dialect {
            Dialect::Brace => format!("make the field a text, joined before: the brace dialect has no loops, `syntax = \"angle\"` has: `<{name} | join(\", \")>`"),
            _ => format!("write `<for item in {name}>…<item>…</for>` or `<{name} | join(\", \")>`"),
        })
}

pub(super) fn always_there(name: &str, span: Span) -> Error {
    Error::new(
        span,
        format!("`{name}` is always there, so its default is never used"),
    )
    .label("not an `Option`")
    .help(format!("write `<{name}>`, or make the field an `Option`"))
}

pub(super) fn untrusted(field: &Field, span: Span) -> Error {
    let name = field.name;
    Error::new(span, format!("the untrusted field `{name}` stands in the system message"))
        .label("what it holds could instruct the model")
        .help(format!(
            "move the slot into `user`; or, if `{name}` never holds a user's text, mark the field `#[prompt(trusted)]`"
        ))
}

pub(super) fn media_in_system(name: &str, span: Span) -> Error {
    Error::new(
        span,
        format!("the system message is text, and `{name}` is none"),
    )
    .label("an image, sound, film or file")
    .help("move the slot into `user`")
}

pub(super) fn media(dialect: Dialect, name: &str, span: Span) -> Error {
    let slot = match dialect {
        Dialect::Jinja => format!("{{{{ {name} }}}}"),
        _ => format!("<{name}>"),
    };
    Error::new(
        span,
        format!("`{name}` is no text, and stands where only text can"),
    )
    .label("an image, sound, film or file")
    .help(format!("write `{slot}` in a slot of its own"))
}

pub(super) fn no_list(name: &str, what: &str, span: Span) -> Error {
    Error::new(span, format!("`{name}` is {what}, no list"))
        .label("a loop needs a list")
        .help("loop over a list")
}

pub(super) fn hides_field(name: &str, span: Span) -> Error {
    Error::new(
        span,
        format!("the loop variable `{name}` has the name of a field"),
    )
    .label("hides the field inside the loop")
    .help("give it another name")
}

/// What a block names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Loop,
    Macro,
    Set,
    /// A macro's parameter, which may stay unused.
    Param,
    /// `loop`, of items of a field.
    Items,
    /// `loop`, of what an expression gives.
    Values,
    /// `loop`, of items that are taken apart.
    Parts,
}

pub(super) fn unused(dialect: Dialect, name: &str, span: Span, what: What) -> Option<Error> {
    let (message, help) = match what {
        What::Loop => {
            let slot = match dialect {
                Dialect::Jinja => format!("{{{{ {name} }}}}"),
                _ => format!("<{name}>"),
            };
            (
                format!("the loop variable `{name}` is never used"),
                format!("write `{slot}` in the loop, or call it `_{name}`"),
            )
        }
        What::Macro => (
            format!("the macro `{name}` is never called"),
            format!("write `{{{{ {name}(…) }}}}`, or remove it"),
        ),
        What::Set => (
            format!("`{name}` is set and never used"),
            format!("remove it, write `{{{{ {name} }}}}` after it, or call it `_{name}`"),
        ),
        What::Param | What::Items | What::Values | What::Parts => return None,
    };
    Some(Error::new(span, message).label("bound here").help(help))
}

/// A name that no filter, test or method has.
pub(super) fn no_such(what: &str, name: &str, span: Span, known: &'static [Builtin]) -> Error {
    if let Some((_, instead)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
        return Error::new(span, format!("the {what} `{name}` is left out"))
            .label("not in the typed subset of Jinja")
            .help(*instead);
    }
    let names = known.iter().map(|known| known.name);
    let help = match closest(name, names.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let all: Vec<&str> = names.filter(|name| name.len() > 2).collect();
            format!("write one of `{}`", all.join("`, `"))
        }
    };
    Error::new(span, format!("unknown {what} `{name}`"))
        .label(format!("not a {what}"))
        .help(help)
}

pub(super) fn count(what: &str, known: &Builtin, given: usize, span: Span) -> Error {
    let params: Vec<&str> = known.params.iter().map(|param| param.name).collect();
    let name = known.name;
    let label = if given == 0 {
        "none given".to_owned()
    } else {
        format!("{given} given")
    };
    let wanted = match params[..] {
        [] => "no argument".to_owned(),
        _ => format!("the arguments `{}`", params.join("`, `")),
    };
    Error::new(span, format!("{what} `{name}` takes {wanted}"))
        .label(label)
        .help(match params[..] {
            [] => format!("write `{name}`"),
            _ => format!("write `{name}({})`", params.join(", ")),
        })
}

pub(super) fn no_param(what: &str, known: &Builtin, name: &str, span: Span) -> Error {
    let names: Vec<&str> = known.params.iter().map(|param| param.name).collect();
    let error = Error::new(
        span,
        format!("{what} `{}` has no parameter `{name}`", known.name),
    )
    .label("not a parameter");
    error.help(match closest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => format!("write `{}`", known.name),
        None => format!("it has `{}`", names.join("`, `")),
    })
}

pub(super) fn filtered_media(name: &str, span: Span) -> Error {
    Error::new(span, format!("`{name}` is no text, so it has no filters"))
        .label("an image, sound, film or file")
        .help(format!("write `<{name}>` alone"))
}

/// A filter of the angle dialect: its name, and what its argument is.
const PLAIN: [(&str, Option<(&str, &str)>); 8] = [
    ("indent", Some(("the number of spaces", "4"))),
    ("join", Some(("the separator", "\", \""))),
    ("json", None),
    ("lines", None),
    ("lower", None),
    ("trim", None),
    ("truncate", Some(("the number of characters", "200"))),
    ("upper", None),
];

/// What is wrong with a filter of the angle dialect.
pub(super) fn plain_filter(name: &[String], args: &[Expr], span: Span) -> Option<Error> {
    let given = args.len();
    let [name] = name else {
        return Some(
            Error::new(
                span,
                "a function of yours has no place in a template of run time",
            )
            .label("known to the compiler alone")
            .help("fill a field with what it gives"),
        );
    };
    let Some((_, parameter)) = PLAIN.iter().find(|(known, _)| known == name) else {
        let names = PLAIN.iter().map(|(known, _)| *known);
        let help = match closest(name, names.clone()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("write one of `{}`", names.collect::<Vec<_>>().join("`, `")),
        };
        return Some(
            Error::new(span, format!("unknown filter `{name}`"))
                .label("not a filter")
                .help(help),
        );
    };
    let label = if given == 0 {
        "none given".to_owned()
    } else {
        format!("{given} given")
    };
    match parameter {
        None if given > 0 => Some(
            Error::new(span, format!("filter `{name}` takes no argument"))
                .label(label)
                .help(format!("write `{name}`")),
        ),
        Some((what, example)) if given != 1 => Some(
            Error::new(span, format!("filter `{name}` takes one argument, {what}"))
                .label(label)
                .help(format!("write `{name}({example})`")),
        ),
        Some((what, example)) => fits(name, what, example, &args[0]),
        None => None,
    }
}

/// Whether an argument that is written out is what the filter takes.
fn fits(name: &str, what: &str, example: &str, argument: &Expr) -> Option<Error> {
    let Expr::Literal(literal) = argument else {
        return None;
    };
    let is_text = example.starts_with('"');
    let right = match literal.value {
        Literal::Str(_) => is_text,
        Literal::Int(number) => !is_text && number >= 0,
        _ => false,
    };
    let wanted = if is_text {
        "a text in quotes"
    } else {
        "a whole number, 0 or more"
    };
    let message = format!("filter `{name}` takes {what} as {wanted}");
    let error = Error::new(literal.span, message).label(format!("not {wanted}"));
    (!right).then(|| error.help(format!("write `{name}({example})`")))
}

/// `loop.previtem` where an item has several names.
pub(super) fn no_neighbour(part: &str, span: Span) -> Error {
    Error::new(span, format!("`loop.{part}` has no one name for its item"))
        .label("an item is taken apart here")
        .help("write `{% for item in … %}`, and take it apart with `{% set a, b = item %}`")
}

/// `loop.cycle` or `loop.changed` of nothing.
pub(super) fn of_loop(method: &str, span: Span) -> Error {
    let (what, help) = match method {
        "cycle" => (
            "`loop.cycle` takes at least one argument",
            "write `loop.cycle(\"odd\", \"even\")`",
        ),
        _ => (
            "`loop.changed` takes the values that it looks at",
            "write `loop.changed(item)`",
        ),
    };
    Error::new(span, what).label("none given").help(help)
}
