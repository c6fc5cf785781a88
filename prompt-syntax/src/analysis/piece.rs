//! The annotated tree: the result of [`Analyzer`](super::Analyzer), with every name resolved.

use crate::{Literal, Span};

use super::term::{Items, Term};

#[derive(Clone)]
pub enum Piece {
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
        binding: String,
        list: Value,
        body: Vec<Piece>,
        otherwise: Option<Vec<Piece>>,
    },
    /// Jinja: the value of an expression.
    Show(Show),
    /// Jinja: variables that are assigned.
    Bind(Bind),
    /// Jinja: a block with variables of its own.
    Scope(Vec<Piece>),
    /// Jinja: a loop.
    Loop(Box<Loop>),
}

/// An expression whose value is written.
#[derive(Clone)]
pub struct Show {
    pub name: String,
    pub term: Term,
    pub span: Span,
}

/// Variables that are assigned.
#[derive(Clone)]
pub struct Bind {
    /// One, or several that the value is unpacked into.
    pub idents: Vec<String>,
    pub how: How,
    pub value: Term,
    pub span: Span,
}

/// How variables are assigned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// They are declared, and never change.
    Let,
    /// They are declared, and a condition may assign them again.
    Declare,
    /// They already exist.
    Assign,
}

/// A loop of the Jinja dialect.
#[derive(Clone)]
pub struct Loop {
    /// The names of an item, or of its parts.
    pub idents: Vec<String>,
    pub over: Over,
    /// Which items the loop visits.
    pub condition: Option<Test>,
    /// The variable for `loop`, if the template uses it.
    pub state: Option<String>,
    /// The variables for `loop.previtem` and `loop.nextitem`, if the template uses them.
    pub beside: [Option<String>; 2],
    /// The variable for the state of `loop.changed`, if the template uses it.
    pub changed: Option<String>,
    pub body: Vec<Piece>,
    pub otherwise: Option<Vec<Piece>>,
    pub span: Span,
}

/// What a loop iterates over.
#[derive(Clone)]
pub enum Over {
    /// Items of the user's own type.
    Items(Items),
    /// The entries of a map of the user's own type.
    Entries(Place),
    /// A value.
    Value(Term),
}

/// A slot: it writes one value.
#[derive(Clone)]
pub struct Slot {
    pub name: String,
    pub value: Value,
    /// What is written instead, where the value is an `Option` without one.
    pub fallback: Option<Fallback>,
    pub span: Span,
}

#[derive(Clone)]
pub struct Fallback {
    pub option: Place,
    pub binding: String,
    pub default: Value,
}

#[derive(Clone)]
pub struct Branch {
    pub test: Test,
    pub body: Vec<Piece>,
}

#[derive(Clone)]
pub enum Test {
    /// The value is truthy; it is bound to the variable if the block uses it.
    Present {
        value: Value,
        binding: Option<String>,
    },
    Not(Box<Test>),
    And(Box<(Test, Test)>),
    Or(Box<(Test, Test)>),
    /// Jinja: an `Option` is `Some`, whatever the value; it is bound to the variable if the block uses it.
    Given {
        place: Place,
        binding: Option<String>,
    },
    /// Jinja: the value of an expression is truthy.
    Holds(Term),
}

#[derive(Clone)]
pub enum Value {
    Place(Place),
    Literal(Literal),
    Filter {
        name: Vec<String>,
        value: Box<Value>,
        args: Vec<Value>,
        span: Span,
    },
}

/// A Rust place expression: a field, a variable that a block binds, or a field of either.
#[derive(Clone)]
pub struct Place {
    pub root: Root,
    pub rest: Vec<String>,
    /// As it was written.
    pub name: String,
    /// The index of the field that the value comes from; `usize::MAX` if it comes from none.
    pub origin: usize,
    pub span: Span,
    /// Jinja: whether only rustc knows its type.
    pub open: bool,
}

#[derive(Clone)]
pub enum Root {
    Field(usize),
    Local(String),
}

impl Place {
    /// Whether it is a variable that a block binds, and not a field of one.
    pub fn is_local(&self) -> bool {
        matches!(self.root, Root::Local(_)) && self.rest.is_empty()
    }
}

impl Piece {
    /// Calls `see` for this piece and all inside it.
    pub fn walk<'a>(&'a self, see: &mut impl FnMut(&'a Piece)) {
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
    /// Calls `see` for each place that the piece itself uses, without the pieces inside it.
    pub fn places<'a>(&'a self, see: &mut dyn FnMut(&'a Place)) {
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
    pub fn shown<'a>(&'a self, see: &mut dyn FnMut(&'a Place)) {
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
pub fn walk<'a>(pieces: &'a [Piece], see: &mut impl FnMut(&'a Piece)) {
    for piece in pieces {
        piece.walk(see);
    }
}

impl Test {
    /// Calls `see` for each place that it tests.
    pub fn places<'a>(&'a self, see: &mut dyn FnMut(&'a Place)) {
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
}

impl Value {
    /// Calls `see` for each place that the value is made from.
    pub fn places<'a>(&'a self, see: &mut impl FnMut(&'a Place)) {
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

impl Test {
    /// The variable that the value is bound to.
    pub fn binding(&self) -> Option<&str> {
        match self {
            Test::Present { binding, .. } | Test::Given { binding, .. } => binding.as_deref(),
            _ => None,
        }
    }

    /// Whether it uses one of these variables.
    pub fn mentions(&self, bindings: &[&str]) -> bool {
        let mut found = false;
        self.places(&mut |place| {
            found |=
                matches!(&place.root, Root::Local(local) if bindings.contains(&local.as_str()));
        });
        found
    }
}
