//! The kinds of values, as far as types, literals and tables tell.

use std::fmt;

/// The kind of a value, as far as types, literals and the tables of the Jinja dialect tell. Messages call it by its
/// `Display`.
///
/// ```
/// use prompt_syntax::Kind;
///
/// let names = Kind::list(Kind::Text);
/// assert_eq!((names.to_string(), names.item().to_string()), ("a list".into(), "a string".into()));
/// assert_eq!(Kind::Int.either(Kind::Float), Kind::Number);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Unknown before the program is compiled or run.
    Unknown,
    /// A value whose parts are only known at run time, as of JSON.
    Dynamic,
    /// `none`.
    None,
    /// A boolean.
    Bool,
    /// A whole number.
    Int,
    /// A number with a fraction.
    Float,
    /// A whole number or one with a fraction.
    Number,
    /// A text.
    Text,
    /// A list, and what its items are.
    List(Box<Kind>),
    /// A tuple, and what each of its parts is.
    Tuple(Vec<Kind>),
    /// A map, and what its values are.
    Dict(Box<Kind>),
    /// An `Option`.
    Option(Box<Kind>),
    /// An image, audio, video or file.
    Media,
    /// A hash set or map.
    Unordered,
}

impl Kind {
    /// A list of such items.
    pub fn list(item: Kind) -> Kind {
        Kind::List(Box::new(item))
    }

    /// The kind inside of an `Option`.
    pub fn without_option(self) -> Kind {
        match self {
            Kind::Option(inner) => *inner,
            other => other,
        }
    }

    /// `True` and `False` are numbers in Python.
    pub fn is_number(&self) -> bool {
        matches!(self, Kind::Bool | Kind::Int | Kind::Float | Kind::Number)
    }
}

/// As messages call it: `a string`, `a list`.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Unknown | Kind::Dynamic => "a value",
            Kind::None => "`none`",
            Kind::Bool => "a boolean",
            Kind::Int => "a whole number",
            Kind::Float | Kind::Number => "a number",
            Kind::Text => "a string",
            Kind::List(_) => "a list",
            Kind::Tuple(_) => "a tuple",
            Kind::Dict(_) => "a map",
            Kind::Option(_) => "an `Option`",
            Kind::Media => "an image, audio, video or file",
            Kind::Unordered => "a hash set or map",
        })
    }
}
