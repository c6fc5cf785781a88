//! The statements of the Jinja dialect, and the opening tags of its blocks that have no `else`.

use prompt_base::Span;
use prompt_syntax::dialect::Keyword;
use prompt_syntax::{Error, Spanned};

use crate::problem::tag as problem;
use crate::{
    Expr, FilterBlock, Include, JinjaNode, Macro, MacroParam, Named, Node, SetStatement, With,
    expr, keyword,
};

/// The statements without an end.
pub(crate) mod statement {
    /// A name for a value.
    pub(crate) const SET: &str = "set";
    /// Another file's template.
    pub(crate) const INCLUDE: &str = "include";
}

/// Reads a statement without an end.
pub(crate) fn parse_statement(
    keyword: &str,
    text: &str,
    span: Span,
    head: Span,
) -> Result<JinjaNode, Error> {
    if keyword == statement::INCLUDE {
        let path = expr::include(text, head)?;
        return Ok(JinjaNode::Include(Include { span, path }));
    }
    let (targets, value) = expr::set(text, head)?;
    Ok(JinjaNode::Set(SetStatement {
        span,
        targets,
        value,
        body: None,
    }))
}

/// The opening tag of a block that has no `else`, after the expressions in it have been parsed.
pub enum BlockHead {
    /// The name, and the filters of the text.
    Set(Spanned<String>, Expr),
    /// The names with their values.
    With(Vec<Named>),
    /// The name and the parameters.
    Macro(Spanned<String>, Vec<MacroParam>),
    /// The filters.
    Filter(Expr),
}

impl BlockHead {
    /// Reads the words after the keyword.
    pub(crate) fn parse(keyword: Keyword, text: &str, head: Span) -> Result<BlockHead, Error> {
        match keyword {
            keyword::SET => expr::set_head(text, head),
            keyword::WITH => expr::with_head(text, head),
            keyword::MACRO => expr::macro_head(text, head),
            keyword::FILTER => expr::filter_head(text, head),
            other => Err(problem::unknown_tag(other.name, other.example).at(head)),
        }
    }

    pub(crate) fn into_node(self, span: Span, body: Vec<Node>) -> JinjaNode {
        match self {
            BlockHead::Set(target, value) => JinjaNode::Set(SetStatement {
                span,
                targets: vec![target],
                value,
                body: Some(body),
            }),
            BlockHead::With(bindings) => JinjaNode::With(With {
                span,
                bindings,
                body,
            }),
            BlockHead::Macro(name, params) => JinjaNode::Macro(Macro {
                span,
                name,
                params,
                body,
            }),
            BlockHead::Filter(value) => JinjaNode::Filter(FilterBlock { span, value, body }),
        }
    }
}
