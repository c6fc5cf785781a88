//! The annotated tree: the result of [`Analyzer`](super::Analyzer), with every name resolved.

use super::FieldInfo;
use crate::family::Family;
use crate::kind::Kind;
use crate::problem::answer::in_the_question;
use crate::problem::field::MacroKind;
use crate::problem::format::control_token;
use crate::problem::{Problem, role, value};
use crate::{CompareOp, Dialect, Error, Literal, Role, Span};

#[derive(Clone)]
pub enum ResolvedNode {
    Text {
        text: String,
        span: Span,
    },
    Slot(ResolvedSlot),
    Media {
        place: PlaceExpr,
        span: Span,
    },
    If {
        branches: Vec<ResolvedBranch>,
        otherwise: Vec<ResolvedNode>,
    },
    For {
        /// The variable of an item, or those of the two parts of a pair.
        bindings: Vec<String>,
        /// The variable for `loop`, if the template uses it.
        state: Option<String>,
        list: SlotValue,
        body: Vec<ResolvedNode>,
        otherwise: Option<Vec<ResolvedNode>>,
    },
    /// Jinja: the value of an expression.
    Show(OutputTerm),
    /// Jinja: variables that are assigned.
    Bind(Assignment),
    /// Jinja: a block with variables of its own.
    Scope(Vec<ResolvedNode>),
    /// Jinja: a loop.
    Loop(Box<ResolvedLoop>),
}

/// An expression whose value is written.
#[derive(Clone)]
pub struct OutputTerm {
    pub name: String,
    pub term: Term,
    pub span: Span,
}

/// Variables that are assigned.
#[derive(Clone)]
pub struct Assignment {
    /// One, or several that the value is unpacked into.
    pub idents: Vec<String>,
    pub how: AssignmentKind,
    pub value: Term,
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
    pub over: LoopSource,
    /// Which items the loop visits.
    pub condition: Option<Condition>,
    /// The variable for `loop`, if the template uses it.
    pub state: Option<String>,
    /// The variables for `loop.previtem` and `loop.nextitem`, if the template uses them.
    pub beside: [Option<String>; 2],
    /// The variable for the state of `loop.changed`, if the template uses it.
    pub changed: Option<String>,
    pub body: Vec<ResolvedNode>,
    pub otherwise: Option<Vec<ResolvedNode>>,
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

/// A slot: it writes one value.
#[derive(Clone)]
pub struct ResolvedSlot {
    pub name: String,
    pub value: SlotValue,
    /// What is written instead, where the value is an `Option` without one.
    pub fallback: Option<SlotDefault>,
    pub span: Span,
}

#[derive(Clone)]
pub struct SlotDefault {
    pub option: PlaceExpr,
    pub binding: String,
    pub default: SlotValue,
}

#[derive(Clone)]
pub struct ResolvedBranch {
    pub test: Condition,
    pub body: Vec<ResolvedNode>,
}

#[derive(Clone)]
pub enum Condition {
    /// The value is truthy; it is bound to the variable if the block uses it.
    Present {
        value: SlotValue,
        binding: Option<String>,
    },
    /// A value is compared with a constant.
    Compare {
        value: SlotValue,
        op: CompareOp,
        literal: Literal,
        span: Span,
    },
    Not(Box<Condition>),
    And(Box<(Condition, Condition)>),
    Or(Box<(Condition, Condition)>),
    /// Jinja: an `Option` is `Some`, whatever the value; it is bound to the variable if the block uses it.
    Given {
        place: PlaceExpr,
        binding: Option<String>,
    },
    /// Jinja: the value of an expression is truthy.
    Holds(Term),
}

#[derive(Clone)]
pub enum SlotValue {
    Place(PlaceExpr),
    Literal(Literal),
    Filter {
        name: Vec<String>,
        value: Box<SlotValue>,
        args: Vec<SlotValue>,
        span: Span,
    },
}

/// A Rust place expression: a field, a variable that a block binds, or a field of either.
#[derive(Clone)]
pub struct PlaceExpr {
    pub root: Root,
    pub rest: Vec<String>,
    /// As it was written.
    pub name: String,
    /// The index of the field that the value comes from; `usize::MAX` if it comes from none.
    pub origin: usize,
    pub span: Span,
    /// Whether only rustc can determine its type: a part of a pair; or, in Jinja, any such place.
    pub open: bool,
    /// How many lists and `Option`s around its root the blocks have opened: 0 for a field, 1 for an item of a field. `None` if the root
    /// is made from a part of another place or by a filter.
    pub layers: Option<u8>,
}

#[derive(Clone)]
pub enum Root {
    Field(usize),
    Local(String),
}

impl PlaceExpr {
    /// The `layers` of a variable for an item of this list.
    pub(super) fn layers_of_item(&self) -> Option<u8> {
        self.layers.filter(|_| self.rest.is_empty())?.checked_add(1)
    }

    /// The `layers` of a variable for the value that a condition finds in a place of this kind.
    pub(super) fn layers_of_found(&self, kind: &Kind) -> Option<u8> {
        match kind {
            Kind::Option(_) => self.layers_of_item(),
            _ => self.layers.filter(|_| self.rest.is_empty()),
        }
    }

    /// Whether it is a variable that a block binds, and not a field of one.
    pub fn is_local(&self) -> bool {
        matches!(self.root, Root::Local(_)) && self.rest.is_empty()
    }
}

impl ResolvedNode {
    /// Calls `see` for this piece and all inside it.
    pub fn walk<'a>(&'a self, see: &mut impl FnMut(&'a ResolvedNode)) {
        see(self);
        match self {
            ResolvedNode::If {
                branches,
                otherwise,
            } => {
                for branch in branches {
                    walk(&branch.body, see);
                }
                walk(otherwise, see);
            }
            ResolvedNode::For {
                body, otherwise, ..
            } => {
                walk(body, see);
                walk(otherwise.as_deref().unwrap_or_default(), see);
            }
            ResolvedNode::Scope(body) => walk(body, see),
            ResolvedNode::Loop(block) => {
                walk(&block.body, see);
                walk(block.otherwise.as_deref().unwrap_or_default(), see);
            }
            ResolvedNode::Show(OutputTerm { term, .. })
            | ResolvedNode::Bind(Assignment { value: term, .. }) => {
                term.each_block(&mut |block| walk(block, see));
            }
            ResolvedNode::Text { .. } | ResolvedNode::Slot(_) | ResolvedNode::Media { .. } => {}
        }
    }
}

impl ResolvedNode {
    /// Calls `see` for each place that the piece itself uses, without the pieces inside it.
    pub fn places<'a>(&'a self, see: &mut dyn FnMut(&'a PlaceExpr)) {
        match self {
            ResolvedNode::If { branches, .. } => {
                for branch in branches {
                    branch.test.places(see);
                }
            }
            ResolvedNode::For { list, .. } => list.places(&mut |place| see(place)),
            ResolvedNode::Media { place, .. } => see(place),
            ResolvedNode::Bind(bind) => bind.value.places(see),
            ResolvedNode::Show(show) => show.term.places(see),
            ResolvedNode::Loop(block) => {
                match &block.over {
                    LoopSource::Items(items) => items.places(see),
                    LoopSource::Entries(place) => see(place),
                    LoopSource::Value(term) => term.places(see),
                }
                if let Some(condition) = &block.condition {
                    condition.places(see);
                }
            }
            ResolvedNode::Slot(slot) => {
                if let Some(fallback) = &slot.fallback {
                    see(&fallback.option);
                }
                self.shown(see);
            }
            ResolvedNode::Text { .. } | ResolvedNode::Scope(_) => {}
        }
    }

    /// Calls `see` for each term of the piece and all inside it, without those of pieces.
    fn terms<'a>(&'a self, see: &mut dyn FnMut(&'a Term)) {
        match self {
            ResolvedNode::Show(OutputTerm { term, .. })
            | ResolvedNode::Bind(Assignment { value: term, .. }) => {
                term.each(see);
            }
            ResolvedNode::Loop(block) => {
                if let LoopSource::Value(term) = &block.over {
                    term.each(see);
                }
            }
            _ => {}
        }
    }

    /// Calls `see` for each place whose text the piece itself may show.
    pub fn shown<'a>(&'a self, see: &mut dyn FnMut(&'a PlaceExpr)) {
        match self {
            ResolvedNode::Slot(slot) => {
                slot.value.places(&mut |place| see(place));
                if let Some(fallback) = &slot.fallback {
                    fallback.default.places(&mut |place| see(place));
                }
            }
            ResolvedNode::Show(show) => show.term.shown(see),
            _ => {}
        }
    }
}

/// Calls `see` for each piece and all inside it.
pub fn walk<'a>(pieces: &'a [ResolvedNode], see: &mut impl FnMut(&'a ResolvedNode)) {
    for piece in pieces {
        piece.walk(see);
    }
}

impl Condition {
    /// Calls `see` for each place that it tests.
    pub fn places<'a>(&'a self, see: &mut dyn FnMut(&'a PlaceExpr)) {
        match self {
            Condition::Present { value, .. } | Condition::Compare { value, .. } => {
                value.places(&mut |place| see(place));
            }
            Condition::Given { place, .. } => see(place),
            Condition::Holds(term) => term.places(see),
            Condition::Not(inner) => inner.places(see),
            Condition::And(sides) | Condition::Or(sides) => {
                sides.0.places(see);
                sides.1.places(see);
            }
        }
    }
}

impl SlotValue {
    /// Calls `see` for each place that the value is made from.
    pub fn places<'a>(&'a self, see: &mut impl FnMut(&'a PlaceExpr)) {
        match self {
            SlotValue::Place(place) => see(place),
            SlotValue::Literal(_) => {}
            SlotValue::Filter { value, args, .. } => {
                value.places(see);
                for arg in args {
                    arg.places(see);
                }
            }
        }
    }
}

impl Condition {
    /// The variable that the value is bound to.
    pub fn binding(&self) -> Option<&str> {
        match self {
            Condition::Present { binding, .. } | Condition::Given { binding, .. } => {
                binding.as_deref()
            }
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

/// The step before which the conversation history is inserted if the template has no position for it: the last user message.
/// `roles` contains the role of each step, or `None` for messages of a field.
pub fn history_position(roles: &[Option<Role>]) -> usize {
    let last_user = roles.iter().rposition(|role| *role == Some(Role::User));
    last_user.unwrap_or(roles.len())
}

/// The step before which few-shot examples are inserted if the template has no position for them: the first after the system
/// message. `roles` contains the role of each step, or `None` for messages of a field.
pub fn examples_position(roles: &[Option<Role>]) -> usize {
    let first = roles.iter().position(|role| *role != Some(Role::System));
    first.unwrap_or(roles.len())
}

/// Errors in the order of messages (number 6). For each step of the prompt the role, or `None` for messages of a field;
/// `asks` is whether a model answers the prompt.
pub fn role_order(roles: &[Option<Role>], asks: bool) -> Vec<(usize, Problem)> {
    let (mut system, mut turns) = (false, false);
    let mut errors = Vec::new();
    for (index, role) in roles.iter().enumerate() {
        if *role != Some(Role::System) {
            turns = true;
        } else if system {
            errors.push((index, role::two_systems()));
        } else if turns {
            errors.push((index, role::late_system()));
        }
        system |= *role == Some(Role::System);
    }
    if let [.., Some(Role::Assistant)] = roles
        && asks
    {
        errors.push((roles.len() - 1, role::nothing_to_answer()));
    }
    errors
}

/// Uses of the answer in a message that the model reads (number 9).
pub fn exposed_answer(
    fields: &[FieldInfo],
    role: Option<Role>,
    body: &[ResolvedNode],
) -> Vec<Error> {
    let mut errors = Vec::new();
    walk(body, &mut |piece| {
        piece.places(&mut |place| {
            if fields.get(place.origin).is_some_and(|field| field.answer) {
                errors.push(in_the_question(&place.name, role).at(place.span));
            }
        });
    });
    errors
}

/// Fields in a system message whose text may come from a user (number 7).
pub fn untrusted(
    form: MacroKind,
    dialect: Dialect,
    fields: &[FieldInfo],
    body: &[ResolvedNode],
) -> Vec<Error> {
    let mut errors = Vec::new();
    walk(body, &mut |piece| {
        let mut seen = Vec::new();
        piece.shown(&mut |place| {
            let Some(field) = fields.get(place.origin) else {
                return;
            };
            if field.trusted || seen.contains(&place.span) {
                return;
            }
            seen.push(place.span);
            // Of several places in one slot, the one that is meant.
            let (span, is_slot) = match piece {
                ResolvedNode::Slot(ResolvedSlot {
                    value: SlotValue::Place(_),
                    fallback: None,
                    span,
                    ..
                }) => (*span, true),
                _ => (place.span, false),
            };
            let slot = is_slot.then_some(place.name.as_str());
            let problem = value::untrusted(form, dialect, &field.name, slot);
            errors.push(problem.at(span));
        });
        piece.terms(&mut |term| errors.extend(characters(term)));
    });
    errors
}

/// `'%c' | format(number)` is the only filter that makes any character of a number, and a number is safe in the system message
/// because it cannot be text. A pattern that is computed may contain `%c`; a field's is the program's.
fn characters(term: &Term) -> Option<Error> {
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
    writes_characters.then(|| value::characters_in_system().at(*span))
}

/// Control tokens of a format in the text of the template (number 8).
pub fn control_tokens(family: &'static Family, source: &str, body: &[ResolvedNode]) -> Vec<Error> {
    let mut errors = Vec::new();
    walk(body, &mut |piece| {
        let ResolvedNode::Text { text, span } = piece else {
            return;
        };
        let exact = family
            .tokens
            .iter()
            .filter(|token| text.contains(**token))
            .map(|token| {
                let found = span.of(source).find(token);
                (*token, found.map(|at| at..at + token.len()))
            });
        let numbered = family.numbered.iter().filter_map(|token| {
            let found = &text[token.find(text)?];
            Some((found, token.find(span.of(source))))
        });
        for (token, range) in exact.chain(numbered) {
            let at = range.map_or(*span, |range| {
                Span::new(span.start + range.start, span.start + range.end)
            });
            errors.push(control_token(family, token).at(at));
        }
    });
    errors
}

/// The names and spans of the media in a message.
pub fn media(body: &[ResolvedNode]) -> Vec<(&str, Span)> {
    let mut found = Vec::new();
    walk(body, &mut |piece| {
        if let ResolvedNode::Media { place, span } = piece {
            found.push((place.name.as_str(), *span));
        }
    });
    found
}

/// A value, and what is known of it.
#[cfg(feature = "jinja")]
#[derive(Clone)]
pub(in crate::analysis) struct TypedTerm {
    pub term: Term,
    pub kind: Kind,
    /// Its span in the source.
    pub span: Span,
}

#[cfg(feature = "jinja")]
impl TypedTerm {
    pub(super) fn new(term: Term, kind: Kind, span: Span) -> TypedTerm {
        TypedTerm { term, kind, span }
    }

    /// The result of a function of the run time.
    pub(super) fn call(
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
    Mapped(Box<MappedList>),
    /// A list of the user's own type, by a key of each item.
    Keyed(Box<RustListFilter>),
    And(Box<(Term, Term)>),
    Or(Box<(Term, Term)>),
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
    pub ident: String,
    /// The fields that its value is made from, each with the span of the variable.
    pub sources: Vec<PlaceExpr>,
    /// Whether it may be undefined.
    pub uncertain: bool,
}

/// `names | map("upper")`.
#[derive(Clone)]
pub struct MappedList {
    pub value: Term,
    pub function: &'static str,
    pub item: String,
    /// The expression for each item.
    pub key: Term,
    pub span: Span,
}

/// `people | sort(attribute="name")`, `people | map(attribute="name")`: the items remain Rust values.
#[derive(Clone)]
pub struct RustListFilter {
    pub list: RustList,
    pub function: &'static str,
    pub item: String,
    /// The expression for each item; `None` for `reverse` and similar filters.
    pub key: Option<Term>,
    pub args: Vec<Term>,
    pub span: Span,
}

/// A list of the user's own type.
#[derive(Clone)]
pub enum RustList {
    Place(PlaceExpr),
    Keyed(Box<RustListFilter>),
}

impl RustList {
    /// Calls `see` for each place that the list is made from.
    pub fn places<'a>(&'a self, see: &mut dyn FnMut(&'a PlaceExpr)) {
        match self {
            RustList::Place(place) => see(place),
            RustList::Keyed(keyed) => keyed.places(&mut |term, see| term.places(see), see),
        }
    }
}

/// Calls a function for the places of a term, with the function that sees them.
type TermVisitor<'v, 'a> = &'v mut dyn FnMut(&'a Term, &mut dyn FnMut(&'a PlaceExpr));

impl RustListFilter {
    fn places<'a>(&'a self, visit: TermVisitor<'_, 'a>, see: &mut dyn FnMut(&'a PlaceExpr)) {
        match &self.list {
            RustList::Place(place) => see(place),
            RustList::Keyed(keyed) => keyed.places(visit, see),
        }
        for term in self.key.iter().chain(&self.args) {
            visit(term, see);
        }
    }
}

impl Term {
    /// Calls `see` for each term that its value is made from; not for those of a condition, a list of the user's own type
    /// or a block.
    fn parts<'a>(&'a self, see: &mut dyn FnMut(&'a Term)) {
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
    fn each<'a>(&'a self, see: &mut dyn FnMut(&'a Term)) {
        see(self);
        if let Term::Keyed(keyed) = self {
            keyed.places(&mut |term, _| term.each(see), &mut |_| {});
        }
        self.parts(&mut |part| part.each(see));
    }

    /// Calls `see` for each place that the value is made from, conditions included.
    pub fn places<'a>(&'a self, see: &mut dyn FnMut(&'a PlaceExpr)) {
        match self {
            Term::Keyed(keyed) => keyed.places(&mut |term, see| term.places(see), see),
            Term::Holds(test) => test.places(see),
            Term::Block(pieces) => walk(pieces, &mut |piece| piece.places(see)),
            Term::If(parts) => parts.0.places(see),
            other => other.own_places(see),
        }
        self.parts(&mut |part| part.places(see));
    }

    /// Calls `see` for each place whose data the value may show.
    pub fn shown<'a>(&'a self, see: &mut dyn FnMut(&'a PlaceExpr)) {
        match self {
            Term::Keyed(keyed) => keyed.places(&mut |term, see| term.shown(see), see),
            Term::Block(pieces) => walk(pieces, &mut |piece| piece.shown(see)),
            other => other.own_places(see),
        }
        self.parts(&mut |part| part.shown(see));
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
        self.parts(&mut |part| part.each_block(see));
    }
}

#[cfg(feature = "jinja")]
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
