//! The kind of a Rust type's values by the type's tokens.
//!
//! A macro runs before name resolution, so it can only compare names: an alias, or a type of the user's with the name of a standard type, is
//! judged wrongly. That is safe in one direction only. A name that is not known asks rustc (see `emit/assert.rs`); a name that is
//! known saves this check, and where it decides about trust, generated code asks rustc as well ([`is_safe_by_name`]).

use prompt_syntax::{Dialect, Kind, analysis};
use quote::ToTokens as _;
use syn::{GenericArgument, PathArguments, PathSegment, Type};

use crate::emit::mentions_any;
use crate::input::Field;

/// The kind of a type by its name. The kind of an alias is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TypeKind {
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

/// The integer types, each with its smallest and its largest value.
pub(crate) const INTEGERS: [(&str, i128, u128); 12] = [
    ("i8", i8::MIN as i128, i8::MAX as u128),
    ("i16", i16::MIN as i128, i16::MAX as u128),
    ("i32", i32::MIN as i128, i32::MAX as u128),
    ("i64", i64::MIN as i128, i64::MAX as u128),
    ("i128", i128::MIN, i128::MAX as u128),
    ("isize", i64::MIN as i128, i64::MAX as u128),
    ("u8", 0, u8::MAX as u128),
    ("u16", 0, u16::MAX as u128),
    ("u32", 0, u32::MAX as u128),
    ("u64", 0, u64::MAX as u128),
    ("u128", 0, u128::MAX),
    ("usize", 0, u64::MAX as u128),
];

pub(crate) const FLOATS: [&str; 2] = ["f32", "f64"];

/// The name of the integer or float type of that name.
pub(crate) fn number_named(name: &str) -> Option<&'static str> {
    let mut names = INTEGERS.iter().map(|(name, ..)| *name).chain(FLOATS);
    names.find(|number| *number == name)
}

/// The type without references, parentheses and groups around it.
pub(crate) fn peel_references(ty: &Type) -> &Type {
    match ty {
        Type::Reference(reference) => peel_references(&reference.elem),
        Type::Paren(inner) => peel_references(&inner.elem),
        Type::Group(inner) => peel_references(&inner.elem),
        ty => ty,
    }
}

/// A type as parsed from its tokens.
pub(crate) enum TypeTokens<'a> {
    /// A slice or an array of these items.
    Items(&'a Type),
    /// A path: its last segment with its name, and whether it has no other segment.
    Path(&'a PathSegment, String, bool),
    Other,
}

impl TypeTokens<'_> {
    /// Returns the shape of a type, also behind references.
    pub(crate) fn from_type(ty: &Type) -> TypeTokens<'_> {
        match peel_references(ty) {
            Type::Slice(slice) => TypeTokens::Items(&slice.elem),
            Type::Array(array) => TypeTokens::Items(&array.elem),
            Type::Path(path) => path.path.segments.last().map_or(TypeTokens::Other, |last| {
                TypeTokens::Path(last, last.ident.to_string(), path.path.segments.len() == 1)
            }),
            _ => TypeTokens::Other,
        }
    }
}

impl TypeKind {
    pub(crate) fn from_type(ty: &Type) -> TypeKind {
        match TypeTokens::from_type(ty) {
            TypeTokens::Items(_) => TypeKind::List,
            TypeTokens::Path(last, name, is_alone) => match name.as_str() {
                "str" | "String" => TypeKind::Text,
                "Cow" | "Box" | "Arc" | "Rc" => {
                    last_type_argument(last).map_or(TypeKind::Unknown, TypeKind::from_type)
                }
                "Vec" | "VecDeque" | "LinkedList" | "BTreeSet" => TypeKind::List,
                "HashSet" | "HashMap" => TypeKind::Unordered,
                "Option" => TypeKind::Option,
                "Trusted" => TypeKind::Trusted,
                "Media" => TypeKind::Media,
                // With a path it may be a type of the user's, such as `units::bool`.
                "bool" | "char" if is_alone => TypeKind::Number,
                name if is_alone && number_named(name).is_some() => TypeKind::Number,
                _ => TypeKind::Unknown,
            },
            TypeTokens::Other => TypeKind::Unknown,
        }
    }
}

pub(crate) fn is_plain_text(ty: &Type) -> bool {
    matches!(TypeTokens::from_type(ty), TypeTokens::Path(last, name, true)
        if last.arguments.is_empty() && matches!(name.as_str(), "str" | "String"))
}

/// The name that a type's path ends with.
fn name_of(ty: &Type) -> Option<String> {
    match TypeTokens::from_type(ty) {
        TypeTokens::Path(_, name, _) => Some(name),
        _ => None,
    }
}

/// The type arguments of a path's segment.
pub(crate) fn type_arguments(segment: &PathSegment) -> impl DoubleEndedIterator<Item = &Type> {
    let arguments = match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => Some(&arguments.args),
        _ => None,
    };
    arguments
        .into_iter()
        .flatten()
        .filter_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        })
}

/// The last type argument of a path's segment.
pub(crate) fn last_type_argument(segment: &PathSegment) -> Option<&Type> {
    type_arguments(segment).next_back()
}

impl Field {
    pub(crate) fn kind(&self) -> TypeKind {
        if self.keys.has("media") {
            TypeKind::Media
        } else {
            self.of_type
        }
    }

    /// The key that keeps the field out of slots.
    pub(crate) fn key_without_slot(&self) -> Option<&'static str> {
        if self.keys.is_empty() {
            return None;
        }
        ["skip", "history", "examples", "tools", "extra"]
            .into_iter()
            .find(|key| self.keys.has(key))
    }

    /// The key that the name of its type suggests, for a help, if it has none.
    pub(crate) fn meant_key(&self) -> Option<&'static str> {
        if !self.keys.is_empty() {
            return None;
        }
        let is_tools = || {
            content_type(&self.ty)
                .and_then(name_of)
                .is_some_and(|name| name == "Tool")
        };
        match name_of(&self.ty) {
            Some(name) if name == "History" => Some("history"),
            Some(name) if name == "Examples" => Some("examples"),
            _ if self.of_type == TypeKind::List && is_tools() => Some("tools"),
            _ => None,
        }
    }

    /// Whether its text may be used in a system message.
    pub(crate) fn is_trusted(&self) -> bool {
        // A key with a syntax error may have been this one.
        self.keys.broken
            || self.keys.has("trusted")
            || self.of_type != TypeKind::Text && is_safe_by_name(&self.ty)
    }
}

/// Whether it is a list of tuples, whose parts each have a type of their own.
fn has_tuples(ty: &Type) -> bool {
    match peel_references(ty) {
        Type::Tuple(_) => true,
        ty => content_type(ty).is_some_and(has_tuples),
    }
}

/// Whether a type is `Untrusted`, or contains it. Any mention counts: a wrong guess only demands a marker.
pub(crate) fn is_untrusted(ty: &Type) -> bool {
    mentions_any(ty.to_token_stream(), &["Untrusted".to_owned()])
}

/// Whether a type's values, or the items of its lists, cannot contain instructions, judged by the type's name. Generated code
/// then asks rustc to confirm it.
pub(crate) fn is_safe_by_name(ty: &Type) -> bool {
    match TypeKind::from_type(ty) {
        // A list of `char`, or several adjacent ones, are text.
        TypeKind::Number => !is_char(ty),
        TypeKind::Trusted => true,
        TypeKind::List | TypeKind::Option => content_type(ty).is_some_and(is_safe_by_name),
        _ => false,
    }
}

/// The type of the values in a list or an `Option`, also behind pointers.
pub(crate) fn content_type(ty: &Type) -> Option<&Type> {
    match TypeTokens::from_type(ty) {
        TypeTokens::Items(items) => Some(items),
        TypeTokens::Path(last, name, _) => match name.as_str() {
            "Box" | "Arc" | "Rc" | "Cow" => content_type(last_type_argument(last)?),
            _ => last_type_argument(last),
        },
        _ => None,
    }
}

/// The last type argument of a list or an `Option`.
pub(crate) fn element_type(ty: &Type) -> Option<&Type> {
    match TypeTokens::from_type(ty) {
        TypeTokens::Items(items) => Some(items),
        TypeTokens::Path(last, ..) => last_type_argument(last),
        _ => None,
    }
}

pub(crate) fn is_char(ty: &Type) -> bool {
    TypeKind::from_type(ty) == TypeKind::Number
        && matches!(TypeTokens::from_type(ty), TypeTokens::Path(last, name, _)
            if name == "char" || last_type_argument(last).is_some_and(is_char))
}

impl Field {
    /// The field as the analysis of a template sees it.
    pub(crate) fn describe_field(&self, dialect: Dialect) -> analysis::FieldInfo {
        analysis::FieldInfo {
            name: self.name.clone(),
            kind: match dialect {
                _ if self.keys.has("media") && !has_tuples(&self.ty) => Kind::Media,
                _ if self.of_type == TypeKind::Text => Kind::Text,
                #[cfg(feature = "jinja")]
                Dialect::Jinja => value_kind(&self.ty),
                _ => slot_kind(&self.ty),
            },
            trusted: self.is_trusted(),
            // Examples may fill a slot as text.
            excluded_by: self.key_without_slot().filter(|key| *key != "examples"),
            answer: self.keys.has("answer"),
        }
    }
}

/// The kind of a type's values by its tokens, for the angle and brace dialects; rustc checks other types.
fn slot_kind(ty: &Type) -> Kind {
    if is_map(ty) {
        return Kind::Dict(Box::new(Kind::Unknown));
    }
    let inner = || content_type(ty).map_or(Kind::Unknown, slot_kind);
    match TypeKind::from_type(ty) {
        TypeKind::Number if is_char(ty) => Kind::Text,
        TypeKind::Number => Kind::Number,
        TypeKind::Text => Kind::Text,
        TypeKind::List if matches!(content_type(ty), Some(Type::Tuple(_))) => {
            Kind::list(Kind::Tuple(Vec::new()))
        }
        TypeKind::List => Kind::list(inner()),
        TypeKind::Option => Kind::Option(Box::new(inner())),
        TypeKind::Media => Kind::Media,
        TypeKind::Unordered => Kind::Unordered,
        TypeKind::Trusted => match inner() {
            kind @ (Kind::Text | Kind::Number) => kind,
            _ => Kind::Unknown,
        },
        TypeKind::Unknown => Kind::Unknown,
    }
}

/// Whether it is a `BTreeMap`, also behind pointers.
fn is_map(ty: &Type) -> bool {
    match TypeTokens::from_type(ty) {
        TypeTokens::Path(last, name, _) => match name.as_str() {
            "Cow" | "Box" | "Arc" | "Rc" => last_type_argument(last).is_some_and(is_map),
            name => name == "BTreeMap",
        },
        _ => false,
    }
}

/// The kind of a type's values by its tokens, for the Jinja dialect. Aliases are not resolved.
#[cfg(feature = "jinja")]
pub(crate) fn value_kind(ty: &Type) -> Kind {
    if let Type::Tuple(tuple) = peel_references(ty) {
        return match tuple.elems.is_empty() {
            true => Kind::None,
            false => Kind::Tuple(tuple.elems.iter().map(value_kind).collect()),
        };
    }
    let (last, name) = match TypeTokens::from_type(ty) {
        TypeTokens::Items(items) => return Kind::list(value_kind(items)),
        TypeTokens::Path(last, name, _) => (last, name),
        TypeTokens::Other => return Kind::Unknown,
    };
    let inner = |index| {
        let argument = type_arguments(last).nth(index);
        argument.map_or(Kind::Unknown, value_kind)
    };
    match name.as_str() {
        "bool" => Kind::Bool,
        "f32" | "f64" => Kind::Float,
        "str" | "String" | "char" | "Path" | "PathBuf" | "Untrusted" => Kind::Text,
        "Cow" | "Box" | "Arc" | "Rc" | "Trusted" | "Python" => inner(0),
        "Vec" | "VecDeque" | "LinkedList" | "BTreeSet" => Kind::list(inner(0)),
        "BTreeMap" => Kind::Dict(Box::new(inner(1))),
        "HashSet" | "HashMap" => Kind::Unordered,
        "Option" => Kind::Option(Box::new(inner(0))),
        "Media" => Kind::Media,
        "Value" | "Json" => Kind::Dynamic,
        name => {
            let lowercase = name.strip_prefix("NonZero").map(str::to_lowercase);
            match number_named(lowercase.as_deref().unwrap_or(name)) {
                Some(_) => Kind::Int,
                None => Kind::Unknown,
            }
        }
    }
}

/// A type as it was written.
pub(crate) fn type_name(ty: &Type) -> String {
    let text = ty.to_token_stream().to_string();
    text.replace(" <", "<")
        .replace("< ", "<")
        .replace(" >", ">")
        .replace("& ", "&")
        .replace(" ,", ",")
        .replace(" :: ", "::")
}
