//! The blocks of the Jinja dialect that have no `else`, and its statements.

use super::Parser;
use crate::expr::jinja;
use crate::keyword::Keyword;
use crate::{
    Expr, FilterBlock, Include, Macro, MacroParam, Named, Node, SetStatement, Spanned, With,
};
use prompt_base::Span;

/// The opening tag of a block that has no `else`.
pub(crate) enum BlockHead {
    Set(Spanned<String>, Expr),
    With(Vec<Named>),
    Macro(Spanned<String>, Vec<MacroParam>),
    Filter(Expr),
}

impl BlockHead {
    pub(super) fn into_node(self, span: Span, body: Vec<Node>) -> Node {
        match self {
            BlockHead::Set(target, value) => Node::Set(SetStatement {
                span,
                targets: vec![target],
                value,
                body: Some(body),
            }),
            BlockHead::With(bindings) => Node::With(With {
                span,
                bindings,
                body,
            }),
            BlockHead::Macro(name, params) => Node::Macro(Macro {
                span,
                name,
                params,
                body,
            }),
            BlockHead::Filter(value) => Node::Filter(FilterBlock { span, value, body }),
        }
    }
}

impl Parser<'_> {
    /// Adds a `set` without an end.
    pub(super) fn push_set(&mut self, span: Span, head: Span, reported: bool) {
        let node = match self.value_or_report(reported, jinja::set(self.text, head)) {
            Some((targets, value)) => Node::Set(SetStatement {
                span,
                targets,
                value,
                body: None,
            }),
            None => Node::Error(span),
        };
        self.nodes.push(node);
    }

    /// Adds an `include`.
    pub(super) fn push_include(&mut self, span: Span, head: Span, reported: bool) {
        let node = match self.value_or_report(reported, jinja::include(self.text, head)) {
            Some(path) => Node::Include(Include { span, path }),
            None => Node::Error(span),
        };
        self.nodes.push(node);
    }

    /// Parses the opening tag of a block.
    pub(super) fn parse_head(
        &mut self,
        keyword: Keyword,
        head: Span,
        reported: bool,
    ) -> Option<BlockHead> {
        let head = match keyword {
            Keyword::If | Keyword::For => return None,
            Keyword::Set => jinja::set_head(self.text, head),
            Keyword::With => jinja::with_head(self.text, head),
            Keyword::Macro => jinja::macro_head(self.text, head),
            Keyword::Filter => jinja::filter_head(self.text, head),
        };
        self.value_or_report(reported, head)
    }
}
