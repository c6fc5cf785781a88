//! What the tokens of a type say of a field, where the dialect asks no more of it.

use syn::Type;

use crate::input::Field;

/// What the tokens of a type say about its values. An alias says nothing.
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

    /// Whether the field is an image, sound, film or file, or a list or an `Option` of these.
    pub(crate) fn holds_media(&self) -> bool {
        self.keys.has("media") || holds_media(&self.ty)
    }

    /// Whether the field is filled by no slot of its own.
    pub(crate) fn stands_apart(&self) -> Option<&'static str> {
        if self.keys.is_empty() {
            return None;
        }
        ["skip", "history", "shots", "tools", "extra"]
            .into_iter()
            .find(|key| self.keys.has(key))
    }

    /// The key that its type's name asks for, where it has none: what is no text has no slot.
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
            Some(name) if name == "Shots" => Some("shots"),
            _ if self.of_type == Kind::List && is_tools() => Some("tools"),
            _ => None,
        }
    }

    /// Whether its text may stand in a system message.
    pub(crate) fn is_trusted(&self) -> bool {
        // A key that could not be read may have been this one.
        self.keys.broken || self.keys.has("trusted") || is_safe_by_name(&self.ty)
    }
}

/// Whether a type's values, or the items of its lists, cannot carry instructions by their name. rustc is then asked whether
/// they are what they are called.
pub(crate) fn is_safe_by_name(ty: &Type) -> bool {
    match Kind::of(ty) {
        Kind::Number | Kind::Trusted => true,
        Kind::List | Kind::Option => content(ty).is_some_and(is_safe_by_name),
        _ => false,
    }
}

fn holds_media(ty: &Type) -> bool {
    match Kind::of(ty) {
        Kind::Media => true,
        Kind::List | Kind::Option => content(ty).is_some_and(holds_media),
        _ => false,
    }
}

/// Whether a type is an `Option` of an `Option`.
pub(crate) fn is_nested_option(ty: &Type) -> bool {
    Kind::of(ty) == Kind::Option && content(ty).is_some_and(|ty| Kind::of(ty) == Kind::Option)
}

/// What a list or an `Option` holds.
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

/// What is inside of a list or an `Option`.
pub(super) fn element(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Reference(reference) => element(&reference.elem),
        Type::Slice(slice) => Some(&slice.elem),
        Type::Array(array) => Some(&array.elem),
        Type::Path(path) => inner(path.path.segments.last()?),
        _ => None,
    }
}
