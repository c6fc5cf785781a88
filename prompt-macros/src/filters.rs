//! The filters that templates can name, and what they take.

use prompt_syntax::suggest::closest;
use prompt_syntax::{Error, Expr, Filter, Literal};

use crate::model::Kind;

/// A filter: its name, and its parameter if it has one.
struct Known {
    name: &'static str,
    parameter: Option<Parameter>,
}

struct Parameter {
    what: &'static str,
    text: bool,
    example: &'static str,
}

const fn plain(name: &'static str) -> Known {
    Known {
        name,
        parameter: None,
    }
}

const fn with(name: &'static str, what: &'static str, text: bool, example: &'static str) -> Known {
    Known {
        name,
        parameter: Some(Parameter {
            what,
            text,
            example,
        }),
    }
}

const FILTERS: [Known; 8] = [
    with("indent", "the number of spaces", false, "4"),
    with("join", "the separator", true, "\", \""),
    plain("json"),
    plain("lines"),
    plain("lower"),
    plain("trim"),
    with("truncate", "the number of characters", false, "200"),
    plain("upper"),
];

/// Whether a filter exists and is given what it takes. A Rust path is rustc's to check.
pub(crate) fn check(filter: &Filter) -> Result<(), Error> {
    let [name] = &filter.name.value[..] else {
        return Ok(());
    };
    let Some(known) = FILTERS.iter().find(|known| known.name == name) else {
        let names = FILTERS.iter().map(|known| known.name);
        let help = match closest(name, names.clone()) {
            Some(near) => format!(
                "did you mean `{near}`? A function of yours is named by its path: `self::{name}`"
            ),
            None => {
                let all: Vec<&str> = names.collect();
                format!(
                    "write one of `{}`, or the path of a function: `self::{name}`",
                    all.join("`, `")
                )
            }
        };
        return Err(
            Error::new(filter.name.span, format!("unknown filter `{name}`"))
                .label("not a filter")
                .help(help),
        );
    };
    match (&known.parameter, &filter.args[..]) {
        (None, []) => Ok(()),
        (None, _) => Err(Error::new(
            filter.name.span,
            format!("filter `{name}` takes no argument"),
        )
        .label(format!("{} given", filter.args.len()))
        .help(format!("write `{name}`"))),
        (Some(parameter), [argument]) => fits(name, parameter, argument),
        (Some(parameter), given) => Err(Error::new(
            filter.name.span,
            format!("filter `{name}` takes one argument, {}", parameter.what),
        )
        .label(if given.is_empty() {
            "none given".into()
        } else {
            format!("{} given", given.len())
        })
        .help(format!("write `{name}({})`", parameter.example))),
    }
}

fn fits(name: &str, parameter: &Parameter, argument: &Expr) -> Result<(), Error> {
    let Expr::Literal(literal) = argument else {
        return Ok(());
    };
    let right = match literal.value {
        Literal::Str(_) => parameter.text,
        Literal::Int(number) => !parameter.text && number >= 0,
        Literal::Float(_) | Literal::Bool(_) | Literal::None => false,
    };
    if right {
        return Ok(());
    }
    let wanted = if parameter.text {
        "a text in quotes"
    } else {
        "a whole number, 0 or more"
    };
    Err(Error::new(
        literal.span,
        format!("filter `{name}` takes {} as {wanted}", parameter.what),
    )
    .label(format!("not {wanted}"))
    .help(format!("write `{name}({})`", parameter.example)))
}

/// Whether a filter can take a value, as far as the tokens of its type tell.
pub(crate) fn takes(filter: &Filter, kind: Kind) -> Result<(), Error> {
    let [name] = &filter.name.value[..] else {
        return Ok(());
    };
    let is_text = matches!(kind, Kind::Text | Kind::Number);
    let (wanted, given, help) = match (name.as_str(), kind) {
        ("join", _) if is_text => ("a list", "a single value", "take the filter away"),
        ("trim" | "upper" | "lower" | "indent" | "truncate", Kind::List) => {
            ("a text", "a list", "join the list first: `join(\", \")`")
        }
        ("json" | "join" | "lines", Kind::Unordered) => {
            let message = format!("filter `{name}` would show a hash set or map in no order");
            return Err(Error::new(filter.value.span(), message)
                .label("would change from run to run")
                .help("make the field a `BTreeSet`, a `BTreeMap`, or a sorted `Vec`"));
        }
        _ => return Ok(()),
    };
    let message = format!("filter `{name}` takes {wanted}");
    Err(Error::new(filter.value.span(), message)
        .label(given)
        .help(help))
}
