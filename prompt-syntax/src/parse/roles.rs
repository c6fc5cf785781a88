//! Where roles stand, and what stands beside them.

use super::Parser;
use crate::block::Open;
use crate::lex::trimmed;
use crate::problem::block::Shows;
use crate::problem::role as problem;
use crate::suggest::closest;
use crate::unicode::name_len;
use crate::{Dialect, Error, Node, Role, Span, Template};

impl Parser<'_> {
    /// Reports a role inside of another block.
    pub(super) fn roles_stand_at_the_top(&mut self, span: Span, role: Role) {
        // A role inside a role means that the first one's end was forgotten.
        if let Some(outer) = self.open.iter().position(Open::is_role) {
            while self.open.len() > outer {
                self.cut_off(span, Shows::Role);
            }
        } else if let Some(outer) = self.open.last() {
            let name = outer.block.name();
            let error = problem::in_a_block(self.dialect, role, name, outer.tag).at(span);
            self.errors.push(error);
        }
    }
}

/// Where a role block is, everything said belongs into one.
pub(super) fn said_by_nobody(
    text: &str,
    template: &Template,
    dialect: Dialect,
    errors: &mut Vec<Error>,
) {
    let nodes = &template.nodes;
    if !nodes.iter().any(|node| matches!(node, Node::Role(_))) {
        return;
    }
    for run in nodes.split(|node| matches!(node, Node::Role(_))) {
        // What is wrong there may be a role's tag.
        if run.iter().any(|node| matches!(node, Node::Error(_))) {
            continue;
        }
        let Some(first) = run.iter().find(|node| says(node)) else {
            continue;
        };
        if let Node::Text(words) = first
            && let Some(error) = near_role(text, words.span, dialect)
        {
            errors.push(error);
            continue;
        }
        let (span, what) = match first {
            Node::Text(words) => (trimmed(text, words.span.start, words.span.end), "text"),
            node => (node.span(), "a block"),
        };
        let error = problem::outside(dialect, what).at(span);
        errors.push(error);
    }
}

/// Whether this is text, or shows some, without a slot's name.
fn says(node: &Node) -> bool {
    match node {
        Node::Text(words) => !words.text.trim().is_empty(),
        node => matches!(node, Node::If(_) | Node::For(_)),
    }
}

/// Whether the parser has said already that what stands around this node, between two roles, is said by nobody.
///
/// ```
/// use prompt_syntax::{Dialect, Options, is_said_beside, parse};
///
/// let options = Options { roles: true, ..Options::message(Dialect::Angle) };
/// let nodes = parse("<user>Hi</user>\nand <name>", options).template.nodes;
/// assert!(is_said_beside(&nodes, 2));
/// ```
pub fn is_said_beside(nodes: &[Node], at: usize) -> bool {
    let is_role = |node: &&Node| matches!(node, Node::Role(_));
    let before = nodes[..at].iter().rev().take_while(|node| !is_role(node));
    let after = nodes[at..].iter().take_while(|node| !is_role(node));
    before.chain(after).any(says)
}

/// A tag among the text whose name is nearly that of a role.
fn near_role(text: &str, span: Span, dialect: Dialect) -> Option<Error> {
    span.of(text).match_indices('<').find_map(|(at, _)| {
        let start = span.start + at + 1;
        let name = &text[start..start + name_len(&text[start..])];
        let role = closest(name, Role::ALL.map(Role::name))?;
        let place = Span::new(start, start + name.len());
        let error = problem::unknown(dialect, name, role).at(place);
        text[place.end..].starts_with('>').then_some(error)
    })
}
