//! The kinds of inputs and results of filters, tests, methods and functions.
//!
//! ```
//! use prompt_jinja_syntax::builtin::{FILTERS, find, signature};
//! use prompt_syntax::Kind;
//!
//! let upper = find(FILTERS, "upper").unwrap();
//! assert!(!signature::accepts_receiver("filter", upper, &Kind::list(Kind::Text)));
//! assert_eq!(signature::receiver_name("filter", upper), "a string");
//! assert_eq!(signature::filter_result(upper, &Kind::Text, &[]), Kind::Text);
//! assert_eq!(signature::usage_example("filter", find(FILTERS, "replace").unwrap()), "replace(\"a\", \"a\")");
//! ```

use super::{Builtin, BuiltinKind, BuiltinParam, ExtraArgs};
use prompt_syntax::Kind;

/// Filters of a string: a list through one of them would show its brackets.
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

/// Whether the table accepts a value of this kind, as far as the kind is known.
pub fn accepts_kind(want: BuiltinKind, kind: &Kind) -> bool {
    if kind.is_open() {
        return true;
    }
    match want {
        BuiltinKind::Any | BuiltinKind::Same | BuiltinKind::Item => {
            !matches!(kind, Kind::Media | Kind::Unordered)
        }
        BuiltinKind::Text => *kind == Kind::Text,
        // A `Number` is a whole number or a fraction, which depends on the value.
        BuiltinKind::Int | BuiltinKind::Bool => {
            matches!(kind, Kind::Int | Kind::Bool | Kind::Number)
        }
        BuiltinKind::Number => kind.is_number(),
        BuiltinKind::Dict => matches!(kind, Kind::Dict(_) | Kind::Struct(_)),
        BuiltinKind::List | BuiltinKind::Sized => {
            matches!(
                kind,
                Kind::List(_) | Kind::Tuple(_) | Kind::Dict(_) | Kind::Struct(_) | Kind::Text
            )
        }
    }
}

/// Whether a filter, test or method works on a value of this kind.
pub fn accepts_receiver(what: &str, known: &Builtin, kind: &Kind) -> bool {
    if what == "filter" && OF_TEXT.contains(&known.function) {
        return kind.is_open() || *kind == Kind::Text || kind.is_number() || *kind == Kind::None;
    }
    accepts_kind(known.takes, kind)
}

/// The kind of its input, for messages.
pub fn receiver_name(what: &str, known: &Builtin) -> &'static str {
    if what == "filter" && OF_TEXT.contains(&known.function) {
        return "a string";
    }
    kind_name(known.takes)
}

/// A kind of the tables, as messages call it.
pub fn kind_name(kind: BuiltinKind) -> &'static str {
    match kind {
        BuiltinKind::Any | BuiltinKind::Same | BuiltinKind::Item => "a value",
        BuiltinKind::Text => "a string",
        BuiltinKind::Int => "a whole number",
        BuiltinKind::Number => "a number",
        BuiltinKind::Bool => "`true` or `false`",
        BuiltinKind::List => "a list",
        BuiltinKind::Dict => "a map",
        BuiltinKind::Sized => "a string, a list or a map",
    }
}

/// An example of correct use.
pub fn usage_example(what: &str, known: &Builtin) -> String {
    let argument = |param: &BuiltinParam| match (param.name, param.kind) {
        ("d", _) => "\", \"",
        ("attribute", _) => "\"name\"",
        ("default_value", _) => "\"none\"",
        ("length", _) => "200",
        ("sep", _) => "\",\"",
        (_, BuiltinKind::Int | BuiltinKind::Number) => "3",
        (_, BuiltinKind::Bool) => "true",
        (_, BuiltinKind::List) => "items",
        (_, BuiltinKind::Any) if what == "test" => "1",
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
        (ExtraArgs::Filter, _) => format!("{name}(\"upper\")"),
        (ExtraArgs::Test, _) => format!("{name}(\"odd\")"),
        (ExtraArgs::AttributeTest, _) => format!("{name}(\"shown\")"),
        (_, true) if what == "method" || what == "function" => format!("{name}()"),
        (_, true) => name.to_owned(),
        _ => format!("{name}({})", arguments.join(", ")),
    }
}

/// The kind of a filter's result for a value of this kind.
pub fn filter_result(known: &Builtin, of: &Kind, given: &[Option<Kind>]) -> Kind {
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
        "items" | "dictsort" => Kind::list(pair_kind(of)),
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
        _ => result_kind(known.gives, of),
    }
}

/// The kind of a method's result for a value of this kind.
pub fn method_result(known: &Builtin, of: &Kind, given: &[Option<Kind>]) -> Kind {
    match (known.function, of) {
        ("get", Kind::Dict(value)) if given.get(1).is_none_or(Option::is_none) => {
            match &**value {
                Kind::Unknown | Kind::Dynamic => Kind::Dynamic,
                // It may be missing.
                _ => Kind::Dynamic,
            }
        }
        ("values", Kind::Dict(value)) => Kind::list((**value).clone().dynamic()),
        ("items", _) => Kind::list(pair_kind(of)),
        ("split" | "rsplit" | "splitlines", _) => Kind::list(Kind::Text),
        ("partition" | "rpartition", _) => Kind::Tuple(vec![Kind::Text; 3]),
        _ => result_kind(known.gives, of),
    }
}

fn pair_kind(of: &Kind) -> Kind {
    match of {
        Kind::Dict(value) => Kind::Tuple(vec![Kind::Dynamic, (**value).clone().dynamic()]),
        _ => Kind::Dynamic,
    }
}

fn result_kind(gives: BuiltinKind, of: &Kind) -> Kind {
    match gives {
        BuiltinKind::Any | BuiltinKind::Sized => Kind::Dynamic,
        BuiltinKind::Same => of.clone().dynamic(),
        BuiltinKind::Item => of.item().dynamic(),
        BuiltinKind::Text => Kind::Text,
        BuiltinKind::Int => Kind::Int,
        BuiltinKind::Number => Kind::Number,
        BuiltinKind::Bool => Kind::Bool,
        BuiltinKind::List => Kind::list(Kind::Dynamic),
        BuiltinKind::Dict => Kind::Dict(Box::new(Kind::Dynamic)),
    }
}
