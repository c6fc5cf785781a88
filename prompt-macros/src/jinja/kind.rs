//! What is known of a value before the program runs.

use std::fmt;

use syn::Type;

/// The kind of a value, as far as the tokens of a type, literals and signatures tell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Only rustc, or only the value itself, can tell.
    Unknown,
    /// A value with parts that only the value itself knows, as of JSON.
    Dynamic,
    None,
    Bool,
    Int,
    Float,
    /// A whole number or one with a fraction.
    Number,
    Text,
    List(Box<Kind>),
    Tuple(Vec<Kind>),
    Dict(Box<Kind>),
    /// What may not be there.
    Option(Box<Kind>),
    /// An image, sound, film or file.
    Media,
    /// A hash set or map.
    Unordered,
}

const INTS: [&str; 24] = [
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "isize",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
    "NonZeroI8",
    "NonZeroI16",
    "NonZeroI32",
    "NonZeroI64",
    "NonZeroI128",
    "NonZeroIsize",
    "NonZeroU8",
    "NonZeroU16",
    "NonZeroU32",
    "NonZeroU64",
    "NonZeroU128",
    "NonZeroUsize",
];

impl Kind {
    /// What the tokens of a type say. An alias says nothing.
    pub(crate) fn of(ty: &Type) -> Kind {
        match ty {
            Type::Reference(reference) => Kind::of(&reference.elem),
            Type::Paren(inner) => Kind::of(&inner.elem),
            Type::Group(inner) => Kind::of(&inner.elem),
            Type::Slice(slice) => Kind::list(Kind::of(&slice.elem)),
            Type::Array(array) => Kind::list(Kind::of(&array.elem)),
            Type::Tuple(tuple) if tuple.elems.is_empty() => Kind::None,
            Type::Tuple(tuple) => Kind::Tuple(tuple.elems.iter().map(Kind::of).collect()),
            Type::Path(path) => path.path.segments.last().map_or(Kind::Unknown, of_segment),
            _ => Kind::Unknown,
        }
    }

    pub(crate) fn list(item: Kind) -> Kind {
        Kind::List(Box::new(item))
    }

    /// What it is where it is there.
    pub(crate) fn there(self) -> Kind {
        match self {
            Kind::Option(inner) => *inner,
            other => other,
        }
    }

    /// The same as a value: what only rustc knew, only the value knows then.
    pub(crate) fn dynamic(self) -> Kind {
        match self {
            Kind::Unknown => Kind::Dynamic,
            other => other,
        }
    }

    /// What a loop finds in it.
    pub(crate) fn item(&self) -> Kind {
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

    /// What is true of both.
    #[allow(clippy::needless_pass_by_value)] // As a step of `Iterator::reduce`.
    pub(crate) fn either(self, other: Kind) -> Kind {
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
    pub(crate) fn is_open(&self) -> bool {
        matches!(self, Kind::Unknown | Kind::Dynamic)
    }

    /// `True` and `False` are numbers in Python.
    pub(crate) fn is_number(&self) -> bool {
        matches!(self, Kind::Bool | Kind::Int | Kind::Float | Kind::Number)
    }

    /// Whether its items are of a type of the user's, which is no value as a whole.
    pub(crate) fn holds_unknown(&self) -> bool {
        matches!(self, Kind::List(item) if **item == Kind::Unknown)
    }
}

fn of_segment(last: &syn::PathSegment) -> Kind {
    let name = last.ident.to_string();
    let inner = |index| argument(last, index).map_or(Kind::Unknown, Kind::of);
    match name.as_str() {
        "bool" => Kind::Bool,
        "f32" | "f64" => Kind::Float,
        "str" | "String" | "char" | "Path" | "PathBuf" => Kind::Text,
        "Cow" | "Box" | "Arc" | "Rc" | "Trusted" | "Python" => inner(0),
        "Vec" | "VecDeque" | "LinkedList" | "BTreeSet" => Kind::list(inner(0)),
        "BTreeMap" => Kind::Dict(Box::new(inner(1))),
        "HashSet" | "HashMap" => Kind::Unordered,
        "Option" => Kind::Option(Box::new(inner(0))),
        "Media" => Kind::Media,
        "Value" | "Json" => Kind::Dynamic,
        _ if INTS.contains(&name.as_str()) => Kind::Int,
        _ => Kind::Unknown,
    }
}

/// A type argument of a path's segment.
fn argument(segment: &syn::PathSegment, index: usize) -> Option<&Type> {
    let syn::PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return None;
    };
    let mut types = arguments.args.iter().filter_map(|argument| match argument {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.nth(index)
}

/// As messages call it: `a text`, `a list`.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Unknown | Kind::Dynamic => "a value",
            Kind::None => "`none`",
            Kind::Bool => "a boolean",
            Kind::Int => "a whole number",
            Kind::Float | Kind::Number => "a number",
            Kind::Text => "a text",
            Kind::List(_) => "a list",
            Kind::Tuple(_) => "a tuple",
            Kind::Dict(_) => "a map",
            Kind::Option(_) => "an `Option`",
            Kind::Media => "an image, sound, film or file",
            Kind::Unordered => "a hash set or map",
        })
    }
}
