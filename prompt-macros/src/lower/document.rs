//! Texts with role blocks.

use prompt_syntax::problem::role;
use prompt_syntax::{Dialect, Node, Role, is_said_beside};

use super::Lowerer;
use crate::jinja;
use crate::model::{Message, Step};
use crate::source::SourceText;

impl Lowerer<'_, '_> {
    /// A source with role blocks, which is then told; without any it is one message, of a user if nothing else is said.
    pub(super) fn document(
        &mut self,
        source: SourceText,
        role: Option<Role>,
        at: proc_macro2::Span,
    ) -> bool {
        let nodes = self.parse(&source, self.options(true), at);
        if !nodes.iter().any(|node| matches!(node, Node::Role(_))) {
            self.push(role.or(Some(Role::User)), &nodes, source, at);
            return false;
        }
        if self.dialect == Dialect::Jinja {
            self.jinja_document(&nodes, source);
            return true;
        }
        let index = self.out.sources.len();
        for (at, node) in nodes.iter().enumerate() {
            match node {
                Node::Role(block) => {
                    self.expect_words(block, &source);
                    let body = self.body(&block.body, &source);
                    let at = source.span(block.role.span);
                    self.out.steps.push(Step::Message(Message {
                        role: Some(block.role.value),
                        body,
                        source: index,
                        tag: Some(block.role.span),
                        at,
                    }));
                }
                Node::Slot(slot) => self.top_level_slot(slot, is_said_beside(&nodes, at), &source),
                _ => {}
            }
        }
        self.out.sources.push(source);
        true
    }

    /// Lowers a text of the Jinja dialect.
    pub(super) fn jinja<T>(
        &mut self,
        nodes: &[Node],
        source: &mut SourceText,
        lower: impl FnOnce(&mut jinja::Lowerer<'_, '_>) -> T,
    ) -> T {
        let mut lowerer = jinja::Lowerer {
            fields: &self.case.fields,
            owner: &self.owner,
            source,
            errors: self.errors,
            readable: &mut self.out.readable,
            all_lost: self.case.broken,
            lost: &self.lost,
            names: jinja::Names::of(nodes),
            options: self.options,
            offset: 0,
            including: Vec::new(),
            calling: Vec::new(),
            body: None,
            reported: Vec::new(),
        };
        let lowered = lower(&mut lowerer);
        lowerer.close();
        lowered
    }

    /// Role blocks of the Jinja dialect: what is set between them, they all see.
    fn jinja_document(&mut self, nodes: &[Node], mut source: SourceText) {
        let index = self.out.sources.len();
        for (at, node) in nodes.iter().enumerate() {
            match node {
                Node::Role(block) => self.expect_words(block, &source),
                Node::Slot(slot) if self.history_named(slot).is_none() => {
                    self.top_level_slot(slot, is_said_beside(nodes, at), &source);
                }
                _ => {}
            }
        }
        let mut bodies = self.jinja(nodes, &mut source, |lowerer| {
            let (mut bodies, mut before) = (Vec::new(), Vec::new());
            for node in nodes {
                match node {
                    Node::Role(block) => {
                        before.extend(lowerer.block(&block.body));
                        bodies.push(std::mem::take(&mut before));
                    }
                    Node::Set(_) | Node::Macro(_) => lowerer.node(node, &mut before),
                    _ => {}
                }
            }
            bodies.into_iter()
        });
        for node in nodes {
            match node {
                Node::Role(block) => {
                    let at = source.span(block.role.span);
                    self.out.steps.push(Step::Message(Message {
                        role: Some(block.role.value),
                        body: bodies.next().unwrap_or_default(),
                        source: index,
                        tag: Some(block.role.span),
                        at,
                    }));
                }
                Node::Slot(slot) => {
                    if let Some(field) = self.history_named(slot) {
                        let at = source.span(slot.span);
                        self.out.steps.push(Step::History { field, at });
                    }
                }
                _ => {}
            }
        }
        self.out.sources.push(source);
    }

    /// A message says something.
    fn expect_words(&mut self, block: &prompt_syntax::RoleBlock, source: &SourceText) {
        let is_blank =
            |node: &Node| matches!(node, Node::Text(text) if text.text.trim().is_empty());
        if block.body.iter().all(is_blank) && self.out.readable {
            let error = role::empty(block.role.value).at(block.role.span);
            source.report(&error, self.errors);
        }
    }

    /// Between role blocks only the history has a place. Beside words there, the slot is part of one mistake.
    fn top_level_slot(&mut self, slot: &prompt_syntax::Slot, reported: bool, source: &SourceText) {
        if let Some(field) = self.history_named(slot) {
            self.out.steps.push(Step::History {
                field,
                at: source.span(slot.span),
            });
            return;
        }
        self.out.readable = false;
        if !reported {
            let error = role::slot_outside(self.dialect).at(slot.span);
            source.report(&error, self.errors);
        }
    }
}
