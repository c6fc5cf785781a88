//! The opening tags of blocks, after the expressions in them have been parsed.

#[cfg(feature = "jinja")]
use prompt_base::Span;

use crate::{Expr, Spanned};
#[cfg(feature = "jinja")]
use crate::{FilterBlock, Macro, MacroParam, Named, Node, SetStatement, With};

/// The items of a loop.
pub(crate) struct LoopHead {
    pub(crate) targets: Vec<Spanned<String>>,
    pub(crate) list: Expr,
    pub(crate) condition: Option<Expr>,
}

/// The opening tag of a block that has no `else`.
#[cfg(feature = "jinja")]
pub(crate) enum BlockHead {
    Set(Spanned<String>, Expr),
    With(Vec<Named>),
    Macro(Spanned<String>, Vec<MacroParam>),
    Filter(Expr),
}

#[cfg(feature = "jinja")]
impl BlockHead {
    pub(crate) fn into_node(self, span: Span, body: Vec<Node>) -> Node {
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
