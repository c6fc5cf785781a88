//! Texts with role blocks.

use prompt_syntax::analysis::{Analyzer, Context, NoIncludes};
use prompt_syntax::problem::role;
use prompt_syntax::{Dialect, Node, Role, Span, is_said_beside};

use super::Lowerer;
use super::include::Files;
use crate::model::{Message, Step};
use crate::place::OWN_NAMES;
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
        let ats: Vec<_> = nodes.iter().map(|node| source.span(marked(node))).collect();
        let is_history =
            |node: &Node| matches!(node, Node::Slot(slot) if self.history_named(slot).is_some());
        let turns: Vec<bool> = nodes.iter().map(is_history).collect();
        let (mut source, dialect) = (source, self.dialect);
        let bodies = self.analyzed(&nodes, &mut source, |analyzer| {
            let (mut bodies, mut before) = (Vec::new(), Vec::new());
            for (at, node) in nodes.iter().enumerate() {
                match node {
                    Node::Role(block) => {
                        expect_text(block, analyzer);
                        before.extend(analyzer.block(&block.body));
                        bodies.push(std::mem::take(&mut before));
                    }
                    // Later messages see what is set between roles.
                    Node::Set(_) | Node::Macro(_) => analyzer.node(node, &mut before),
                    Node::Slot(_) if turns[at] => {}
                    Node::Slot(slot) => {
                        analyzer.give_up();
                        // Beside text there, the slot is part of one mistake.
                        if !is_said_beside(&nodes, at) {
                            analyzer.report(role::slot_outside(dialect).at(slot.span));
                        }
                    }
                    _ => {}
                }
            }
            bodies
        });
        let (index, mut bodies) = (self.out.sources.len(), bodies.into_iter());
        for (node, at) in nodes.iter().zip(ats) {
            match node {
                Node::Role(block) => self.out.steps.push(Step::Message(Message {
                    role: Some(block.role.value),
                    body: bodies.next().unwrap_or_default(),
                    source: index,
                    tag: Some(block.role.span),
                    at,
                })),
                Node::Slot(slot) => {
                    if let Some(field) = self.history_named(slot) {
                        self.out.steps.push(Step::History { field, at });
                    }
                }
                _ => {}
            }
        }
        self.out.sources.push(source);
        true
    }

    /// Analyzes a source and reports its errors.
    pub(super) fn analyzed<T>(
        &mut self,
        nodes: &[Node],
        source: &mut SourceText,
        analyze: impl FnOnce(&mut Analyzer<'_>) -> T,
    ) -> T {
        let context = Context {
            dialect: self.dialect,
            fields: &self.out.fields,
            owner: &self.owner,
            captures: self.captures,
            lost: &self.lost,
            all_lost: self.case.broken,
            run_time: false,
            reserved: &OWN_NAMES,
        };
        let readable = self.out.readable;
        let run = |mut analyzer: Analyzer<'_>| (analyze(&mut analyzer), analyzer.finish());
        let (analyzed, (errors, readable)) = match self.dialect {
            Dialect::Jinja => {
                let mut files = Files::of(source, self.options);
                run(Analyzer::new(context, "", nodes, &mut files, readable))
            }
            _ => {
                let text = &source.value;
                run(Analyzer::new(
                    context,
                    text,
                    nodes,
                    &mut NoIncludes,
                    readable,
                ))
            }
        };
        self.out.readable = readable;
        for error in errors {
            source.report(&error, self.errors);
        }
        analyzed
    }
}

/// The bytes of a node that an error of the whole message marks.
fn marked(node: &Node) -> Span {
    match node {
        Node::Role(block) => block.role.span,
        node => node.span(),
    }
}

/// A message must contain text.
fn expect_text(block: &prompt_syntax::RoleBlock, analyzer: &mut Analyzer<'_>) {
    let is_blank = |node: &Node| matches!(node, Node::Text(text) if text.text.trim().is_empty());
    if block.body.iter().all(is_blank) && analyzer.is_readable() {
        analyzer.report(role::empty(block.role.value).at(block.role.span));
    }
}
