//! Statements that only the Jinja dialect has.

use super::Parser;
use crate::expr::jinja;
use crate::lex::Keyword;
use crate::parse::Head;
use crate::{Include, Node, Set, Span};

impl Parser<'_> {
    /// Adds a `set` without an end.
    pub(super) fn set(&mut self, span: Span, head: Span, reported: bool) {
        let node = match self.read(reported, jinja::set(self.text, head)) {
            Some((targets, value)) => Node::Set(Set {
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
    pub(super) fn include(&mut self, span: Span, head: Span, reported: bool) {
        let node = match self.read(reported, jinja::include(self.text, head)) {
            Some(path) => Node::Include(Include { span, path }),
            None => Node::Error(span),
        };
        self.nodes.push(node);
    }

    /// Parses what the opening tag of a block defines.
    pub(super) fn head(&mut self, keyword: Keyword, head: Span, reported: bool) -> Option<Head> {
        let head = match keyword {
            Keyword::If | Keyword::For => return None,
            Keyword::Set => jinja::set_head(self.text, head),
            Keyword::With => jinja::with_head(self.text, head),
            Keyword::Macro => jinja::macro_head(self.text, head),
            Keyword::Filter => jinja::filter_head(self.text, head),
        };
        self.read(reported, head)
    }
}
