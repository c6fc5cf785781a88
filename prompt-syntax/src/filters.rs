//! The filters of the angle dialect: the table of their names and parameters, and the check of a call.
//!
//! `prompt-core/src/filter.rs` contains the functions; `prompt-jinja/src/dynamic/plain.rs` calls them for run-time templates.

use crate::problem::call as problem;
use crate::{Error, Expr, Literal, Span};

/// A filter: its name, and its parameter if it has one.
struct Plain {
    name: &'static str,
    parameter: Option<Parameter>,
}

struct Parameter {
    what: &'static str,
    text: bool,
    example: &'static str,
}

const fn plain(name: &'static str) -> Plain {
    Plain {
        name,
        parameter: None,
    }
}

const fn with(name: &'static str, what: &'static str, text: bool, example: &'static str) -> Plain {
    Plain {
        name,
        parameter: Some(Parameter {
            what,
            text,
            example,
        }),
    }
}

const PLAIN: [Plain; 8] = [
    with("indent", "the number of spaces", false, "4"),
    with("join", "the separator", true, "\", \""),
    plain("json"),
    plain("lines"),
    plain("lower"),
    plain("trim"),
    with("truncate", "the number of characters", false, "200"),
    plain("upper"),
];

/// Checks the name and the arguments of a filter.
///
/// With `compiled` the help also suggests functions of the user, which a compiled template calls by their paths.
///
/// ```
/// use prompt_syntax::{Span, filters};
///
/// let error = filters::check("uper", &[], Span::new(8, 12), false).unwrap_err();
/// assert_eq!((error.message(), error.help()), ("unknown filter `uper`", Some("did you mean `upper`?")));
/// assert!(filters::check("upper", &[], Span::new(8, 13), false).is_ok());
/// ```
///
/// # Errors
/// The filter does not exist, or its parameters are different.
pub fn check(name: &str, args: &[Expr], at: Span, compiled: bool) -> Result<(), Error> {
    let Some(known) = PLAIN.iter().find(|known| known.name == name) else {
        let names = PLAIN.map(|known| known.name);
        return Err(problem::unknown_plain(name, &names, compiled).at(at));
    };
    match (&known.parameter, args) {
        (None, []) => Ok(()),
        (None, _) => Err(problem::no_argument(name, args.len()).at(at)),
        (Some(parameter), [argument]) => fits(name, parameter, argument),
        (Some(parameter), _) => {
            let (what, example) = (parameter.what, parameter.example);
            Err(problem::one_argument(name, what, example, args.len()).at(at))
        }
    }
}

/// Checks the type of a literal argument; other expressions are accepted.
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
    let (what, example) = (parameter.what, parameter.example);
    Err(problem::argument_of_plain(name, what, parameter.text, example).at(literal.span))
}
