//! What filters, tests, methods and functions take and give: the tables of the language, and what is known more closely here.

use prompt_syntax::builtin::{self, Builtin, Param};

use super::kind::Kind;

/// Filters of a text: a list through one of them would show its brackets.
const OF_TEXT: [&str; 14] = [
    "capitalize",
    "center",
    "escape",
    "indent",
    "lower",
    "replace",
    "title",
    "trim",
    "truncate",
    "upper",
    "urlencode",
    "wordcount",
    "wordwrap",
    "format",
];

/// Whether a value of this kind may stand where the table says so, as far as is known.
pub(super) fn fits(want: builtin::Kind, kind: &Kind) -> bool {
    if kind.is_open() {
        return true;
    }
    match want {
        builtin::Kind::Any | builtin::Kind::Same | builtin::Kind::Item => {
            !matches!(kind, Kind::Media | Kind::Unordered)
        }
        builtin::Kind::Text => *kind == Kind::Text,
        builtin::Kind::Int | builtin::Kind::Bool => matches!(kind, Kind::Int | Kind::Bool),
        builtin::Kind::Float | builtin::Kind::Number => kind.is_number(),
        builtin::Kind::Dict => matches!(kind, Kind::Dict(_)),
        builtin::Kind::List | builtin::Kind::Sized => {
            matches!(
                kind,
                Kind::List(_) | Kind::Tuple(_) | Kind::Dict(_) | Kind::Text
            )
        }
    }
}

/// Whether a filter, test or method works on a value of this kind.
pub(super) fn takes(what: &str, known: &Builtin, kind: &Kind) -> bool {
    if what == "filter" && OF_TEXT.contains(&known.function) {
        return kind.is_open() || *kind == Kind::Text || kind.is_number() || *kind == Kind::None;
    }
    fits(known.takes, kind)
}

/// What it works on, as messages call it.
pub(super) fn wanted(what: &str, known: &Builtin) -> &'static str {
    if what == "filter" && OF_TEXT.contains(&known.function) {
        return "a text";
    }
    name(known.takes)
}

/// A kind of the tables, as messages call it.
pub(super) fn name(kind: builtin::Kind) -> &'static str {
    match kind {
        builtin::Kind::Any | builtin::Kind::Same | builtin::Kind::Item => "a value",
        builtin::Kind::Text => "a text",
        builtin::Kind::Int => "a whole number",
        builtin::Kind::Float | builtin::Kind::Number => "a number",
        builtin::Kind::Bool => "`true` or `false`",
        builtin::Kind::List => "a list",
        builtin::Kind::Dict => "a map",
        builtin::Kind::Sized => "a text, a list or a map",
    }
}

/// What a correct use looks like.
pub(super) fn example(what: &str, known: &Builtin) -> String {
    let argument = |param: &Param| match (param.name, param.kind) {
        ("d", _) => "\", \"",
        ("attribute", _) => "\"name\"",
        ("default_value", _) => "\"none\"",
        ("length", _) => "200",
        ("sep", _) => "\",\"",
        (_, builtin::Kind::Int | builtin::Kind::Number) => "3",
        (_, builtin::Kind::Bool) => "true",
        (_, builtin::Kind::List) => "items",
        (_, builtin::Kind::Any) if what == "test" => "1",
        _ => "\"a\"",
    };
    let name = known.name;
    let arguments: Vec<&str> = known
        .params
        .iter()
        .filter(|param| param.required)
        .map(argument)
        .collect();
    match (known.rest, arguments.is_empty()) {
        (builtin::Rest::Filter, _) => format!("{name}(\"upper\")"),
        (builtin::Rest::Test, _) => format!("{name}(\"odd\")"),
        (builtin::Rest::AttributeTest, _) => format!("{name}(\"shown\")"),
        (_, true) if what == "method" || what == "function" => format!("{name}()"),
        (_, true) => name.to_owned(),
        _ => format!("{name}({})", arguments.join(", ")),
    }
}

/// What a filter gives for a value of this kind.
pub(super) fn filtered(known: &Builtin, of: &Kind, given: &[Option<Kind>]) -> Kind {
    let nth = |index: usize| given.get(index).and_then(Option::as_ref);
    match known.function {
        "batch" | "slice" => Kind::list(Kind::list(of.item())),
        "list" | "select" | "reject" | "selectattr" | "rejectattr" | "sort" | "unique" => {
            Kind::list(of.item())
        }
        "reverse" => match of {
            Kind::List(_) | Kind::Text => of.clone(),
            kind if kind.is_open() => Kind::Dynamic,
            _ => Kind::list(of.item()),
        },
        "first" | "last" | "min" | "max" if nth(1).is_none() || known.function.ends_with("st") => {
            of.item().dynamic()
        }
        "items" | "dictsort" => Kind::list(pair(of)),
        "int" if nth(0).is_none_or(|default| *default == Kind::Int) => Kind::Int,
        "float" if nth(0).is_none_or(|default| *default == Kind::Float) => Kind::Float,
        "abs" => match of {
            Kind::Bool => Kind::Int,
            kind if kind.is_number() => kind.clone(),
            _ => Kind::Number,
        },
        "round" if *of == Kind::Float => Kind::Float,
        "sum" => match of.item() {
            Kind::Int | Kind::Bool if nth(1).is_none() => Kind::Int,
            kind if kind.is_number() && nth(1).is_none_or(Kind::is_number) => Kind::Number,
            _ => Kind::Dynamic,
        },
        _ => result(known.gives, of),
    }
}

/// What a method gives for a value of this kind.
pub(super) fn called(known: &Builtin, of: &Kind, given: &[Option<Kind>]) -> Kind {
    match (known.function, of) {
        ("get", Kind::Dict(value)) if given.get(1).is_none_or(Option::is_none) => match &**value {
            Kind::Unknown | Kind::Dynamic => Kind::Dynamic,
            // It may be missing.
            _ => Kind::Dynamic,
        },
        ("values", Kind::Dict(value)) => Kind::list((**value).clone().dynamic()),
        ("items", _) => Kind::list(pair(of)),
        ("split" | "rsplit" | "splitlines", _) => Kind::list(Kind::Text),
        _ => result(known.gives, of),
    }
}

fn pair(of: &Kind) -> Kind {
    match of {
        Kind::Dict(value) => Kind::Tuple(vec![Kind::Dynamic, (**value).clone().dynamic()]),
        _ => Kind::Dynamic,
    }
}

fn result(gives: builtin::Kind, of: &Kind) -> Kind {
    match gives {
        builtin::Kind::Any | builtin::Kind::Sized => Kind::Dynamic,
        builtin::Kind::Same => of.clone().dynamic(),
        builtin::Kind::Item => of.item().dynamic(),
        builtin::Kind::Text => Kind::Text,
        builtin::Kind::Int => Kind::Int,
        builtin::Kind::Float => Kind::Float,
        builtin::Kind::Number => Kind::Number,
        builtin::Kind::Bool => Kind::Bool,
        builtin::Kind::List => Kind::list(Kind::Dynamic),
        builtin::Kind::Dict => Kind::Dict(Box::new(Kind::Dynamic)),
    }
}
