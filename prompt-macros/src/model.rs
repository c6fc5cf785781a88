//! An analyzed prompt: its messages with their roles, and their text with every name resolved.

pub(crate) use prompt_syntax::analysis::{Fallback, Piece, Place, Root, Slot, Test, Value, walk};
use prompt_syntax::{Dialect, Role, Span, analysis, kind as values};
use syn::Type;

use crate::attribute::Keyed;
use crate::examples::Examples;
use crate::input::{Case, Field, Input};
use crate::source::SourceText;

pub(crate) struct Prompt<'a> {
    pub(crate) input: &'a Input,
    pub(crate) cases: Vec<PromptCase<'a>>,
}

/// The template of a struct, or of one variant.
pub(crate) struct PromptCase<'a> {
    pub(crate) case: &'a Case,
    /// The fields as the analysis sees them.
    pub(crate) fields: Vec<analysis::Field>,
    pub(crate) dialect: prompt_syntax::Dialect,
    pub(crate) sources: Vec<SourceText>,
    pub(crate) steps: Vec<Step>,
    /// Whether it is a fragment: text without a role, for use inside other prompts.
    pub(crate) fragment: bool,
    /// Names of XML elements that stay text, each with its source.
    pub(crate) tags: Vec<(usize, prompt_syntax::Tag)>,
    /// Whether the template has no errors so far; otherwise fields may only seem unused.
    pub(crate) readable: bool,
}

pub(crate) enum Step {
    Message(Message),
    History { field: usize, at: proc_macro2::Span },
    Examples(Examples),
}

pub(crate) struct Message {
    /// `None` in a fragment.
    pub(crate) role: Option<Role>,
    pub(crate) body: Vec<Piece>,
    pub(crate) source: usize,
    /// The tag that opens it, in a template with role blocks.
    pub(crate) tag: Option<Span>,
    /// The token that rustc marks for an error of the whole message.
    pub(crate) at: proc_macro2::Span,
}

impl Prompt<'_> {
    pub(crate) fn is_fragment(&self) -> bool {
        self.cases.iter().any(|case| case.fragment)
    }

    pub(crate) fn output(&self) -> Option<&Keyed<Type>> {
        self.input.keys.output.as_ref()
    }
}

/// What the types of fields tell about a place.
pub(crate) trait PlaceType {
    /// Whether its type says by its name that it can fill a slot.
    fn is_known_text(&self, fields: &[Field]) -> bool;

    /// Whether its type is `str` or `String`, or a reference to one, by its name.
    fn is_plain_text(&self, fields: &[Field]) -> bool;

    /// Whether the tokens of its type say that a loop can iterate over it.
    fn is_known_list(&self, fields: &[Field]) -> bool;
}

impl PlaceType for Place {
    fn is_known_text(&self, fields: &[Field]) -> bool {
        let kind = kind(self, fields);
        matches!(kind, None | Some(Kind::Text | Kind::Number | Kind::Trusted))
    }

    fn is_plain_text(&self, fields: &[Field]) -> bool {
        let Some(field) = fields.get(self.origin).filter(|_| self.rest.is_empty()) else {
            return false;
        };
        match self.root {
            Root::Field(_) => is_plain_text(&field.ty),
            Root::Local(_) if matches!(field.kind(), Kind::List | Kind::Option) => {
                element(&field.ty).is_some_and(is_plain_text)
            }
            Root::Local(_) => false,
        }
    }

    fn is_known_list(&self, fields: &[Field]) -> bool {
        matches!(kind(self, fields), None | Some(Kind::List))
    }
}

/// What the tokens of a place's type say; nothing of a place without a field.
fn kind(place: &Place, fields: &[Field]) -> Option<Kind> {
    let field = fields.get(place.origin)?;
    Some(match place.root {
        _ if !place.rest.is_empty() => Kind::Unknown,
        Root::Field(_) => field.kind(),
        // A block binds what is inside a list or an `Option`.
        Root::Local(_) => element(&field.ty).map_or(Kind::Unknown, Kind::of),
    })
}

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
        Kind::Number | Kind::Trusted => true,
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
fn element(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Reference(reference) => element(&reference.elem),
        Type::Slice(slice) => Some(&slice.elem),
        Type::Array(array) => Some(&array.elem),
        Type::Path(path) => inner(path.path.segments.last()?),
        _ => None,
    }
}

impl Field {
    #[cfg(feature = "dynamic")]
    pub(crate) fn is_char(&self) -> bool {
        value_kind(&self.ty) == values::Kind::Text && self.of_type == Kind::Number
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

/// The fields that a template uses.
pub(crate) fn used(case: &PromptCase<'_>) -> Vec<usize> {
    let mut used = Vec::new();
    each_place(case, &mut |place, _| used.push(place.origin));
    used
}

/// The fields that a message uses.
pub(crate) fn used_in(case: &PromptCase<'_>, message: &Message) -> Vec<usize> {
    let mut used = Vec::new();
    each_place(case, &mut |place, other| {
        if std::ptr::eq(message, other) {
            used.push(place.origin);
        }
    });
    used
}

/// The message with the answer: the assistant's, at the end. The answer in another message is an error.
pub(crate) fn answer<'a>(case: &'a PromptCase<'_>) -> Option<&'a Message> {
    let Some(Step::Message(last)) = case.steps.last() else {
        return None;
    };
    let holds = |index: &usize| is_answer(case, *index);
    (last.role == Some(Role::Assistant) && used_in(case, last).iter().any(holds)).then_some(last)
}

/// Whether the index is that of the answer; an item of a loop may come from no field.
pub(crate) fn is_answer(case: &PromptCase<'_>, field: usize) -> bool {
    let field = case.case.fields.get(field);
    field.is_some_and(|field| field.keys.has("answer"))
}

/// The fields whose text is used in the system message.
pub(crate) fn used_in_system(case: &PromptCase<'_>) -> Vec<usize> {
    let mut used = Vec::new();
    for message in system_messages(case) {
        walk(&message.body, &mut |piece| {
            piece.shown(&mut |place| used.push(place.origin));
        });
    }
    used
}

/// The first slot of the system message that writes a field.
pub(crate) fn first_in_system<'a>(
    case: &'a PromptCase<'_>,
    field: usize,
) -> Option<(&'a Message, &'a Place)> {
    let mut first = None;
    for message in system_messages(case) {
        walk(&message.body, &mut |piece| {
            piece.shown(&mut |place| {
                if place.origin == field && first.is_none() {
                    first = Some((message, place));
                }
            });
        });
    }
    first
}

/// Calls `see` for each place of a template, with its message.
pub(crate) fn each_place<'a>(
    case: &'a PromptCase<'_>,
    see: &mut impl FnMut(&'a Place, &'a Message),
) {
    for message in messages(case) {
        walk(&message.body, &mut |piece| {
            piece.places(&mut |place| see(place, message));
        });
    }
}

/// The messages of a template, in order.
pub(crate) fn messages<'a>(case: &'a PromptCase<'_>) -> Vec<&'a Message> {
    let mut messages = Vec::with_capacity(case.steps.len());
    for step in &case.steps {
        if let Step::Message(message) = step {
            messages.push(message);
        }
    }
    messages
}

/// The system messages; a template without errors has at most one.
pub(crate) fn system_messages<'a>(case: &'a PromptCase<'_>) -> Vec<&'a Message> {
    let mut messages = messages(case);
    messages.retain(|message| message.role == Some(Role::System));
    messages
}

/// The last message of the user.
pub(crate) fn last_of_user<'a>(case: &'a PromptCase<'_>) -> Option<&'a Message> {
    let mut messages = messages(case).into_iter();
    messages.rfind(|message| message.role == Some(Role::User))
}
