//! What was decided about a prompt: every name is resolved, every text knows who says it.

use proc_macro2::Ident;
use prompt_syntax::{Role, Span};
use syn::Type;

use crate::attribute::Keyed;
use crate::input::{Case, Field, Input};
use crate::jinja::{Items, Term};
use crate::shots::Shots;
use crate::source::SourceText;

pub(crate) struct Prompt<'a> {
    pub(crate) input: &'a Input,
    pub(crate) cases: Vec<PromptCase<'a>>,
}

/// The template of a struct, or of one variant.
pub(crate) struct PromptCase<'a> {
    pub(crate) case: &'a Case,
    pub(crate) dialect: prompt_syntax::Dialect,
    pub(crate) sources: Vec<SourceText>,
    pub(crate) steps: Vec<Step>,
    /// Whether it is the text of no one, to stand inside other prompts.
    pub(crate) fragment: bool,
    /// Names of XML pairs that stay text, each with its source.
    pub(crate) tags: Vec<(usize, prompt_syntax::Tag)>,
    /// Whether the template could be read: if not, fields may only seem unused.
    pub(crate) readable: bool,
}

pub(crate) enum Step {
    Message(Message),
    History { field: usize, at: proc_macro2::Span },
    Shots(Shots),
}

pub(crate) struct Message {
    /// Nobody, in a fragment.
    pub(crate) role: Option<Role>,
    pub(crate) body: Vec<Piece>,
    pub(crate) source: usize,
    /// The tag that opens it, in a template with roles.
    pub(crate) tag: Option<Span>,
    /// Where rustc points for an error of the whole message.
    pub(crate) at: proc_macro2::Span,
}

#[derive(Clone)]
pub(crate) enum Piece {
    Text {
        text: String,
        span: Span,
    },
    Slot(Slot),
    Media {
        place: Place,
        span: Span,
    },
    If {
        branches: Vec<Branch>,
        otherwise: Vec<Piece>,
    },
    For {
        binding: Ident,
        list: Value,
        body: Vec<Piece>,
        otherwise: Option<Vec<Piece>>,
    },
    /// Jinja: the value of an expression.
    Show(Show),
    /// Jinja: variables that get a value.
    Bind(Bind),
    /// Jinja: a block with variables of its own.
    Scope(Vec<Piece>),
    /// Jinja: a loop.
    Loop(Box<Loop>),
}

/// An expression whose value is written.
#[derive(Clone)]
pub(crate) struct Show {
    pub(crate) name: String,
    pub(crate) term: Term,
    pub(crate) span: Span,
}

/// Variables that get a value.
#[derive(Clone)]
pub(crate) struct Bind {
    /// One, or several that the value is taken apart into.
    pub(crate) idents: Vec<Ident>,
    pub(crate) how: How,
    pub(crate) value: Term,
    pub(crate) span: Span,
}

/// What happens to variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum How {
    /// They begin, and stay what they are.
    Let,
    /// They begin, to be given another value in a condition.
    Declare,
    /// They get another value.
    Assign,
}

/// A loop of the Jinja dialect.
#[derive(Clone)]
pub(crate) struct Loop {
    /// The names of an item, or of its parts.
    pub(crate) idents: Vec<Ident>,
    pub(crate) over: Over,
    /// Which items are taken.
    pub(crate) condition: Option<Test>,
    /// What `loop` is bound to, where the template uses it.
    pub(crate) state: Option<Ident>,
    /// What the items beside are bound to, where the template uses them.
    pub(crate) beside: [Option<Ident>; 2],
    /// What remembers the values of `loop.changed`, where the template uses it.
    pub(crate) changed: Option<Ident>,
    pub(crate) body: Vec<Piece>,
    pub(crate) otherwise: Option<Vec<Piece>>,
    pub(crate) span: Span,
}

/// What a loop walks over.
#[derive(Clone)]
pub(crate) enum Over {
    /// Items of the user's own type.
    Items(Items),
    /// The entries of a map of the user's own type.
    Entries(Place),
    /// A value.
    Value(Term),
}

/// A place for a value.
#[derive(Clone)]
pub(crate) struct Slot {
    pub(crate) name: String,
    pub(crate) value: Value,
    /// Of an `Option`: the place that may be empty, the name of what is in it, and what stands there instead.
    pub(crate) fallback: Option<Fallback>,
    pub(crate) span: Span,
}

#[derive(Clone)]
pub(crate) struct Fallback {
    pub(crate) option: Place,
    pub(crate) binding: Ident,
    pub(crate) default: Value,
}

#[derive(Clone)]
pub(crate) struct Branch {
    pub(crate) test: Test,
    pub(crate) body: Vec<Piece>,
}

#[derive(Clone)]
pub(crate) enum Test {
    /// The value counts as there; it is bound to the name if its block uses it.
    Present {
        value: Value,
        binding: Option<Ident>,
    },
    Not(Box<Test>),
    And(Box<(Test, Test)>),
    Or(Box<(Test, Test)>),
    /// Jinja: an `Option` is there, whatever it holds; it is bound to the name if its block uses it.
    Given {
        place: Place,
        binding: Option<Ident>,
    },
    /// Jinja: the value of an expression counts as true.
    Holds(Term),
}

#[derive(Clone)]
pub(crate) enum Value {
    Place(Place),
    Literal(prompt_syntax::Literal),
    Filter {
        name: Vec<String>,
        value: Box<Value>,
        args: Vec<Value>,
        span: Span,
    },
}

/// A field, something bound by a block, or a field of either.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) root: Root,
    pub(crate) rest: Vec<Ident>,
    /// As it was written.
    pub(crate) name: String,
    /// The field that the value comes from in the end; none for a variable of `prompt!`.
    pub(crate) origin: usize,
    pub(crate) span: Span,
    /// Jinja: whether only rustc knows what its type is.
    pub(crate) open: bool,
}

#[derive(Clone)]
pub(crate) enum Root {
    Field(usize),
    Local(Ident),
}

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
                        name if NUMBERS.contains(&name) && path.path.segments.len() == 1 => {
                            Kind::Number
                        }
                        "str" | "String" => Kind::Text,
                        "Cow" | "Box" | "Arc" | "Rc" => inner(last).map_or(Kind::Unknown, Kind::of),
                        "Vec" | "VecDeque" | "LinkedList" | "BTreeSet" => Kind::List,
                        "HashSet" | "HashMap" => Kind::Unordered,
                        "Option" => Kind::Option,
                        "Trusted" => Kind::Trusted,
                        "Media" => Kind::Media,
                        _ => Kind::Unknown,
                    }
                })
            }
            _ => Kind::Unknown,
        }
    }
}

fn is_plain_text(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => is_plain_text(&reference.elem),
        Type::Paren(inner) => is_plain_text(&inner.elem),
        Type::Group(inner) => is_plain_text(&inner.elem),
        Type::Path(path) => path.path.is_ident("str") || path.path.is_ident("String"),
        _ => false,
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
            Kind::of(&self.ty)
        }
    }

    /// Whether the field is filled by no slot of its own.
    pub(crate) fn stands_apart(&self) -> Option<&'static str> {
        ["skip", "history", "shots", "tools", "extra"]
            .into_iter()
            .find(|key| self.keys.has(key))
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

impl Prompt<'_> {
    pub(crate) fn is_fragment(&self) -> bool {
        self.cases.iter().any(|case| case.fragment)
    }

    pub(crate) fn output(&self) -> Option<&Keyed<Type>> {
        self.input.keys.output.as_ref()
    }
}

impl Piece {
    /// Calls `see` for this piece and all inside it.
    pub(crate) fn walk<'a>(&'a self, see: &mut impl FnMut(&'a Piece)) {
        see(self);
        match self {
            Piece::If {
                branches,
                otherwise,
            } => {
                for branch in branches {
                    walk(&branch.body, see);
                }
                walk(otherwise, see);
            }
            Piece::For {
                body, otherwise, ..
            } => {
                walk(body, see);
                walk(otherwise.as_deref().unwrap_or_default(), see);
            }
            Piece::Scope(body) => walk(body, see),
            Piece::Loop(block) => {
                walk(&block.body, see);
                walk(block.otherwise.as_deref().unwrap_or_default(), see);
            }
            Piece::Show(Show { term, .. }) | Piece::Bind(Bind { value: term, .. }) => {
                term.each_block(&mut |block| walk(block, see));
            }
            Piece::Text { .. } | Piece::Slot(_) | Piece::Media { .. } => {}
        }
    }
}

impl Piece {
    /// Calls `see` for each place that the piece itself uses; what stands inside it is for [`walk`].
    pub(crate) fn places<'a>(&'a self, see: &mut dyn FnMut(&'a Place)) {
        match self {
            Piece::If { branches, .. } => {
                for branch in branches {
                    branch.test.places(see);
                }
            }
            Piece::For { list, .. } => list.places(&mut |place| see(place)),
            Piece::Media { place, .. } => see(place),
            Piece::Bind(bind) => bind.value.places(see),
            Piece::Show(show) => show.term.places(see),
            Piece::Loop(block) => {
                match &block.over {
                    Over::Items(items) => items.places(see),
                    Over::Entries(place) => see(place),
                    Over::Value(term) => term.places(see),
                }
                if let Some(condition) = &block.condition {
                    condition.places(see);
                }
            }
            Piece::Slot(slot) => {
                if let Some(fallback) = &slot.fallback {
                    see(&fallback.option);
                }
                self.shown(see);
            }
            Piece::Text { .. } | Piece::Scope(_) => {}
        }
    }

    /// Calls `see` for each place whose text the piece itself may show.
    pub(crate) fn shown<'a>(&'a self, see: &mut dyn FnMut(&'a Place)) {
        match self {
            Piece::Slot(slot) => {
                slot.value.places(&mut |place| see(place));
                if let Some(fallback) = &slot.fallback {
                    fallback.default.places(&mut |place| see(place));
                }
            }
            Piece::Show(show) => show.term.shown(see),
            _ => {}
        }
    }
}

/// Calls `see` for each piece and all inside it.
pub(crate) fn walk<'a>(pieces: &'a [Piece], see: &mut impl FnMut(&'a Piece)) {
    for piece in pieces {
        piece.walk(see);
    }
}

impl Place {
    /// Whether it is what a block binds, and no field of that.
    pub(crate) fn is_local(&self) -> bool {
        matches!(self.root, Root::Local(_)) && self.rest.is_empty()
    }

    /// Whether its type says by its name that it can fill a slot.
    pub(crate) fn is_known_text(&self, fields: &[Field]) -> bool {
        let kind = self.kind(fields);
        matches!(kind, None | Some(Kind::Text | Kind::Number | Kind::Trusted))
    }

    /// Whether it is a field that is nothing but text: a `str` or a `String`, or a reference to one.
    pub(crate) fn is_plain_text(&self, fields: &[Field]) -> bool {
        matches!(self.root, Root::Field(_))
            && self.rest.is_empty()
            && fields
                .get(self.origin)
                .is_some_and(|field| is_plain_text(&field.ty))
    }

    /// Whether the tokens of its type say that a loop can walk over it.
    pub(crate) fn is_known_list(&self, fields: &[Field]) -> bool {
        matches!(self.kind(fields), None | Some(Kind::List))
    }

    /// What the tokens of its type say; nothing of what has no field.
    fn kind(&self, fields: &[Field]) -> Option<Kind> {
        let field = fields.get(self.origin)?;
        Some(match self.root {
            _ if !self.rest.is_empty() => Kind::Unknown,
            Root::Field(_) => field.kind(),
            // What a block binds is inside of a list or an `Option`.
            Root::Local(_) => element(&field.ty).map_or(Kind::Unknown, Kind::of),
        })
    }
}

impl Test {
    /// The name that what it finds is bound to.
    pub(crate) fn binding(&self) -> Option<&Ident> {
        match self {
            Test::Present { binding, .. } | Test::Given { binding, .. } => binding.as_ref(),
            _ => None,
        }
    }

    /// Calls `see` for each place that it asks about.
    pub(crate) fn places<'a>(&'a self, see: &mut dyn FnMut(&'a Place)) {
        match self {
            Test::Present { value, .. } => value.places(&mut |place| see(place)),
            Test::Given { place, .. } => see(place),
            Test::Holds(term) => term.places(see),
            Test::Not(inner) => inner.places(see),
            Test::And(sides) | Test::Or(sides) => {
                sides.0.places(see);
                sides.1.places(see);
            }
        }
    }

    /// Whether it is about something that one of these names is bound to.
    pub(crate) fn mentions(&self, bindings: &[&Ident]) -> bool {
        let mut found = false;
        self.places(&mut |place| {
            found |= matches!(&place.root, Root::Local(local) if bindings.contains(&local));
        });
        found
    }
}

/// What is inside of a list or an `Option`.
fn element(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Reference(reference) => element(&reference.elem),
        Type::Slice(slice) => Some(&slice.elem),
        Type::Array(array) => Some(&array.elem),
        Type::Path(path) => inner(path.path.segments.last()?),
        _ => None,
    }
}

impl Value {
    /// Calls `see` for each place that the value is made from.
    pub(crate) fn places<'a>(&'a self, see: &mut impl FnMut(&'a Place)) {
        match self {
            Value::Place(place) => see(place),
            Value::Literal(_) => {}
            Value::Filter { value, args, .. } => {
                value.places(see);
                for arg in args {
                    arg.places(see);
                }
            }
        }
    }
}
