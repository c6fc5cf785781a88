//! Blocks whose end has not come yet, and what becomes of them.

use crate::token::Keyword;
use crate::{
    Branch, Expr, FilterBlock, For, If, Macro, Named, Node, Param, Role, RoleBlock, Set, Span,
    Spanned, With,
};

/// A block whose end has not come yet.
pub(crate) struct Open {
    /// Its opening tag.
    pub(crate) tag: Span,
    pub(crate) block: Block,
    /// What stood before it.
    pub(crate) outer: Vec<Node>,
    /// Whether an error has said already that its end is wrong.
    pub(crate) excused: bool,
    /// The error that says that it crosses another block.
    pub(crate) crossed: Option<usize>,
    /// Whether its end has come, but inside of a block that crosses it.
    pub(crate) ended: bool,
}

impl Open {
    pub(crate) fn is_role(&self) -> bool {
        matches!(self.block, Block::Role(_))
    }
}

/// What is known of an open block.
pub(crate) enum Block {
    If(Part),
    For {
        /// `None` if it could not be read.
        head: Option<LoopHead>,
        /// What stands before the `else`, and where that is.
        body: Option<(Vec<Node>, Span)>,
    },
    Role(Role),
    /// One that knows no `else`. `None` if its tag could not be read.
    Other(Keyword, Option<Head>),
}

/// What a loop goes over.
pub(crate) struct LoopHead {
    pub(crate) targets: Vec<Spanned<String>>,
    pub(crate) list: Expr,
    pub(crate) condition: Option<Expr>,
}

/// What stands in the opening tag of a block that knows no `else`.
#[cfg_attr(not(feature = "jinja"), allow(dead_code))]
pub(crate) enum Head {
    Set(Spanned<String>, Expr),
    With(Vec<Named>),
    Macro(Spanned<String>, Vec<Param>),
    Filter(Expr),
}

/// The branches of an `if`, up to the one that is being read.
pub(crate) struct Part {
    /// Each with its tag and, if that could be read, its condition.
    done: Vec<(Span, Option<Expr>, Vec<Node>)>,
    tag: Span,
    /// `None` in an `else`.
    condition: Option<Option<Expr>>,
}

impl Part {
    pub(crate) fn new(tag: Span, condition: Option<Expr>) -> Part {
        Part {
            done: Vec::new(),
            tag,
            condition: Some(condition),
        }
    }
}

/// What a block does not take: the condition of an `else if`, and the nodes before it.
pub(crate) type Refused = (Option<Option<Expr>>, Vec<Node>);

impl Block {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Block::If(_) => "if",
            Block::For { .. } => "for",
            Block::Role(role) => role.name(),
            Block::Other(keyword, _) => keyword.name(),
        }
    }

    /// The word that opens and ends it; a role's is no word of the language.
    pub(crate) fn keyword(&self) -> Option<Keyword> {
        match self {
            Block::If(_) => Some(Keyword::If),
            Block::For { .. } => Some(Keyword::For),
            Block::Role(_) => None,
            Block::Other(keyword, _) => Some(*keyword),
        }
    }

    /// The tag of its `else`.
    pub(crate) fn otherwise(&self) -> Option<Span> {
        match self {
            Block::If(part) => part.condition.is_none().then_some(part.tag),
            Block::For { body, .. } => body.as_ref().map(|(_, tag)| *tag),
            Block::Role(_) | Block::Other(..) => None,
        }
    }

    /// Goes on with an `else`, or with an `else if` and the condition that could be read.
    pub(crate) fn next(
        &mut self,
        tag: Span,
        next: Option<Option<Expr>>,
        nodes: Vec<Node>,
    ) -> Result<(), Refused> {
        match self {
            Block::If(part) => {
                let Some(condition) = part.condition.take() else {
                    return Err((next, nodes));
                };
                part.done.push((part.tag, condition, nodes));
                part.tag = tag;
                part.condition = next;
                Ok(())
            }
            Block::For { body, .. } if body.is_none() && next.is_none() => {
                *body = Some((nodes, tag));
                Ok(())
            }
            _ => Err((next, nodes)),
        }
    }

    /// The nodes that the block makes, with what was read last.
    pub(crate) fn close(self, tag: Span, end: Span, nodes: Vec<Node>) -> Vec<Node> {
        let span = tag.to(end);
        match self {
            Block::If(part) => part.close(span, end, nodes),
            // Without the names that it binds, nothing in it can be told.
            Block::For { head: None, .. } | Block::Other(_, None) => vec![Node::Error(span)],
            Block::Other(_, Some(head)) => vec![head.close(span, nodes)],
            Block::For {
                head: Some(head),
                body,
            } => {
                let (body, otherwise) = match body {
                    Some((body, _)) => (body, Some(nodes)),
                    None => (nodes, None),
                };
                vec![Node::For(For {
                    span,
                    targets: head.targets,
                    list: head.list,
                    condition: head.condition,
                    body,
                    otherwise,
                })]
            }
            Block::Role(role) => vec![Node::Role(RoleBlock {
                span,
                role: Spanned::new(role, tag),
                body: without_outer_breaks(nodes, tag.end, end.start),
            })],
        }
    }
}

impl Head {
    fn close(self, span: Span, body: Vec<Node>) -> Node {
        match self {
            Head::Set(target, value) => Node::Set(Set {
                span,
                targets: vec![target],
                value,
                body: Some(body),
            }),
            Head::With(bindings) => Node::With(With {
                span,
                bindings,
                body,
            }),
            Head::Macro(name, params) => Node::Macro(Macro {
                span,
                name,
                params,
                body,
            }),
            Head::Filter(value) => Node::Filter(FilterBlock { span, value, body }),
        }
    }
}

impl Part {
    fn close(mut self, span: Span, end: Span, nodes: Vec<Node>) -> Vec<Node> {
        let mut otherwise = None;
        match self.condition {
            Some(condition) => self.done.push((self.tag, condition, nodes)),
            None => otherwise = Some((self.tag, nodes)),
        }
        if self
            .done
            .iter()
            .any(|(_, condition, _)| condition.is_none())
        {
            return in_pieces(self.done, otherwise, end);
        }
        let mut branches = Vec::with_capacity(self.done.len());
        for (_, condition, body) in self.done {
            branches.extend(condition.map(|condition| Branch { condition, body }));
        }
        vec![Node::If(If {
            span,
            branches,
            otherwise: otherwise.map(|(_, nodes)| nodes),
        })]
    }
}

/// What stands in an `if` whose conditions cannot be read: its tags are errors, the rest is as if they were not there.
fn in_pieces(
    branches: Vec<(Span, Option<Expr>, Vec<Node>)>,
    otherwise: Option<(Span, Vec<Node>)>,
    end: Span,
) -> Vec<Node> {
    let branches = branches.into_iter().map(|(tag, _, nodes)| (tag, nodes));
    let mut pieces = Vec::new();
    for (tag, nodes) in branches.chain(otherwise) {
        pieces.push(Node::Error(tag));
        pieces.extend(nodes);
    }
    if end.start < end.end {
        pieces.push(Node::Error(end));
    }
    pieces
}

/// The line break after a role's opening tag and the one before its closing tag belong to the tags. Where a lexer has
/// taken them already, the text does not touch the tag.
fn without_outer_breaks(mut nodes: Vec<Node>, start: usize, end: usize) -> Vec<Node> {
    if let Some(Node::Text(first)) = nodes.first_mut()
        && first.span.start == start
    {
        let words = first.text.strip_prefix('\r').unwrap_or(&first.text);
        if let Some(words) = words.strip_prefix('\n') {
            let cut = first.text.len() - words.len();
            first.text.drain(..cut);
            first.span.start += cut;
        }
    }
    if let Some(Node::Text(last)) = nodes.last_mut()
        && last.span.end == end
        && let Some(words) = last.text.strip_suffix('\n')
    {
        let kept = words.strip_suffix('\r').unwrap_or(words).len();
        last.span.end -= last.text.len() - kept;
        last.text.truncate(kept);
    }
    nodes.retain(|node| !matches!(node, Node::Text(text) if text.text.is_empty()));
    nodes
}
