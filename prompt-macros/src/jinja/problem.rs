//! What is said of a mistake in a Jinja template.

use prompt_syntax::builtin::{self, Builtin, Param, REFUSED};
use prompt_syntax::suggest::closest;
use prompt_syntax::{Error, Span};

use super::names::What;
use prompt_syntax::builtin::signature;
use prompt_syntax::kind::Kind;

/// A name of nothing in scope.
pub(super) fn unknown(name: &str, span: Span, names: &[&str], owner: &str, fields: usize) -> Error {
    let help = match closest(name, names.iter().copied()) {
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
            ways.join("; or ")
        }
    };
    let label = match fields {
        0 => format!("`{owner}` has no fields"),
        _ => format!("not a field of `{owner}`"),
    };
    Error::new(span, format!("unknown slot `{name}`"))
        .label(label)
        .help(help)
}

/// A name with `-`, which is a difference.
pub(super) fn hyphen(right: &str, span: Span) -> Error {
    Error::new(span, "a name holds no `-`")
        .label("one value less another")
        .help(format!("write `{right}`"))
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

pub(super) fn option(name: &str, span: Span) -> Error {
    option_with(name, name, span)
}

/// An `Option`, of which a part may be shown.
pub(super) fn option_with(name: &str, shown: &str, span: Span) -> Error {
    let help = if name == shown {
        format!(
            "write `{{% if {name} %}}…{{{{ {name} }}}}…{{% endif %}}` or `{{{{ {name} | default(\"none\") }}}}`"
        )
    } else {
        format!("write `{{% if {name} %}}…{{{{ {shown} }}}}…{{% endif %}}`")
    };
    Error::new(
        span,
        format!("`{name}` may not be there: it is an `Option`"),
    )
    .label("stands in no condition")
    .help(help)
}

pub(super) fn nested_option(name: &str, span: Span) -> Error {
    Error::new(span, format!("`{name}` is an `Option` in an `Option`"))
        .label("there in two ways")
        .help("make the field one `Option`")
}

pub(super) fn unordered(name: &str, span: Span) -> Error {
    Error::new(
        span,
        format!("`{name}` has no order: it is a hash set or map"),
    )
    .label("would change from run to run")
    .help("make the field a `BTreeSet`, a `BTreeMap`, or a sorted `Vec`")
}

pub(super) fn media(name: &str, span: Span) -> Error {
    Error::new(
        span,
        format!("`{name}` is no text, and stands where only text can"),
    )
    .label("an image, sound, film or file")
    .help(format!("write `{{{{ {name} }}}}` in a slot of its own"))
}

pub(super) fn no_part(name: &str, kind: &Kind, part: &str, span: Span) -> Error {
    Error::new(span, format!("`{name}` is {kind}, so it has no `{part}`"))
        .label("no such part")
        .help(match kind {
            Kind::List(_) | Kind::Tuple(_) => {
                format!("write `{name}[0]` for an item, or `{{% for item in {name} %}}`")
            }
            _ => format!("write `{name}`"),
        })
}

pub(super) fn unused(name: &str, span: Span, what: What) -> Error {
    let (message, help) = match what {
        What::Loop => (
            format!("the loop variable `{name}` is never used"),
            format!("write `{{{{ {name} }}}}` in the loop, or call it `_{name}`"),
        ),
        What::Macro => (
            format!("the macro `{name}` is never called"),
            format!("write `{{{{ {name}(…) }}}}`, or remove it"),
        ),
        What::Set | What::With => (
            format!("`{name}` is set and never used"),
            format!("remove it, write `{{{{ {name} }}}}` after it, or call it `_{name}`"),
        ),
    };
    Error::new(span, message).label("bound here").help(help)
}

pub(super) fn uncertain(name: &str, span: Span) -> Error {
    Error::new(span, format!("`{name}` may have no value here"))
        .label("set in a condition that may not hold")
        .help(format!(
            "set it before the condition, as `{{% set {name} = none %}}`, or in each branch"
        ))
}

/// An operator between two kinds of values.
pub(super) fn operands(sign: &str, left: &Kind, right: &Kind, span: Span) -> Error {
    let texts = (*left == Kind::Text) != (*right == Kind::Text);
    let other = if *left == Kind::Text { right } else { left };
    let (message, help) = match sign {
        "+" if texts => (
            format!("`+` joins {left} and {right}"),
            "write `~`, which makes texts of both".to_owned(),
        ),
        "==" | "!=" => (
            format!("`{sign}` compares {left} with {right}, which are never equal"),
            if texts && other.is_number() {
                "compare with a text, or make a number of it: `| int`".to_owned()
            } else {
                "compare values of one kind".to_owned()
            },
        ),
        "<" | "<=" | ">" | ">=" => (
            format!("`{sign}` compares {left} with {right}"),
            if texts && other.is_number() {
                "make a number of the text: `| int`".to_owned()
            } else {
                "compare values of one kind".to_owned()
            },
        ),
        _ => (
            format!("`{sign}` stands between {left} and {right}"),
            if texts {
                "make a number of the text: `| int`".to_owned()
            } else {
                "use two numbers".to_owned()
            },
        ),
    };
    Error::new(span, message).label("of two kinds").help(help)
}

pub(super) fn not_in(kind: &Kind, span: Span) -> Error {
    Error::new(span, format!("nothing can be `in` {kind}"))
        .label("no list, map or text")
        .help("ask for an item of a list, a key of a map, or a part of a text")
}

/// A filter, test or method on a value of another kind than it takes.
pub(super) fn takes(what: &str, known: &Builtin, kind: &Kind, span: Span) -> Error {
    let name = known.name;
    let wanted = signature::wanted(what, known);
    let help = match (wanted, kind) {
        ("a text", Kind::List(_)) => "join the list first: `| join(\", \")`".to_owned(),
        ("a list", Kind::Int | Kind::Float | Kind::Number | Kind::Bool) if what == "filter" => {
            "take the filter away".to_owned()
        }
        ("a number", Kind::Text) => "make a number of it first: `| int`".to_owned(),
        _ => format!("give {wanted}"),
    };
    Error::new(span, format!("{what} `{name}` takes {wanted}"))
        .label(kind.to_string())
        .help(help)
}

pub(super) fn argument(
    what: &str,
    known: &Builtin,
    param: &Param,
    kind: &Kind,
    span: Span,
) -> Error {
    let wanted = signature::name(param.kind);
    let (name, param) = (known.name, param.name);
    Error::new(span, format!("{what} `{name}` takes `{param}` as {wanted}"))
        .label(format!("{kind}, not {wanted}"))
        .help(format!("give {wanted}"))
}

pub(super) fn count(what: &str, known: &Builtin, given: usize, span: Span) -> Error {
    let name = known.name;
    let mut required = known
        .params
        .iter()
        .filter(|param| param.required)
        .map(|param| param.name);
    let needed = required.clone().count()
        + usize::from(known.rest != builtin::Rest::None && known.rest != builtin::Rest::Values);
    let takes = match (needed, known.params.len().max(needed)) {
        (0, 0) => "no argument".to_owned(),
        (1, 1) => match required.next() {
            Some(param) => format!("one argument, `{param}`"),
            None => "the name of what it calls".to_owned(),
        },
        (a, b) if a == b => format!("{a} arguments"),
        (0, 1) => "at most one argument".to_owned(),
        (0, b) => format!("at most {b} arguments"),
        (a, b) => format!("{a} to {b} arguments"),
    };
    let label = if given == 0 {
        "none given".to_owned()
    } else {
        format!("{given} given")
    };
    Error::new(span, format!("{what} `{name}` takes {takes}"))
        .label(label)
        .help(format!("write `{}`", signature::example(what, known)))
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
        None if names.is_empty() => format!("write `{}`", signature::example(what, known)),
        None => format!("it has `{}`", names.join("`, `")),
    })
}

pub(super) fn twice(name: &str, span: Span) -> Error {
    Error::new(span, format!("`{name}` is given twice"))
        .label("given before")
        .help("remove one of them")
}

/// `loop.previtem` where an item has several names.
pub(super) fn no_neighbour(part: &str, span: Span) -> Error {
    Error::new(span, format!("`loop.{part}` has no one name for its item"))
        .label("an item is taken apart here")
        .help("write `{% for item in … %}`, and take it apart with `{% set a, b = item %}`")
}

/// `loop.changed` without its parentheses.
pub(super) fn not_called(span: Span) -> Error {
    Error::new(span, "`loop.changed` is no value")
        .label("not called")
        .help("write `loop.changed(…)` with the values that it looks at")
}
