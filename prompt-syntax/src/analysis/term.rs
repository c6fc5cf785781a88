//! Expressions with resolved names and known kinds, which the run time evaluates.

use crate::analysis::piece::{Piece, Place, Test, walk};
#[cfg(feature = "jinja")]
use crate::kind::Kind;
use crate::{Literal, Span};

/// A value, and what is known of it.
#[cfg(feature = "jinja")]
#[derive(Clone)]
pub(in crate::analysis) struct Typed {
    pub term: Term,
    pub kind: Kind,
    /// Its span in the source.
    pub span: Span,
}

#[cfg(feature = "jinja")]
impl Typed {
    pub(super) fn new(term: Term, kind: Kind, span: Span) -> Typed {
        Typed { term, kind, span }
    }

    /// The result of a function of the run time.
    pub(super) fn call(
        function: Function,
        args: Vec<Option<Term>>,
        kind: Kind,
        span: Span,
    ) -> Typed {
        let term = Term::Call {
            function,
            args,
            span,
        };
        Typed { term, kind, span }
    }
}

/// How a value is computed.
#[derive(Clone)]
pub enum Term {
    /// A field, or a variable of the user's own type that a block binds.
    Place(Place),
    /// A variable that `set`, `with`, a loop or a macro's parameter binds.
    Variable(Variable),
    Literal(Literal),
    /// An undefined value.
    Absent,
    /// `loop.index` and the like.
    Loop {
        state: String,
        part: String,
    },
    List(Vec<Term>),
    Tuple(Vec<Term>),
    Dict(Vec<(Term, Term)>),
    /// An operator, a filter, a test or a method of the run time.
    Call {
        function: Function,
        /// An argument that is not given is `None`.
        args: Vec<Option<Term>>,
        span: Span,
    },
    /// A list of values, each through a filter or test: `map`, `select`, `reject`.
    Mapped(Box<Mapped>),
    /// A list of the user's own type, by a key of each item.
    Keyed(Box<Keyed>),
    And(Box<(Term, Term)>),
    Or(Box<(Term, Term)>),
    If(Box<(Test, Term, Option<Term>)>),
    /// Whether a condition holds.
    Holds(Box<Test>),
    /// The text of a block.
    Block(Vec<Piece>),
}

/// A function of the run time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Function {
    /// `add`, `div`, …: returns a value.
    Operator(&'static str),
    /// `eq`, `lt`, `contains`, …: returns true or false.
    Compare(&'static str),
    Concat,
    Attribute(String),
    /// Attributes of a value by a dotted path, `user.name`.
    Path,
    Filter(&'static str),
    Test(&'static str),
    Method(&'static str),
    Global(&'static str),
    /// `loop.changed`, with the variable for its state.
    Changed(String),
    /// A Rust function by its path, and how each argument is passed.
    Own {
        path: Vec<String>,
        given: Vec<Given>,
    },
}

/// How a value is passed to a Rust function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Given {
    /// A Rust value as it is.
    Itself,
    /// A `&str`.
    Text,
    /// An `i64`.
    Int,
    /// An `f64`.
    Float,
    /// A `bool`.
    Bool,
}

/// A variable that holds a value.
#[derive(Clone)]
pub struct Variable {
    pub ident: String,
    /// The fields that its value is made from, each with the span of the variable.
    pub sources: Vec<Place>,
    /// Whether it may be undefined.
    pub uncertain: bool,
}

/// `names | map("upper")`.
#[derive(Clone)]
pub struct Mapped {
    pub value: Term,
    pub function: &'static str,
    pub item: String,
    /// The expression for each item.
    pub key: Term,
    pub span: Span,
}

/// `people | sort(attribute="name")`, `people | map(attribute="name")`: the items remain Rust values.
#[derive(Clone)]
pub struct Keyed {
    pub list: Items,
    pub function: &'static str,
    pub item: String,
    /// The expression for each item; `None` for `reverse` and similar filters.
    pub key: Option<Term>,
    pub args: Vec<Term>,
    pub span: Span,
}

/// A list of the user's own type.
#[derive(Clone)]
pub enum Items {
    Place(Place),
    Keyed(Box<Keyed>),
}

impl Items {
    fn visit<'a>(&'a self, tests: bool, see: &mut dyn FnMut(&'a Place)) {
        match self {
            Items::Place(place) => see(place),
            Items::Keyed(keyed) => keyed.visit(tests, see),
        }
    }

    /// Calls `see` for each place that the list is made from.
    pub fn places<'a>(&'a self, see: &mut dyn FnMut(&'a Place)) {
        self.visit(true, see);
    }
}

impl Keyed {
    fn visit<'a>(&'a self, tests: bool, see: &mut dyn FnMut(&'a Place)) {
        self.list.visit(tests, see);
        if let Some(key) = &self.key {
            key.visit(tests, see);
        }
        for arg in &self.args {
            arg.visit(tests, see);
        }
    }
}

impl Term {
    /// Calls `see` for each place that the value is made from, conditions included.
    pub fn places<'a>(&'a self, see: &mut dyn FnMut(&'a Place)) {
        self.visit(true, see);
    }

    /// Calls `see` for each place whose data the value may show.
    pub fn shown<'a>(&'a self, see: &mut dyn FnMut(&'a Place)) {
        self.visit(false, see);
    }

    fn visit<'a>(&'a self, tests: bool, see: &mut dyn FnMut(&'a Place)) {
        match self {
            Term::Place(place) => see(place),
            Term::Variable(variable) => variable.sources.iter().for_each(see),
            Term::Literal(_) | Term::Absent | Term::Loop { .. } => {}
            Term::List(items) | Term::Tuple(items) => {
                for item in items {
                    item.visit(tests, see);
                }
            }
            Term::Call { args, .. } => {
                for arg in args.iter().flatten() {
                    arg.visit(tests, see);
                }
            }
            Term::Dict(entries) => {
                for (key, value) in entries {
                    key.visit(tests, see);
                    value.visit(tests, see);
                }
            }
            Term::Keyed(keyed) => keyed.visit(tests, see),
            Term::Mapped(mapped) => {
                mapped.value.visit(tests, see);
                mapped.key.visit(tests, see);
            }
            Term::And(sides) | Term::Or(sides) => {
                sides.0.visit(tests, see);
                sides.1.visit(tests, see);
            }
            Term::If(parts) => {
                if tests {
                    parts.0.places(see);
                }
                parts.1.visit(tests, see);
                if let Some(otherwise) = &parts.2 {
                    otherwise.visit(tests, see);
                }
            }
            Term::Holds(test) if tests => test.places(see),
            Term::Holds(_) => {}
            Term::Block(pieces) => walk(pieces, &mut |piece| {
                if tests {
                    piece.places(see);
                } else {
                    piece.shown(see);
                }
            }),
        }
    }

    /// Calls `see` for each block whose text is part of the value.
    pub fn each_block<'a>(&'a self, see: &mut dyn FnMut(&'a [Piece])) {
        match self {
            Term::Block(pieces) => see(pieces),
            Term::List(items) | Term::Tuple(items) => {
                for item in items {
                    item.each_block(see);
                }
            }
            Term::Call { args, .. } => {
                for arg in args.iter().flatten() {
                    arg.each_block(see);
                }
            }
            Term::Dict(entries) => {
                for (key, value) in entries {
                    key.each_block(see);
                    value.each_block(see);
                }
            }
            Term::And(sides) | Term::Or(sides) => {
                sides.0.each_block(see);
                sides.1.each_block(see);
            }
            Term::If(parts) => {
                parts.1.each_block(see);
                if let Some(otherwise) = &parts.2 {
                    otherwise.each_block(see);
                }
            }
            Term::Mapped(mapped) => {
                mapped.value.each_block(see);
                mapped.key.each_block(see);
            }
            _ => {}
        }
    }

    /// Whether its result may be undefined, as for a missing key of a map.
    pub fn may_be_undefined(&self) -> bool {
        match self {
            Term::Call { function, .. } => match function {
                Function::Operator(name) => *name == "index",
                Function::Attribute(_) | Function::Path => true,
                Function::Filter(name) => matches!(*name, "first" | "last" | "min" | "max"),
                _ => false,
            },
            Term::And(sides) | Term::Or(sides) => {
                sides.0.may_be_undefined() || sides.1.may_be_undefined()
            }
            Term::Variable(variable) => variable.uncertain,
            Term::If(parts) => {
                parts.1.may_be_undefined() || parts.2.as_ref().is_some_and(Term::may_be_undefined)
            }
            _ => false,
        }
    }

    /// Whether its arguments can be evaluated without a closure to return from; then so can it.
    pub fn has_plain_parts(&self) -> bool {
        match self {
            Term::Call {
                function: Function::Own { .. },
                ..
            } => false,
            Term::Call { args, .. } => args.iter().flatten().all(Term::is_plain),
            Term::Dict(entries) => entries
                .iter()
                .all(|(key, value)| key.is_plain() && value.is_plain()),
            Term::Mapped(mapped) => mapped.value.is_plain(),
            _ => false,
        }
    }

    /// Whether it can be evaluated without a closure to return from.
    pub fn is_plain(&self) -> bool {
        match self {
            Term::Place(_)
            | Term::Variable(_)
            | Term::Literal(_)
            | Term::Absent
            | Term::Loop { .. } => true,
            Term::List(items) | Term::Tuple(items) => items.iter().all(Term::is_plain),
            _ => false,
        }
    }
}
