//! The filters of the angle dialect: the table of their names and parameters, and the check of a call.
//!
//! `prompt-core/src/filter.rs` contains the functions; `prompt-dynamic/src/plain.rs` calls the function of each
//! [`PlainFilter`] for run-time templates.

use crate::language::Language;
use crate::problem::{Problem, call as problem};
use crate::{Error, Expr, Literal};
use prompt_base::Span;

/// The parameter of a filter: its meaning, its type, and an example.
struct Parameter {
    what: &'static str,
    text: bool,
    example: &'static str,
}

/// The value that a filter of the angle dialect takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FilterInput {
    /// A single value, whose text is filtered.
    Text,
    /// A list, a set or a map.
    List,
    /// A list, a set or a map with an order.
    OrderedList,
    /// A single value, or several with an order.
    Any,
}

/// What a filter of the angle dialect makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FilterOutput {
    /// A text.
    Text,
    /// A list of texts.
    Texts,
    /// A list of the items of its input.
    Items,
}

/// The input and the output of a filter, and its parameter if it has one.
struct Signature {
    input: FilterInput,
    output: FilterOutput,
    parameters: &'static [Parameter],
}

macro_rules! plain_filters {
    ($($filter:ident $name:literal $input:ident -> $output:ident $(($what:literal, text: $text:literal, $example:literal))?;)*) => {
        /// A filter of the angle dialect.
        ///
        /// ```
        /// use prompt_base::Span;
        /// use prompt_syntax::filters::{FilterInput, FilterOutput, PlainFilter};
        ///
        /// let upper = PlainFilter::by_name("upper", true).unwrap();
        /// assert_eq!((upper, upper.input()), (PlainFilter::Upper, FilterInput::Text));
        /// assert_eq!(upper.output(), FilterOutput::Text);
        /// let error = PlainFilter::by_name("uper", false).unwrap_err().at(Span::new(8, 12));
        /// assert_eq!((error.message(), error.help()), ("unknown filter `uper`", Some("did you mean `upper`?")));
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum PlainFilter {
            $(#[doc = concat!("`", $name, "`")] $filter,)*
        }

        pub(crate) const NAMES: &[&str] = &[$($name),*];

        const TABLE: &[Signature] = &[
            $(Signature {
                input: FilterInput::$input,
                output: FilterOutput::$output,
                parameters: &[$(Parameter { what: $what, text: $text, example: $example })?],
            }),*
        ];

        impl PlainFilter {
            /// Returns the filter of that name.
            ///
            /// With `compiled` the help also suggests functions of the user, which a compiled template calls by their paths.
            ///
            /// # Errors
            /// The filter does not exist.
            pub fn by_name(name: &str, compiled: bool) -> Result<PlainFilter, Problem> {
                match name {
                    $($name => Ok(PlainFilter::$filter),)*
                    _ => Err(problem::unknown_plain(name, NAMES, compiled)),
                }
            }

            /// The value that the filter takes.
            pub fn input(self) -> FilterInput {
                TABLE[self as usize].input
            }

            /// What the filter makes.
            pub fn output(self) -> FilterOutput {
                TABLE[self as usize].output
            }
        }
    };
}

plain_filters! {
    Debug "debug" Any -> Text;
    Display "display" Text -> Text;
    Indent "indent" Text -> Text ("the number of spaces", text: false, "4");
    Join "join" OrderedList -> Text ("the separator", text: true, "\", \"");
    Json "json" Any -> Text;
    Lines "lines" Any -> Texts;
    Lower "lower" Text -> Text;
    Sort "sort" List -> Items;
    Trim "trim" Text -> Text;
    Truncate "truncate" Text -> Text ("the number of characters", text: false, "200");
    Upper "upper" Text -> Text;
}

/// What the filter of a name makes; `None` if there is none, or if it is a function.
pub(crate) fn output_of(name: &[String]) -> Option<FilterOutput> {
    let [name] = name else {
        return None;
    };
    PlainFilter::by_name(name, true)
        .map(PlainFilter::output)
        .ok()
}

/// The names of the filters that make a list.
pub(crate) fn list_makers() -> impl Iterator<Item = &'static str> {
    let names = NAMES.iter().zip(TABLE);
    let names = names.filter(|(_, signature)| signature.output != FilterOutput::Text);
    names.map(|(name, _)| *name)
}

/// Checks the name and the arguments of a filter, and returns the value that it takes. `compiled` is that of [`PlainFilter::by_name`].
///
/// ```
/// use prompt_base::Span;
/// use prompt_syntax::{Plain, filters};
///
/// let error = filters::check::<Plain>("join", &[], Span::new(8, 12), false).unwrap_err();
/// assert_eq!(error.help(), Some("write `join(\", \")`"));
/// assert!(filters::check::<Plain>("upper", &[], Span::new(8, 13), false).is_ok());
/// ```
///
/// # Errors
/// The filter does not exist, or its parameters are different.
pub fn check<L: Language>(
    name: &str,
    args: &[Expr<L>],
    at: Span,
    compiled: bool,
) -> Result<FilterInput, Error> {
    let filter = PlainFilter::by_name(name, compiled).map_err(|problem| problem.at(at))?;
    let problem = match (TABLE[filter as usize].parameters, args) {
        ([], []) => return Ok(filter.input()),
        ([], _) => problem::no_argument(name, args.len()),
        ([parameter, ..], [arg]) => {
            return check_argument(name, parameter, arg).map(|()| filter.input());
        }
        ([Parameter { what, example, .. }, ..], _) => {
            problem::one_argument(name, what, example, args.len())
        }
    };
    Err(problem.at(at))
}

/// Checks the type of a literal argument; other expressions are accepted.
fn check_argument<L: Language>(
    name: &str,
    parameter: &Parameter,
    argument: &Expr<L>,
) -> Result<(), Error> {
    let (what, text, example) = (parameter.what, parameter.text, parameter.example);
    match argument {
        Expr::Literal(literal) => match (&literal.value, text) {
            (Literal::Str(_), true) | (Literal::Int(0..), false) => Ok(()),
            _ => Err(problem::argument_of_plain(name, what, text, example).at(literal.span)),
        },
        _ => Ok(()),
    }
}
