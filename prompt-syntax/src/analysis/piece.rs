//! The annotated tree: the result of [`Analyzer`](super::Analyzer), with every name resolved.

use super::context::FieldInfo;
use crate::Kind;
use crate::language::{Language, LanguageCondition as _, LanguagePiece as _, Plain};
use crate::lex::is_verbatim;
use crate::problem::answer::in_the_question;
use crate::problem::field::MacroKind;
use crate::problem::format::{control_token, foreign_token};
use crate::problem::{Problem, role, value};
use crate::{CompareOp, Dialect, Error, Expr, Literal, Role};
use prompt_base::Span;

/// A part of a template whose names are resolved.
#[derive(Clone)]
pub enum ResolvedNode<L: Language = Plain> {
    /// Literal text.
    Text {
        /// The text, with its escapes resolved.
        text: String,
        /// Its bytes in the template.
        span: Span,
    },
    /// A slot for text.
    Slot(ResolvedSlot),
    /// A slot for an image, audio, video or file.
    Media {
        /// The place of its value.
        place: PlaceExpr,
        /// Its bytes in the template.
        span: Span,
    },
    /// A condition.
    If {
        /// `if`, and each `else if`.
        branches: Vec<ResolvedBranch<L>>,
        /// The content of `else`.
        otherwise: Vec<ResolvedNode<L>>,
    },
    /// A loop.
    For {
        /// The variable of an item, or those of the two parts of a pair.
        bindings: Vec<String>,
        /// The variable for `loop`, if the template uses it.
        state: Option<String>,
        /// The items.
        list: SlotValue,
        /// The content of the loop.
        body: Vec<ResolvedNode<L>>,
        /// The content for an empty list.
        otherwise: Option<Vec<ResolvedNode<L>>>,
    },
    /// A node that only this language has.
    Other(L::Piece),
}

/// The analyzed text of one message, and how it uses the fields.
#[derive(Clone, Default)]
pub struct ResolvedText<L: Language = Plain> {
    /// The content.
    pub nodes: Vec<ResolvedNode<L>>,
    /// The fields that its slots, conditions and loops use, in their order.
    pub used: Vec<FieldUse>,
    /// The fields whose text it may show.
    pub shown: Vec<FieldUse>,
}

impl<L: Language> ResolvedText<L> {
    pub(super) fn new(nodes: Vec<ResolvedNode<L>>) -> ResolvedText<L> {
        let (mut used, mut shown) = (Vec::new(), Vec::new());
        walk(&nodes, &mut |node| {
            node.each_place(&mut |place| used.extend(FieldUse::of_place(place)));
            node.each_shown_place(&mut |place| shown.extend(FieldUse::of_place(place)));
        });
        ResolvedText { nodes, used, shown }
    }
}

/// One use of a field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldUse {
    /// The index of the field.
    pub field: usize,
    /// The path, as it was written.
    pub name: String,
    /// Its bytes in the template.
    pub span: Span,
    /// Whether the path begins with a name that a block binds to the field or to a part of it.
    pub is_bound: bool,
}

impl FieldUse {
    /// `None` for a value that comes from no field.
    fn of_place(place: &PlaceExpr) -> Option<FieldUse> {
        (place.origin != usize::MAX).then(|| FieldUse {
            field: place.origin,
            name: place.name.clone(),
            span: place.span,
            is_bound: matches!(place.root, Root::Local(_)),
        })
    }
}

/// A slot: it writes one value.
#[derive(Clone)]
pub struct ResolvedSlot {
    /// The expression as it was written.
    pub name: String,
    /// The value that is written.
    pub value: SlotValue,
    /// The default, where the value is an `Option`.
    pub fallback: Option<SlotDefault>,
    /// Its bytes in the template.
    pub span: Span,
}

/// A value with a default, `<a ?? b>`.
#[derive(Clone)]
pub struct SlotDefault {
    /// The place of the `Option`.
    pub option: PlaceExpr,
    /// The variable of the value inside the `Option`.
    pub binding: String,
    /// The value for `None`.
    pub default: SlotValue,
}

/// A branch of a condition.
#[derive(Clone)]
pub struct ResolvedBranch<L: Language = Plain> {
    /// When the content is rendered.
    pub test: Condition<L>,
    /// The content.
    pub body: Vec<ResolvedNode<L>>,
}

/// The test of a branch.
#[derive(Clone)]
pub enum Condition<L: Language = Plain> {
    /// The value is truthy; it is bound to the variable if the block uses it.
    Present {
        /// The tested value.
        value: SlotValue,
        /// The variable of the value inside the block.
        binding: Option<String>,
    },
    /// A value is compared with a constant.
    Compare {
        /// The tested value.
        value: SlotValue,
        /// The comparison.
        op: CompareOp,
        /// The constant.
        literal: Literal,
        /// Its bytes in the template.
        span: Span,
    },
    /// The condition is false.
    Not(Box<Condition<L>>),
    /// Both conditions are true.
    And(Box<(Condition<L>, Condition<L>)>),
    /// One of the conditions is true.
    Or(Box<(Condition<L>, Condition<L>)>),
    /// A condition that only this language has.
    Other(L::Condition),
}

/// A value that a slot, a condition or a loop uses.
#[derive(Clone)]
pub enum SlotValue {
    /// The value of a place.
    Place(PlaceExpr),
    /// A constant.
    Literal(Literal),
    /// The result of a filter.
    Filter {
        /// The path of the function.
        name: Vec<String>,
        /// The filtered value.
        value: Box<SlotValue>,
        /// The arguments of the filter.
        args: Vec<SlotValue>,
        /// Its bytes in the template.
        span: Span,
    },
}

/// A Rust place expression: a field, a variable that a block binds, or a field of either.
#[derive(Clone)]
pub struct PlaceExpr {
    /// What the path begins with.
    pub root: Root,
    /// The names of fields after it.
    pub rest: Vec<String>,
    /// As it was written.
    pub name: String,
    /// The index of the field that the value comes from; `usize::MAX` if it comes from none.
    pub origin: usize,
    /// Its bytes in the template.
    pub span: Span,
    /// Whether only rustc can determine its type: a part of a pair; or, in Jinja, any such place.
    pub open: bool,
    /// How many lists and `Option`s around its root the blocks have opened: 0 for a field, 1 for an item of a field. `None` if the root
    /// is made from a part of another place or by a filter.
    pub layers: Option<u8>,
}

/// What a place expression begins with.
#[derive(Clone)]
pub enum Root {
    /// A field, by its index.
    Field(usize),
    /// A variable that a block binds.
    Local(String),
}

impl PlaceExpr {
    /// The `layers` of a variable for an item of this list.
    pub fn layers_of_item(&self) -> Option<u8> {
        self.layers.filter(|_| self.rest.is_empty())?.checked_add(1)
    }

    /// The `layers` of a variable for the value that a condition finds in a place of this kind.
    pub fn layers_of_found(&self, kind: &Kind) -> Option<u8> {
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

impl<L: Language> ResolvedNode<L> {
    /// Calls `see` for this piece and all inside it.
    pub fn walk<'a>(&'a self, see: &mut dyn FnMut(&'a ResolvedNode<L>)) {
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
            ResolvedNode::Other(piece) => piece.walk(see),
            ResolvedNode::Text { .. } | ResolvedNode::Slot(_) | ResolvedNode::Media { .. } => {}
        }
    }
}

impl<L: Language> ResolvedNode<L> {
    /// Calls `see` for each place that the piece itself uses, without the pieces inside it.
    pub fn each_place<'a>(&'a self, see: &mut dyn FnMut(&'a PlaceExpr)) {
        match self {
            ResolvedNode::If { branches, .. } => {
                for branch in branches {
                    branch.test.each_place(see);
                }
            }
            ResolvedNode::For { list, .. } => list.each_place(&mut |place| see(place)),
            ResolvedNode::Media { place, .. } => see(place),
            ResolvedNode::Other(piece) => piece.each_place(see),
            ResolvedNode::Slot(slot) => {
                if let Some(fallback) = &slot.fallback {
                    see(&fallback.option);
                }
                self.each_shown_place(see);
            }
            ResolvedNode::Text { .. } => {}
        }
    }

    /// Calls `see` for each place whose text the piece itself may show.
    pub fn each_shown_place<'a>(&'a self, see: &mut dyn FnMut(&'a PlaceExpr)) {
        match self {
            ResolvedNode::Slot(slot) => {
                slot.value.each_place(&mut |place| see(place));
                if let Some(fallback) = &slot.fallback {
                    fallback.default.each_place(&mut |place| see(place));
                }
            }
            ResolvedNode::Other(piece) => piece.each_shown_place(see),
            _ => {}
        }
    }
}

/// Calls `see` for each piece and all inside it.
pub fn walk<'a, L: Language>(
    pieces: &'a [ResolvedNode<L>],
    see: &mut dyn FnMut(&'a ResolvedNode<L>),
) {
    for piece in pieces {
        piece.walk(see);
    }
}

impl<L: Language> Condition<L> {
    /// How often it tests the presence of a field.
    fn presence_tests(&self, index: usize) -> usize {
        match self {
            Condition::Present {
                value: SlotValue::Place(place),
                ..
            } => usize::from(place.origin == index),
            Condition::Not(inner) => inner.presence_tests(index),
            Condition::And(sides) | Condition::Or(sides) => {
                sides.0.presence_tests(index) + sides.1.presence_tests(index)
            }
            _ => 0,
        }
    }

    /// Calls `see` for each place that it tests.
    pub fn each_place<'a>(&'a self, see: &mut dyn FnMut(&'a PlaceExpr)) {
        match self {
            Condition::Present { value, .. } | Condition::Compare { value, .. } => {
                value.each_place(&mut |place| see(place));
            }
            Condition::Other(condition) => condition.each_place(see),
            Condition::Not(inner) => inner.each_place(see),
            Condition::And(sides) | Condition::Or(sides) => {
                sides.0.each_place(see);
                sides.1.each_place(see);
            }
        }
    }
}

impl SlotValue {
    /// Calls `see` for each place that the value is made from.
    pub fn each_place<'a>(&'a self, see: &mut impl FnMut(&'a PlaceExpr)) {
        match self {
            SlotValue::Place(place) => see(place),
            SlotValue::Literal(_) => {}
            SlotValue::Filter { value, args, .. } => {
                value.each_place(see);
                for arg in args {
                    arg.each_place(see);
                }
            }
        }
    }
}

impl<L: Language> Condition<L> {
    /// The variable that the value is bound to.
    pub fn bound_name(&self) -> Option<&str> {
        match self {
            Condition::Present { binding, .. } => binding.as_deref(),
            Condition::Other(condition) => condition.bound_name().map(String::as_str),
            _ => None,
        }
    }

    /// Whether it uses one of these variables.
    pub fn mentions(&self, bindings: &[&str]) -> bool {
        let mut found = false;
        self.each_place(&mut |place| {
            found |=
                matches!(&place.root, Root::Local(local) if bindings.contains(&local.as_str()));
        });
        found
    }
}

/// The name that marks a slot's data: the path that its value begins with.
///
/// ```
/// use prompt_syntax::{Node, Options, analysis::slot_name, parse};
///
/// let parsed = parse("<user.name | upper>", Options::default());
/// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
/// assert_eq!(slot_name(&slot.expr), "user.name");
/// ```
pub fn slot_name<L: Language>(expr: &Expr<L>) -> String {
    match expr {
        Expr::Path(path) => path.dotted(),
        Expr::Filter(filter) => slot_name(&filter.value),
        Expr::Default(coalesce) => slot_name(&coalesce.value),
        _ => "literal".into(),
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
pub fn exposed_answer(fields: &[FieldInfo], role: Option<Role>, used: &[FieldUse]) -> Vec<Error> {
    let is_answer = |used: &&FieldUse| fields.get(used.field).is_some_and(|field| field.answer);
    let uses = used.iter().filter(is_answer);
    uses.map(|used| in_the_question(&used.name, role).at(used.span))
        .collect()
}

/// Fields in a system message whose text may come from a user (number 7).
pub fn untrusted_uses<L: Language>(
    form: MacroKind,
    dialect: Dialect,
    fields: &[FieldInfo],
    body: &[ResolvedNode<L>],
) -> Vec<Error> {
    let mut errors = Vec::new();
    walk(body, &mut |piece| {
        let mut seen = Vec::new();
        piece.each_shown_place(&mut |place| {
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
            let problem = value::untrusted_in_system(form, dialect, &field.name, slot);
            errors.push(problem.at(span));
        });
        if let ResolvedNode::Other(other) = piece {
            errors.extend(other.system_errors());
        }
    });
    errors
}

/// Control tokens of a format in the text of the template (number 8). `find` returns those that a text contains.
pub fn control_tokens<L: Language>(
    format: &str,
    find: impl Fn(&str) -> Vec<&str>,
    source: &str,
    body: &[ResolvedNode<L>],
) -> Vec<Error> {
    let mut errors = Vec::new();
    walk(body, &mut |piece| {
        let ResolvedNode::Text { text, span } = piece else {
            return;
        };
        for token in find(text) {
            // The text of a token that the source writes with escapes is not in the source: the error is about the whole text.
            let start = span.of(source).find(token);
            let at = start.map_or(*span, |start| {
                Span::new(span.start + start, span.start + start + token.len())
            });
            errors.push(control_token(format, token).at(at));
        }
    });
    errors
}

/// Control tokens of any family in the text of a prompt that is written for no format, or for the format `written_for`, outside of verbatim blocks: they
/// are marks of a chat format that was pasted, or another format would read them as its own. `find` returns the title and the name of the first one's
/// family, and the token. `can_be_plain` is whether the prompt takes the key `format`.
pub fn foreign_control_tokens<L: Language>(
    dialect: Dialect,
    can_be_plain: bool,
    written_for: Option<&str>,
    find: impl Fn(&str) -> Option<(&'static str, &'static str, &'static str)>,
    source: &str,
    body: &[ResolvedNode<L>],
) -> Vec<Error> {
    let mut errors = Vec::new();
    walk(body, &mut |piece| {
        let ResolvedNode::Text { span, .. } = piece else {
            return;
        };
        let mut from = span.start;
        while let Some((title, name, token)) = find(&source[from..span.end]) {
            let start = from + source[from..span.end].find(token).unwrap_or_default();
            from = start + token.len();
            if !is_verbatim(source, start) {
                let problem = foreign_token(dialect, can_be_plain, title, name, token, written_for);
                errors.push(problem.at(Span::new(start, from)));
                return;
            }
        }
    });
    errors
}

/// Whether a field of text or an `Option` is used only by tests of its presence, which are written around the slot that shows it.
pub fn is_only_tested<'a, L: Language + 'a>(
    info: &FieldInfo,
    index: usize,
    bodies: impl IntoIterator<Item = &'a [ResolvedNode<L>]>,
) -> bool {
    if !matches!(info.kind, Kind::Text | Kind::Option(_)) {
        return false;
    }
    let (mut tests, mut uses) = (0, 0);
    for body in bodies {
        walk(body, &mut |node| {
            if let ResolvedNode::If { branches, .. } = node {
                let tested = branches
                    .iter()
                    .map(|branch| branch.test.presence_tests(index));
                tests += tested.sum::<usize>();
            }
            node.each_place(&mut |place| uses += usize::from(place.origin == index));
        });
    }
    tests > 0 && tests == uses
}

/// The names and spans of the media in a message.
pub fn media_slots<L: Language>(body: &[ResolvedNode<L>]) -> Vec<(&str, Span)> {
    let mut found = Vec::new();
    walk(body, &mut |piece| {
        if let ResolvedNode::Media { place, span } = piece {
            found.push((place.name.as_str(), *span));
        }
    });
    found
}
