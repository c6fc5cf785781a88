//! What the tokens of a type say of its values.

use prompt_syntax::kind::Kind;
use syn::Type;

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

/// What the tokens of a type say. An alias says nothing.
pub(crate) fn of(ty: &Type) -> Kind {
    match ty {
        Type::Reference(reference) => of(&reference.elem),
        Type::Paren(inner) => of(&inner.elem),
        Type::Group(inner) => of(&inner.elem),
        Type::Slice(slice) => Kind::list(of(&slice.elem)),
        Type::Array(array) => Kind::list(of(&array.elem)),
        Type::Tuple(tuple) if tuple.elems.is_empty() => Kind::None,
        Type::Tuple(tuple) => Kind::Tuple(tuple.elems.iter().map(of).collect()),
        Type::Path(path) => path.path.segments.last().map_or(Kind::Unknown, of_segment),
        _ => Kind::Unknown,
    }
}

fn of_segment(last: &syn::PathSegment) -> Kind {
    let name = last.ident.to_string();
    let inner = |index| argument(last, index).map_or(Kind::Unknown, of);
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
