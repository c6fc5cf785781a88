//! Texts with role blocks.

use prompt_syntax::analysis::{Analyzer, Context, NoIncludes};
use prompt_syntax::{Dialect, Node, Role, Span};

use super::Lowerer;
use super::include::Files;
use super::turns::history_named;
use crate::model::{Message, Step};
use crate::place::OWN_NAMES;
use crate::source::SourceText;

impl Lowerer<'_, '_> {
    /// A source with role blocks, or without any one message, by default of the user. Returns whether it has role blocks.
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
        let (mut source, case) = (source, self.case);
        let bodies = self.analyzed(&nodes, &mut source, |analyzer| {
            analyzer.messages(&nodes, |slot| history_named(&case.fields, slot).is_some())
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
                    if let Some(field) = history_named(&case.fields, slot) {
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
