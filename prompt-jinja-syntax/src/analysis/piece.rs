//! The part of the annotated tree that only templates of the Jinja dialect have.

use super::{Condition, ResolvedNode};
use crate::Jinja;
use crate::problem::tag::characters_in_system;
use prompt_base::Span;
use prompt_syntax::analysis::{PlaceExpr, walk};
use prompt_syntax::{Error, Kind, LanguageCondition, LanguagePiece, Literal};

/// An expression whose value is written.
#[derive(Clone)]
pub struct OutputTerm {
    /// The expression as it was written.
    pub name: String,
    /// The expression.
    pub term: Term,
    /// Its bytes in the template.
    pub span: Span,
}

/// Variables that are assigned.
#[derive(Clone)]
pub struct Assignment {
    /// One, or several that the value is unpacked into.
    pub idents: Vec<String>,
    /// Whether the variables are declared.
    pub how: AssignmentKind,
    /// The value.
    pub value: Term,
    /// Its bytes in the template.
    pub span: Span,
}

/// How variables are assigned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AssignmentKind {
    /// They are declared, and never change.
    Let,
    /// They are declared, and a condition may assign them again.
    Declare,
    /// They already exist.
    Assign,
}

/// A loop of the Jinja dialect.
#[derive(Clone)]
pub struct ResolvedLoop {
    /// The names of an item, or of its parts.
    pub idents: Vec<String>,
    /// The items.
    pub over: LoopSource,
    /// Which items the loop visits.
    pub condition: Option<Condition>,
    /// The variable for `loop`, if the template uses it.
    pub state: Option<String>,
    /// The variables for `loop.previtem` and `loop.nextitem`, if the template uses them.
    pub beside: [Option<String>; 2],
    /// The variable for the state of `loop.changed`, if the template uses it.
    pub changed: Option<String>,
    /// The content.
    pub body: Vec<ResolvedNode>,
    /// The content for an empty list.
    pub otherwise: Option<Vec<ResolvedNode>>,
    /// Its bytes in the template.
    pub span: Span,
}

/// The items of a loop.
#[derive(Clone)]
pub enum LoopSource {
    /// Items of the user's own type.
    Items(RustList),
    /// The entries of a map of the user's own type.
    Entries(PlaceExpr),
    /// A value.
    Value(Term),
}

/// A value, and what is known of it.
#[derive(Clone)]
pub(crate) struct TypedTerm {
    pub term: Term,
    pub kind: Kind,
    /// Its span in the source.
    pub span: Span,
}

impl TypedTerm {
    pub(crate) fn new(term: Term, kind: Kind, span: Span) -> TypedTerm {
        TypedTerm { term, kind, span }
    }

    /// The result of a function of the run time.
    pub(crate) fn call(
        function: Function,
        args: Vec<Option<Term>>,
        kind: Kind,
        span: Span,
    ) -> TypedTerm {
        let term = Term::Call {
            function,
            args,
            span,
        };
        TypedTerm { term, kind, span }
    }
}

/// How a value is computed.
#[derive(Clone)]
pub enum Term {
    /// A field, or a variable of the user's own type that a block binds.
    Place(PlaceExpr),
    /// A variable that `set`, `with`, a loop or a macro's parameter binds.
    Variable(LocalVariable),
    /// A constant.
    Literal(Literal),
    /// An undefined value.
    Absent,
    /// `loop.index` and the like.
    Loop {
        /// The variable of the state of the loop.
        state: String,
        /// The name after `loop.`.
        part: String,
    },
    /// `[a, b]`
    List(Vec<Term>),
    /// `(a, b)`
    Tuple(Vec<Term>),
    /// `{"a": b}`
    Dict(Vec<(Term, Term)>),
    /// An operator, a filter, a test or a method of the run time.
    Call {
        /// The function.
        function: Function,
        /// An argument that is not given is `None`.
        args: Vec<Option<Term>>,
        /// Its bytes in the template.
        span: Span,
    },
    /// A list of values, each through a filter or test: `map`, `select`, `reject`.
    Mapped(Box<MappedList>),
    /// A list of the user's own type, by a key of each item.
    Keyed(Box<RustListFilter>),
    /// `a and b`
    And(Box<(Term, Term)>),
    /// `a or b`
    Or(Box<(Term, Term)>),
    /// `a if condition else b`
    If(Box<(Condition, Term, Option<Term>)>),
    /// Whether a condition holds.
    Holds(Box<Condition>),
    /// The text of a block.
    Block(Vec<ResolvedNode>),
}

/// A function of the run time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Function {
    /// `add`, `div`, …: returns a value.
    Operator(&'static str),
    /// `eq`, `lt`, `contains`, …: returns true or false.
    Compare(&'static str),
    /// `~`
    Concat,
    /// An attribute of a value.
    Attribute(String),
    /// Attributes of a value by a dotted path, `user.name`.
    Path,
    /// A filter, by its name.
    Filter(&'static str),
    /// A test, by its name.
    Test(&'static str),
    /// A method of strings, lists or maps, by its name.
    Method(&'static str),
    /// A function that templates call, by its name.
    Global(&'static str),
    /// `loop.changed`, with the variable for its state.
    Changed(String),
    /// A Rust function by its path, and how each argument is passed.
    Own {
        /// The path.
        path: Vec<String>,
        /// How each argument is passed.
        given: Vec<PassedAs>,
    },
}

/// How a value is passed to a Rust function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PassedAs {
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
pub struct LocalVariable {
    /// The name of the variable in generated code.
    pub ident: String,
    /// The fields that its value is made from, each with the span of the variable.
    pub sources: Vec<PlaceExpr>,
    /// Whether it may be undefined.
    pub uncertain: bool,
}

/// `names | map("upper")`.
#[derive(Clone)]
pub struct MappedList {
    /// The value.
    pub value: Term,
    /// The name of the filter.
    pub function: &'static str,
    /// The variable of an item.
    pub item: String,
    /// The expression for each item.
    pub key: Term,
    /// Its bytes in the template.
    pub span: Span,
}

/// `people | sort(attribute="name")`, `people | map(attribute="name")`: the items remain Rust values.
#[derive(Clone)]
pub struct RustListFilter {
    /// The filtered list.
    pub list: RustList,
    /// The name of the filter.
    pub function: &'static str,
    /// The variable of an item.
    pub item: String,
    /// The expression for each item; `None` for `reverse` and similar filters.
    pub key: Option<Term>,
    /// The arguments of the filter.
    pub args: Vec<Term>,
    /// Its bytes in the template.
    pub span: Span,
}

/// A list of the user's own type.
#[derive(Clone)]
pub enum RustList {
    /// The value of a place.
    Place(PlaceExpr),
    /// The result of a filter.
    Keyed(Box<RustListFilter>),
}

impl RustList {
    /// Calls `see` for each place that the list is made from.
    pub fn each_place<'a>(&'a self, see: &mut dyn FnMut(&'a PlaceExpr)) {
        match self {
            RustList::Place(place) => see(place),
            RustList::Keyed(keyed) => keyed.each_place(&mut |term, see| term.each_place(see), see),
        }
    }
}

/// Calls a function for the places of a term, with the function that sees them.
type TermVisitor<'v, 'a> = &'v mut dyn FnMut(&'a Term, &mut dyn FnMut(&'a PlaceExpr));

impl RustListFilter {
    fn each_place<'a>(&'a self, visit: TermVisitor<'_, 'a>, see: &mut dyn FnMut(&'a PlaceExpr)) {
        match &self.list {
            RustList::Place(place) => see(place),
            RustList::Keyed(keyed) => keyed.each_place(visit, see),
        }
        for term in self.key.iter().chain(&self.args) {
            visit(term, see);
        }
    }
}

/// The places that a comparison compares with a string: `mode == "brief"`, `mode in ["brief", "full"]`.
pub fn compared_texts<'a>(
    function: &str,
    args: &'a [Option<Term>],
) -> Vec<(&'a PlaceExpr, &'a str)> {
    let (("eq" | "ne" | "contains", [Some(Term::Place(place)), Some(other)])
    | ("eq" | "ne", [Some(other), Some(Term::Place(place))])) = (function, args)
    else {
        return Vec::new();
    };
    let texts = match other {
        Term::List(items) | Term::Tuple(items) if function == "contains" => &items[..],
        text if function != "contains" => std::slice::from_ref(text),
        _ => &[],
    };
    let text = |term: &'a Term| match term {
        Term::Literal(Literal::Str(text)) => Some((place, text.as_str())),
        _ => None,
    };
    texts.iter().filter_map(text).collect()
}

impl Term {
    /// Calls `see` for each term that its value is made from; not for those of a condition, a list of the user's own type
    /// or a block.
    fn each_part<'a>(&'a self, see: &mut dyn FnMut(&'a Term)) {
        match self {
            Term::List(items) | Term::Tuple(items) => items.iter().for_each(see),
            Term::Call { args, .. } => args.iter().flatten().for_each(see),
            Term::Dict(entries) => {
                for (key, value) in entries {
                    see(key);
                    see(value);
                }
            }
            Term::Mapped(mapped) => {
                see(&mapped.value);
                see(&mapped.key);
            }
            Term::And(sides) | Term::Or(sides) => {
                see(&sides.0);
                see(&sides.1);
            }
            Term::If(parts) => {
                see(&parts.1);
                parts.2.iter().for_each(see);
            }
            _ => {}
        }
    }

    /// Calls `see` for the term and all that its value is made from.
    fn each_term<'a>(&'a self, see: &mut dyn FnMut(&'a Term)) {
        see(self);
        if let Term::Keyed(keyed) = self {
            keyed.each_place(&mut |term, _| term.each_term(see), &mut |_| {});
        }
        self.each_part(&mut |part| part.each_term(see));
    }

    /// Calls `see` for each place that the value is made from, conditions included.
    pub fn each_place<'a>(&'a self, see: &mut dyn FnMut(&'a PlaceExpr)) {
        match self {
            Term::Keyed(keyed) => keyed.each_place(&mut |term, see| term.each_place(see), see),
            Term::Holds(test) => test.each_place(see),
            Term::Block(pieces) => walk(pieces, &mut |piece| piece.each_place(see)),
            Term::If(parts) => parts.0.each_place(see),
            other => other.own_places(see),
        }
        self.each_part(&mut |part| part.each_place(see));
    }

    /// Calls `see` for each place whose data the value may show.
    pub fn each_shown_place<'a>(&'a self, see: &mut dyn FnMut(&'a PlaceExpr)) {
        match self {
            Term::Keyed(keyed) => {
                keyed.each_place(&mut |term, see| term.each_shown_place(see), see);
            }
            Term::Block(pieces) => walk(pieces, &mut |piece| piece.each_shown_place(see)),
            other => other.own_places(see),
        }
        self.each_part(&mut |part| part.each_shown_place(see));
    }

    fn own_places<'a>(&'a self, see: &mut dyn FnMut(&'a PlaceExpr)) {
        match self {
            Term::Place(place) => see(place),
            Term::Variable(variable) => variable.sources.iter().for_each(see),
            _ => {}
        }
    }

    /// Calls `see` for each block whose text is part of the value.
    pub fn each_block<'a>(&'a self, see: &mut dyn FnMut(&'a [ResolvedNode])) {
        if let Term::Block(pieces) = self {
            see(pieces);
        }
        self.each_part(&mut |part| part.each_block(see));
    }
}

impl Term {
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

/// `'%c' | format(number)` is the only filter that makes any character of a number, and a number is safe in the system message
/// because it cannot be text. A pattern that is computed may contain `%c`; a field's is the program's.
fn format_characters_error(term: &Term) -> Option<Error> {
    let Term::Call {
        function: Function::Filter("format"),
        args,
        span,
    } = term
    else {
        return None;
    };
    let writes_characters = match args.first()? {
        Some(Term::Literal(Literal::Str(pattern))) => pattern
            .replace("%%", "")
            .split('%')
            .skip(1)
            .any(|conversion| {
                let flags = |c: char| "-+ 0#.hlL*".contains(c) || c.is_ascii_digit();
                let named = conversion
                    .strip_prefix('(')
                    .and_then(|rest| rest.split_once(')'));
                let conversion = named.map_or(conversion, |(_, conversion)| conversion);
                conversion.trim_start_matches(flags).starts_with('c')
            }),
        Some(Term::Place(_)) | None => false,
        Some(_) => true,
    };
    writes_characters.then(|| characters_in_system().at(*span))
}

/// A node of the annotated tree that only the Jinja dialect has.
#[derive(Clone)]
pub enum JinjaPiece {
    /// The value of an expression.
    Show(OutputTerm),
    /// Variables that are assigned.
    Bind(Assignment),
    /// A block with variables of its own.
    Scope(Vec<ResolvedNode>),
    /// A loop.
    Loop(Box<ResolvedLoop>),
}

impl LanguagePiece<Jinja> for JinjaPiece {
    fn walk<'a>(&'a self, see: &mut dyn FnMut(&'a ResolvedNode)) {
        match self {
            JinjaPiece::Scope(body) => walk(body, see),
            JinjaPiece::Loop(block) => {
                walk(&block.body, see);
                walk(block.otherwise.as_deref().unwrap_or_default(), see);
            }
            JinjaPiece::Show(OutputTerm { term, .. })
            | JinjaPiece::Bind(Assignment { value: term, .. }) => {
                term.each_block(&mut |block| walk(block, see));
            }
        }
    }

    fn each_place<'a>(&'a self, see: &mut dyn FnMut(&'a PlaceExpr)) {
        match self {
            JinjaPiece::Bind(bind) => bind.value.each_place(see),
            JinjaPiece::Show(show) => show.term.each_place(see),
            JinjaPiece::Loop(block) => {
                match &block.over {
                    LoopSource::Items(items) => items.each_place(see),
                    LoopSource::Entries(place) => see(place),
                    LoopSource::Value(term) => term.each_place(see),
                }
                if let Some(condition) = &block.condition {
                    condition.each_place(see);
                }
            }
            JinjaPiece::Scope(_) => {}
        }
    }

    fn each_shown_place<'a>(&'a self, see: &mut dyn FnMut(&'a PlaceExpr)) {
        if let JinjaPiece::Show(show) = self {
            show.term.each_shown_place(see);
        }
    }

    fn system_errors(&self) -> Vec<Error> {
        let mut errors = Vec::new();
        let mut check = |term: &Term| errors.extend(format_characters_error(term));
        match self {
            JinjaPiece::Show(OutputTerm { term, .. })
            | JinjaPiece::Bind(Assignment { value: term, .. }) => term.each_term(&mut check),
            JinjaPiece::Loop(block) => {
                if let LoopSource::Value(term) = &block.over {
                    term.each_term(&mut check);
                }
            }
            JinjaPiece::Scope(_) => {}
        }
        errors
    }
}

/// A condition of the annotated tree that only the Jinja dialect has.
#[derive(Clone)]
pub enum JinjaCondition {
    /// An `Option` is `Some`, whatever the value; it is bound to the variable if the block uses it.
    Given {
        /// The place of its value.
        place: PlaceExpr,
        /// The variable of the value inside the block.
        binding: Option<String>,
    },
    /// The value of an expression is truthy.
    Holds(Term),
    /// A test of a field of a field shows that it has a value. Its type is known to rustc only: an `Option` is bound to the variable without
    /// its layer, and any other value as it is.
    Shown {
        /// The test.
        test: Box<Condition>,
        /// The place of its value.
        place: PlaceExpr,
        /// The variable of the value inside the block.
        binding: Option<String>,
    },
}

impl LanguageCondition for JinjaCondition {
    fn each_place<'a>(&'a self, see: &mut dyn FnMut(&'a PlaceExpr)) {
        match self {
            JinjaCondition::Given { place, .. } => see(place),
            JinjaCondition::Shown { test, .. } => test.each_place(see),
            JinjaCondition::Holds(term) => term.each_place(see),
        }
    }

    fn bound_name(&self) -> Option<&String> {
        match self {
            JinjaCondition::Given { binding, .. } | JinjaCondition::Shown { binding, .. } => {
                binding.as_ref()
            }
            JinjaCondition::Holds(_) => None,
        }
    }

    fn binding_mut(&mut self) -> Option<&mut Option<String>> {
        match self {
            JinjaCondition::Given { binding, .. } | JinjaCondition::Shown { binding, .. } => {
                Some(binding)
            }
            JinjaCondition::Holds(_) => None,
        }
    }
}
