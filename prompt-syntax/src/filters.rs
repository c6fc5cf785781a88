//! The filters of the angle dialect: the table of their names and parameters, and the check of a call.
//!
//! `prompt-core/src/filter.rs` contains the functions; `prompt-jinja/src/dynamic/plain.rs` calls the function of each
//! [`PlainFilter`] for run-time templates.

use crate::problem::{Problem, call as problem};
use crate::{Error, Expr, Literal, Span};

/// The parameter of a filter: its meaning, its type, and an example.
struct Parameter {
    what: &'static str,
    text: bool,
    example: &'static str,
}

macro_rules! plain_filters {
    ($($filter:ident $name:literal $(($what:literal, text: $text:literal, $example:literal))?;)*) => {
        /// A filter of the angle dialect.
        ///
        /// ```
        /// use prompt_syntax::filters::PlainFilter;
        ///
        /// assert_eq!(PlainFilter::by_name("upper"), Some(PlainFilter::Upper));
        /// assert_eq!(PlainFilter::by_name("shout"), None);
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum PlainFilter {
            $(#[doc = concat!("`", $name, "`")] $filter,)*
        }

        pub(crate) const NAMES: &[&str] = &[$($name),*];

        impl PlainFilter {
            /// Returns the filter of that name.
            pub fn by_name(name: &str) -> Option<PlainFilter> {
                match name {
                    $($name => Some(PlainFilter::$filter),)*
                    _ => None,
                }
            }

            fn parameter(self) -> Option<Parameter> {
                match self {
                    $(PlainFilter::$filter => {
                        None $(.or(Some(Parameter { what: $what, text: $text, example: $example })))?
                    })*
                }
            }
        }
    };
}

plain_filters! {
    Debug "debug";
    Display "display";
    Indent "indent" ("the number of spaces", text: false, "4");
    Join "join" ("the separator", text: true, "\", \"");
    Json "json";
    Lines "lines";
    Lower "lower";
    Sort "sort";
    Trim "trim";
    Truncate "truncate" ("the number of characters", text: false, "200");
    Upper "upper";
}

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
    let Some(filter) = PlainFilter::by_name(name) else {
        return Err(unknown(name, compiled).at(at));
    };
    match (filter.parameter(), args) {
        (None, []) => Ok(()),
        (None, _) => Err(problem::no_argument(name, args.len()).at(at)),
        (Some(parameter), [argument]) => fits(name, &parameter, argument),
        (Some(parameter), _) => {
            let (what, example) = (parameter.what, parameter.example);
            Err(problem::one_argument(name, what, example, args.len()).at(at))
        }
    }
}

/// Returns the problem of a filter that does not exist.
pub fn unknown(name: &str, compiled: bool) -> Problem {
    problem::unknown_plain(name, NAMES, compiled)
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
