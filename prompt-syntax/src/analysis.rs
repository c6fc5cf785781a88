//! The analysis of a template against its fields: names and scopes, kinds, optionality, usage and trust.
//!
//! The derive, `prompt!`, the attribute macros and run-time templates all call [`Analyzer`] with the parsed nodes and a
//! [`Context`]: the fields, and what is known of them. It returns the annotated tree ([`ResolvedNode`]) and the errors. Generating
//! Rust from the tree, and the checks of types that only rustc can resolve, is the job of the macros; values are the job of
//! the run-time interpreter.
//!
//! A node that only one [`Language`] has is analyzed by [`Language::resolve_node`], with the same scopes, errors and names.
//!
//! Run-time templates obey the same rules as compiled ones, with these differences ([`Context::run_time`]):
//! - A condition narrows an `Option` in every later branch and operand, and not only where generated code can bind it.
//! - In the angle dialect, an `Option` in a field of a struct is tested like the value that it contains, not for `Some`.
//! - A variable that only some branches set may be used; it is undefined where no branch has set it.
//! - In a block that a test of a kind excludes, such as `{% if x is string %}` for a list, the kind is open: a macro may take values of several kinds.
//! - A macro may call itself; the depth of calls is limited when the template is rendered.
//! - There is no rustc: the fields of a struct are those of its [`Kind::Struct`](crate::Kind), the items of each list are values, and a filter cannot be a Rust path.

mod binding;
mod context;
mod literal;
pub(crate) mod names;
mod narrow;
pub(crate) mod parsed;
mod piece;
mod plain;
mod record;
mod scope;
mod unknown;
mod usage;

use std::collections::HashSet;

pub use self::binding::{Binding, Resolution};
pub use self::context::{Context, FieldInfo};
pub use self::names::{BoundName, NameResolver};
pub use self::narrow::{each_fact, remove_unused_binding};
pub use self::piece::*;
pub use self::scope::{
    Bound, HiddenScopes, ScopeStack, collect_set_names, names_set_in_conditions,
};
pub use self::usage::{NameUsage, unparsed_names};
use crate::Dialect;
use crate::language::{Language, LanguageNode as _, Plain};
use crate::problem::Problem;
use crate::problem::{name, role};
use crate::{Error, Node, Slot, is_outside_of_roles};
use prompt_base::Span;

/// Analyzes the texts of one template; names that a string sets are in scope in the later ones.
pub struct Analyzer<'a, L: Language = Plain> {
    /// The fields, and what is known of them.
    pub context: Context<'a>,
    text: &'a str,
    /// The names in scope.
    pub scopes: ScopeStack<Binding<L>>,
    errors: Vec<Error>,
    error_spans: HashSet<Span>,
    readable: bool,
    /// Whether the template had no syntax errors.
    parsed: bool,
    /// Where the text that is analyzed begins in the source: an included file comes after all that precedes it.
    pub offset: usize,
    /// How many included files surround the current one.
    pub depth: usize,
    /// What only this language remembers.
    pub state: L::State<'a>,
    compared: Vec<ComparedText>,
    /// Whether a condition of the angle dialect is analyzed.
    in_condition: bool,
    /// Whether the expression is the list of a loop.
    pub in_list: bool,
}

/// A string that a condition compares with a field, or with an item or the value of one.
pub struct ComparedText {
    /// The index of the field.
    pub field: usize,
    /// The compared string.
    pub text: String,
    /// Its bytes in the template.
    pub span: Span,
}

impl<'a, L: Language> Analyzer<'a, L> {
    /// Begins the analysis of a source. `state` is what only this language needs. `readable` is `false` if parts of the template are already known to be missing:
    /// a name is then never reported as unused.
    pub fn new(
        context: Context<'a>,
        text: &'a str,
        nodes: &[Node<L>],
        state: L::State<'a>,
        readable: bool,
    ) -> Analyzer<'a, L> {
        Analyzer {
            context,
            text,
            scopes: ScopeStack::new(names_set_in_conditions(nodes)),
            errors: Vec::new(),
            error_spans: HashSet::new(),
            readable,
            parsed: readable,
            offset: 0,
            depth: 0,
            state,
            compared: Vec::new(),
            in_condition: false,
            in_list: false,
        }
    }

    /// The strings that conditions compare with fields, which a type with labels limits.
    pub fn compared_texts(&mut self) -> Vec<ComparedText> {
        std::mem::take(&mut self.compared)
    }

    /// Remembers that a condition compares a place with a string.
    pub fn compare_text(&mut self, place: &PlaceExpr, text: &str, span: Span) {
        if place.rest.is_empty() {
            self.compared.push(ComparedText {
                field: place.origin,
                text: text.to_owned(),
                span,
            });
        }
    }

    /// Analyzes the text of one message.
    pub fn resolve_message(&mut self, nodes: &[Node<L>]) -> ResolvedText<L> {
        ResolvedText::new(self.resolve_nodes(nodes))
    }

    /// Analyzes a template with role blocks and returns the text of each. `is_turns` returns whether a slot between the blocks
    /// is the position of the messages of a field.
    pub fn resolve_messages(
        &mut self,
        nodes: &[Node<L>],
        is_turns: impl Fn(&Slot<L>) -> bool,
    ) -> Vec<ResolvedText<L>> {
        let is_blank =
            |node: &Node<L>| matches!(node, Node::Text(text) if text.text.trim().is_empty());
        let (mut bodies, mut before) = (Vec::new(), Vec::new());
        for (at, node) in nodes.iter().enumerate() {
            match node {
                Node::Role(block) => {
                    if self.parsed && block.body.iter().all(is_blank) {
                        self.report(role::empty_message(block.role.value).at(block.role.span));
                    }
                    before.extend(self.resolve_block(&block.body));
                    bodies.push(ResolvedText::new(std::mem::take(&mut before)));
                }
                // Names that are set between roles are in scope of the later messages.
                Node::Other(other) if other.is_prelude() => self.resolve_node(node, &mut before),
                Node::Slot(slot) if !is_turns(slot) => {
                    self.mark_incomplete();
                    // Beside text, the slot is part of one mistake.
                    if !is_outside_of_roles(nodes, at) {
                        self.report(role::slot_outside(self.context.dialect).at(slot.span));
                    }
                }
                _ => {}
            }
        }
        bodies
    }

    /// Analyzes nodes in the current scope.
    pub fn resolve_nodes(&mut self, nodes: &[Node<L>]) -> Vec<ResolvedNode<L>> {
        let mut out = Vec::new();
        for node in nodes {
            self.resolve_node(node, &mut out);
        }
        out
    }

    /// Analyzes one node in the current scope.
    fn resolve_node(&mut self, node: &Node<L>, out: &mut Vec<ResolvedNode<L>>) {
        match self.context.dialect {
            Dialect::Jinja => L::resolve_node(self, node, out),
            _ => self.plain_node(node, out),
        }
    }

    /// Analyzes a block with a scope of its own.
    pub fn resolve_block(&mut self, nodes: &[Node<L>]) -> Vec<ResolvedNode<L>> {
        self.scopes.open_block(names_set_in_conditions(nodes));
        let pieces = self.resolve_nodes(nodes);
        self.close_block();
        pieces
    }

    /// Ends the analysis: the errors in the order in which they were found, and whether the template is still readable.
    pub fn finish(mut self) -> (Vec<Error>, bool) {
        self.close_block();
        (self.errors, self.readable)
    }

    /// Converts a span of the tree into one of the source.
    pub fn source_span(&self, span: Span) -> Span {
        Span::new(span.start + self.offset, span.end + self.offset)
    }

    /// Converts a span of the source into one of the tree.
    pub fn in_tree(&self, span: Span) -> Span {
        Span::new(span.start - self.offset, span.end - self.offset)
    }

    /// Reports an error whose spans are those of the tree.
    pub fn report(&mut self, error: Error) {
        self.report_at(error.moved(self.offset));
    }

    /// Reports an error of an expression, which then has no value.
    pub fn report_as_none<T>(&mut self, error: Error) -> Option<T> {
        self.report(error);
        None
    }

    /// The same with the spans of the source.
    pub fn report_at_as_none<T>(&mut self, error: Error) -> Option<T> {
        self.report_at(error);
        None
    }

    /// Reports an error whose spans are those of the source. A macro is analyzed once for each call, so errors repeat.
    pub fn report_at(&mut self, error: Error) {
        self.readable = false;
        if !self.is_known(&error) {
            self.errors.push(error);
        }
    }

    /// The spans keep this linear where a template has very many errors.
    fn is_known(&mut self, error: &Error) -> bool {
        !self.error_spans.insert(error.span) && self.errors.contains(error)
    }

    /// Notes that something could not be analyzed because of an error that is reported elsewhere.
    fn mark_incomplete(&mut self) {
        self.readable = false;
    }

    /// The index of the field of that name.
    pub fn find_field(&self, name: &str) -> Option<usize> {
        let mut fields = self.context.fields.iter();
        fields.position(|field| field.name == name)
    }

    /// The place of a whole field.
    pub fn field_place(&self, field: usize, name: String, span: Span) -> PlaceExpr {
        PlaceExpr {
            root: Root::Field(field),
            rest: Vec::new(),
            name,
            origin: field,
            span,
            open: false,
            layers: Some(0),
        }
    }

    /// A new variable for the value inside an `Option`; it may have the name of the field that it comes from.
    pub fn fresh_for_place(&mut self, place: &PlaceExpr) -> String {
        let own = match place.root {
            Root::Field(field) if place.rest.is_empty() => Some(field),
            _ => None,
        };
        self.fresh_unless_own(&place.name, own)
    }

    /// A new variable of generated code.
    pub fn fresh_variable(&mut self, name: &str) -> String {
        self.fresh_unless_own(name, None)
    }

    fn fresh_unless_own(&mut self, name: &str, own: Option<usize>) -> String {
        let Context {
            fields, reserved, ..
        } = self.context;
        self.scopes.fresh_variable(name, |ident| {
            let mut fields = fields.iter().enumerate();
            reserved.contains(&ident)
                || fields.any(|(index, field)| Some(index) != own && field.name == ident)
        })
    }

    /// Ends a block; a name that was bound in it and never used is an error.
    pub fn close_block(&mut self) {
        for name in self.scopes.close_scope() {
            self.expect_used(&name);
        }
    }

    fn expect_used(&mut self, name: &Binding<L>) {
        // In a block with errors, the use may be among them.
        if let Some(unused) = &name.unused
            && !name.used
            && !name.name.starts_with('_')
            && self.readable
        {
            // The closing tag may be in another message.
            let tag = format!("<{}>", name.name);
            let close = format!("</{}>", name.name);
            let is_tag = self.context.dialect == Dialect::Angle
                && self.text.contains(&tag)
                && (self.context.tags.has(&name.name) || self.text.contains(&close));
            let error = match is_tag {
                true => name::binding_as_tag(&name.name).at(unused.span),
                false => unused.clone(),
            };
            // Not being used does not keep the rest from being analyzed in full.
            if !self.is_known(&error) {
                self.errors.push(error);
            }
        }
    }

    /// The error of a name that has to be used; one of an included file does not.
    pub fn unused_error(&self, span: Span, unused: Problem) -> Option<Error> {
        (self.depth == 0).then(|| unused.at(self.source_span(span)))
    }
}
