//! What the tokens of a Rust type tell about its values. Nothing is known of an alias.

use prompt_syntax::{Dialect, analysis, kind as values};
use syn::Type;

use crate::input::Field;

/// What generated code assumes about a type by its name. Nothing is known of an alias.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Number,
    Text,
    List,
    Option,
    Trusted,
    Media,
    /// A hash set or map, whose order changes from run to run.
    Unordered,
    Unknown,
}

const NUMBERS: [&str; 16] = [
    "bool", "char", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128",
    "usize", "f32", "f64",
];

impl Kind {
    pub(crate) fn of(ty: &Type) -> Kind {
        match ty {
            Type::Reference(reference) => Kind::of(&reference.elem),
            Type::Paren(inner) => Kind::of(&inner.elem),
            Type::Group(inner) => Kind::of(&inner.elem),
            Type::Slice(_) | Type::Array(_) => Kind::List,
            Type::Path(path) => {
                path.path.segments.last().map_or(Kind::Unknown, |last| {
                    match last.ident.to_string().as_str() {
                        "str" | "String" => Kind::Text,
                        "Cow" | "Box" | "Arc" | "Rc" => inner(last).map_or(Kind::Unknown, Kind::of),
                        "Vec" | "VecDeque" | "LinkedList" | "BTreeSet" => Kind::List,
                        "HashSet" | "HashMap" => Kind::Unordered,
                        "Option" => Kind::Option,
                        "Trusted" => Kind::Trusted,
                        "Media" => Kind::Media,
                        name if NUMBERS.contains(&name) && path.path.segments.len() == 1 => {
                            Kind::Number
                        }
                        _ => Kind::Unknown,
                    }
                })
            }
            _ => Kind::Unknown,
        }
    }
}

pub(crate) fn is_plain_text(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => is_plain_text(&reference.elem),
        Type::Paren(inner) => is_plain_text(&inner.elem),
        Type::Group(inner) => is_plain_text(&inner.elem),
        Type::Path(path) => path.path.is_ident("str") || path.path.is_ident("String"),
        _ => false,
    }
}

/// The name that a type's path ends with.
fn name_of(ty: &Type) -> Option<String> {
    match ty {
        Type::Reference(reference) => name_of(&reference.elem),
        Type::Path(path) => Some(path.path.segments.last()?.ident.to_string()),
        _ => None,
    }
}

/// The last type argument of a path's segment.
fn inner(segment: &syn::PathSegment) -> Option<&Type> {
    let syn::PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return None;
    };
    arguments
        .args
        .iter()
        .rev()
        .find_map(|argument| match argument {
            syn::GenericArgument::Type(ty) => Some(ty),
            _ => None,
        })
}

impl Field {
    pub(crate) fn kind(&self) -> Kind {
        if self.keys.has("media") {
            Kind::Media
        } else {
            self.of_type
        }
    }

    /// The key that keeps the field out of slots.
    pub(crate) fn stands_apart(&self) -> Option<&'static str> {
        if self.keys.is_empty() {
            return None;
        }
        ["skip", "history", "examples", "tools", "extra"]
            .into_iter()
            .find(|key| self.keys.has(key))
    }

    /// The key that the name of its type suggests, if it has none.
    pub(crate) fn meant_key(&self) -> Option<&'static str> {
        if !self.keys.is_empty() {
            return None;
        }
        let is_tools = || {
            content(&self.ty)
                .and_then(name_of)
                .is_some_and(|name| name == "Tool")
        };
        match name_of(&self.ty) {
            Some(name) if name == "History" => Some("history"),
            Some(name) if name == "Examples" => Some("examples"),
            _ if self.of_type == Kind::List && is_tools() => Some("tools"),
            _ => None,
        }
    }

    /// Whether its text may be used in a system message.
    pub(crate) fn is_trusted(&self) -> bool {
        // A key with a syntax error may have been this one.
        self.keys.broken || self.keys.has("trusted") || is_safe_by_name(&self.ty)
    }
}

/// Whether a type's values, or the items of its lists, cannot contain instructions, judged by the type's name. Generated code
/// then asks rustc to confirm it.
pub(crate) fn is_safe_by_name(ty: &Type) -> bool {
    match Kind::of(ty) {
        // A list of `char`, or several of them side by side, is text.
        Kind::Number => !is_char(ty),
        Kind::Trusted => true,
        Kind::List | Kind::Option => content(ty).is_some_and(is_safe_by_name),
        _ => false,
    }
}

/// The type of the values in a list or an `Option`, also behind pointers.
pub(crate) fn content(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Reference(reference) => content(&reference.elem),
        Type::Paren(ty) => content(&ty.elem),
        Type::Group(ty) => content(&ty.elem),
        Type::Slice(slice) => Some(&slice.elem),
        Type::Array(array) => Some(&array.elem),
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            match last.ident.to_string().as_str() {
                "Box" | "Arc" | "Rc" | "Cow" => content(inner(last)?),
                _ => inner(last),
            }
        }
        _ => None,
    }
}

/// The last type argument of a list or an `Option`.
pub(crate) fn element(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Reference(reference) => element(&reference.elem),
        Type::Slice(slice) => Some(&slice.elem),
        Type::Array(array) => Some(&array.elem),
        Type::Path(path) => inner(path.path.segments.last()?),
        _ => None,
    }
}

fn is_char(ty: &Type) -> bool {
    value_kind(ty) == values::Kind::Text && Kind::of(ty) == Kind::Number
}

impl Field {
    #[cfg(feature = "dynamic")]
    pub(crate) fn is_char(&self) -> bool {
        is_char(&self.ty)
    }

    /// The field as the analysis of a template sees it.
    pub(crate) fn described(&self, dialect: Dialect) -> analysis::Field {
        analysis::Field {
            name: self.name.clone(),
            kind: match dialect {
                _ if self.keys.has("media") => values::Kind::Media,
                Dialect::Jinja => value_kind(&self.ty),
                Dialect::Angle | Dialect::Brace => slot_kind(&self.ty),
            },
            trusted: self.is_trusted(),
            // Examples may fill a slot as text.
            apart: self.stands_apart().filter(|key| *key != "examples"),
            answer: self.keys.has("answer"),
        }
    }
}

/// What the tokens of a type say about its values, for the angle and brace dialects: rustc decides about the others.
fn slot_kind(ty: &Type) -> values::Kind {
    let inner = || content(ty).map_or(values::Kind::Unknown, slot_kind);
    match Kind::of(ty) {
        Kind::Number => values::Kind::Number,
        Kind::Text => values::Kind::Text,
        Kind::List => values::Kind::list(inner()),
        Kind::Option => values::Kind::Option(Box::new(inner())),
        Kind::Media => values::Kind::Media,
        Kind::Unordered => values::Kind::Unordered,
        Kind::Trusted => match inner() {
            kind @ (values::Kind::Text | values::Kind::Number) => kind,
            _ => values::Kind::Unknown,
        },
        Kind::Unknown => values::Kind::Unknown,
    }
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

/// What the tokens of a type say about its values, for the Jinja dialect. Nothing is known of an alias.
fn value_kind(ty: &Type) -> values::Kind {
    match ty {
        Type::Reference(reference) => value_kind(&reference.elem),
        Type::Paren(inner) => value_kind(&inner.elem),
        Type::Group(inner) => value_kind(&inner.elem),
        Type::Slice(slice) => values::Kind::list(value_kind(&slice.elem)),
        Type::Array(array) => values::Kind::list(value_kind(&array.elem)),
        Type::Tuple(tuple) if tuple.elems.is_empty() => values::Kind::None,
        Type::Tuple(tuple) => values::Kind::Tuple(tuple.elems.iter().map(value_kind).collect()),
        Type::Path(path) => path
            .path
            .segments
            .last()
            .map_or(values::Kind::Unknown, of_segment),
        _ => values::Kind::Unknown,
    }
}

fn of_segment(last: &syn::PathSegment) -> values::Kind {
    let name = last.ident.to_string();
    let inner = |index| argument(last, index).map_or(values::Kind::Unknown, value_kind);
    match name.as_str() {
        "bool" => values::Kind::Bool,
        "f32" | "f64" => values::Kind::Float,
        "str" | "String" | "char" | "Path" | "PathBuf" => values::Kind::Text,
        "Cow" | "Box" | "Arc" | "Rc" | "Trusted" | "Python" => inner(0),
        "Vec" | "VecDeque" | "LinkedList" | "BTreeSet" => values::Kind::list(inner(0)),
        "BTreeMap" => values::Kind::Dict(Box::new(inner(1))),
        "HashSet" | "HashMap" => values::Kind::Unordered,
        "Option" => values::Kind::Option(Box::new(inner(0))),
        "Media" => values::Kind::Media,
        "Value" | "Json" => values::Kind::Dynamic,
        _ if INTS.contains(&name.as_str()) => values::Kind::Int,
        _ => values::Kind::Unknown,
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
