//! The kinds of values, as far as types, literals and tables tell.

use std::fmt;

/// A kind with more parts is not followed any further.
const MAX_PARTS: usize = 200;

/// The kind of a value, as far as types, literals and the tables of the Jinja dialect tell. Messages call it by its
/// `Display`.
///
/// ```
/// use prompt_base::Kind;
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
    /// A struct.
    Struct(StructKinds),
}

/// The kind of the values of a Rust type, as far as it follows from the type alone: text, a number, a list, the names of a struct's fields.
///
/// ```
/// use typed_prompt::jinja::ToValue;
///
/// assert_eq!(Vec::<String>::kind().to_string(), "a list");
/// ```
// `Kind` is in no public path of the facade: rustc does not print a type by its name alone if a variant has that name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueKind(Kind);

impl fmt::Display for ValueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The name of each field of a struct, and the function that returns its kind, which is called only for a field that is used: a type may contain
/// itself.
pub type StructKinds = &'static [(&'static str, fn() -> ValueKind)];

impl Kind {
    /// The kind of the values of a type.
    pub fn into_value_kind(self) -> ValueKind {
        ValueKind(self)
    }

    /// The kind of the values of a type.
    pub fn from_value_kind(kind: ValueKind) -> Kind {
        kind.0
    }

    /// The kind of the values of a type that is part of another one. Hash sets and maps inside of a value are sorted.
    pub fn from_part(kind: ValueKind) -> Kind {
        match kind.0 {
            Kind::Unordered => Kind::Dynamic,
            kind => kind,
        }
    }

    /// A list of such items.
    pub fn list(item: Kind) -> Kind {
        Kind::List(Box::new(item))
    }

    /// The kind of a field of a struct. `None` if it is not a struct with such a field.
    pub fn field_kind(&self, name: &str) -> Option<Kind> {
        let Kind::Struct(fields) = self else {
            return None;
        };
        let (_, kind) = fields.iter().find(|(field, _)| *field == name)?;
        Some(Kind::from_part(kind()))
    }

    /// The names of the fields of a struct.
    pub fn field_names(&self) -> Vec<&'static str> {
        match self {
            Kind::Struct(fields) => fields.iter().map(|(name, _)| *name).collect(),
            _ => Vec::new(),
        }
    }

    /// The kind in the angle, brace and f-string dialects, which do not distinguish numbers and do not know JSON.
    pub fn in_plain_dialects(self) -> Kind {
        match self {
            Kind::Bool | Kind::Int | Kind::Float => Kind::Number,
            Kind::Dynamic | Kind::None => Kind::Unknown,
            Kind::List(item) => Kind::list(item.in_plain_dialects()),
            Kind::Option(inner) => Kind::Option(Box::new(inner.in_plain_dialects())),
            Kind::Dict(value) => Kind::Dict(Box::new(value.in_plain_dialects())),
            Kind::Tuple(parts) => {
                Kind::Tuple(parts.into_iter().map(Kind::in_plain_dialects).collect())
            }
            kind => kind,
        }
    }

    /// The kind inside of an `Option`.
    pub fn without_option(self) -> Kind {
        match self {
            Kind::Option(inner) => *inner,
            other => other,
        }
    }

    /// The kind itself, or [`Kind::Dynamic`] if it has too many parts: an assignment such as `{% set a = [a, a] %}` may be repeated.
    pub fn bounded(self) -> Kind {
        let mut parts = MAX_PARTS;
        match self.has_at_most(&mut parts) {
            true => self,
            false => Kind::Dynamic,
        }
    }

    fn has_at_most(&self, parts: &mut usize) -> bool {
        if *parts == 0 {
            return false;
        }
        *parts -= 1;
        match self {
            Kind::List(part) | Kind::Dict(part) | Kind::Option(part) => part.has_at_most(parts),
            Kind::Tuple(items) => items.iter().all(|item| item.has_at_most(parts)),
            _ => true,
        }
    }

    /// The kind of a value at run time: a type that only rustc can resolve is dynamic.
    pub fn dynamic(self) -> Kind {
        match self {
            Kind::Unknown => Kind::Dynamic,
            other => other,
        }
    }

    /// The kind of its items.
    pub fn item(&self) -> Kind {
        match self {
            Kind::List(item) => (**item).clone(),
            Kind::Text => Kind::Text,
            Kind::Tuple(items) => items
                .iter()
                .cloned()
                .reduce(Kind::either)
                .unwrap_or(Kind::Unknown),
            _ => Kind::Dynamic,
        }
    }

    /// The kind that both have in common.
    #[allow(clippy::needless_pass_by_value)] // As a step of `Iterator::reduce`.
    pub fn either(self, other: Kind) -> Kind {
        if self == other {
            return self;
        }
        match (&self, &other) {
            _ if self.is_number()
                && other.is_number()
                && self != Kind::Bool
                && other != Kind::Bool =>
            {
                Kind::Number
            }
            (Kind::List(a), Kind::List(b)) => Kind::list((**a).clone().either((**b).clone())),
            _ => Kind::Dynamic,
        }
    }

    /// Whether nothing is known of it.
    pub fn is_open(&self) -> bool {
        matches!(self, Kind::Unknown | Kind::Dynamic)
    }

    /// Whether its items are of a type of the user's, which is not a value as a whole.
    pub fn holds_unknown(&self) -> bool {
        matches!(self, Kind::List(item) if **item == Kind::Unknown)
    }

    /// Whether it, or a part of it, is of a type that only rustc can determine.
    pub fn has_unknown(&self) -> bool {
        match self {
            Kind::List(part) | Kind::Dict(part) | Kind::Option(part) => part.has_unknown(),
            Kind::Tuple(parts) => parts.iter().any(Kind::has_unknown),
            kind => *kind == Kind::Unknown,
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
            Kind::Struct(_) => "a struct",
        })
    }
}
