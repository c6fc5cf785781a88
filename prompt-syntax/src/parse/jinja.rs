//! The blocks of the Jinja dialect that have no `else`, and its statements.

use super::Parser;
use crate::block_head::BlockHead;
use crate::expr::jinja;
use crate::keyword::Keyword;
use crate::{Include, Node, SetStatement};
use prompt_base::Span;

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
