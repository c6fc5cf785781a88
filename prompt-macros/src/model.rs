//! What was decided about a prompt: every name is resolved, every text knows who says it.

mod kind;
mod walk;

use proc_macro2::Ident;
use prompt_syntax::{Role, Span};
use syn::Type;

use self::kind::element;
pub(crate) use self::kind::{Kind, content, is_nested_option, is_plain_text, is_safe_by_name};
pub(crate) use self::walk::walk;
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

impl Prompt<'_> {
    pub(crate) fn is_fragment(&self) -> bool {
        self.cases.iter().any(|case| case.fragment)
    }

    pub(crate) fn output(&self) -> Option<&Keyed<Type>> {
        self.input.keys.output.as_ref()
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

    /// Whether it is about something that one of these names is bound to.
    pub(crate) fn mentions(&self, bindings: &[&Ident]) -> bool {
        let mut found = false;
        self.places(&mut |place| {
            found |= matches!(&place.root, Root::Local(local) if bindings.contains(&local));
        });
        found
    }
}
