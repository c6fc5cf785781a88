//! Statements of the Jinja dialect: `set`, `with`, `macro`, `include` and `filter`.

use super::{Expr, Named, Node};
use crate::{Span, Spanned};

/// A name for a value, `{% set a = b %}`, or for the text of a block, `{% set a %}…{% endset %}`.
///
/// ```
/// use prompt_syntax::{Dialect, Node, parse};
///
/// let parsed = parse("{% set a, b = pair %}", Dialect::Jinja.into());
/// let Node::Set(node) = &parsed.template.nodes[0] else { panic!("no such node") };
/// assert_eq!((node.targets.len(), node.body.is_some()), (2, false));
/// ```
#[derive(Clone, Debug)]
pub struct Set {
    /// The tag, or the whole block.
    pub span: Span,
    /// The name; several where the value is taken apart.
    pub targets: Vec<Spanned<String>>,
    /// The value. With a body it is [`Expr::Body`], or that through filters.
    pub value: Expr,
    /// What stands between the tags of a block.
    pub body: Option<Vec<Node>>,
}

/// Names that hold within a block: `{% with a = b, c = d %}…{% endwith %}`.
///
/// ```
/// use prompt_syntax::{Dialect, Node, parse};
///
/// let parsed = parse("{% with a = 1, b = 2 %}{{ a }}{% endwith %}", Dialect::Jinja.into());
/// let Node::With(node) = &parsed.template.nodes[0] else { panic!("no such node") };
/// assert_eq!((node.bindings.len(), node.body.len()), (2, 1));
/// ```
#[derive(Clone, Debug)]
pub struct With {
    /// The whole block.
    pub span: Span,
    /// The names, each with its value. A value sees the names outside of the block only.
    pub bindings: Vec<Named>,
    /// What stands in the block.
    pub body: Vec<Node>,
}

/// A piece of the template with parameters: `{% macro card(title, wide=false) %}…{% endmacro %}`.
///
/// ```
/// use prompt_syntax::{Dialect, Node, parse};
///
/// let parsed = parse("{% macro card(title, wide=false) %}{{ title }}{% endmacro %}", Dialect::Jinja.into());
/// let Node::Macro(node) = &parsed.template.nodes[0] else { panic!("no such node") };
/// assert_eq!((node.name.as_str(), node.params.len()), ("card", 2));
/// ```
#[derive(Clone, Debug)]
pub struct Macro {
    /// The whole block.
    pub span: Span,
    /// What it is called by.
    pub name: Spanned<String>,
    /// What it takes. Those with a default stand after the others.
    pub params: Vec<Param>,
    /// What stands there for each call.
    pub body: Vec<Node>,
}

/// A parameter of a macro.
///
/// ```
/// use prompt_syntax::{Dialect, Node, parse};
///
/// let parsed = parse("{% macro card(title, wide=false) %}{{ title }}{% endmacro %}", Dialect::Jinja.into());
/// let Node::Macro(node) = &parsed.template.nodes[0] else { panic!("no such node") };
/// assert_eq!(node.params[0].default, None);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Param {
    /// Its name.
    pub name: Spanned<String>,
    /// What it is where a call gives nothing for it.
    pub default: Option<Expr>,
}

/// Another file's template, in place: `{% include "rules.jinja" %}`. Parsing reads no file.
///
/// ```
/// use prompt_syntax::{Dialect, Node, parse};
///
/// let parsed = parse("{% include 'rules.jinja' %}", Dialect::Jinja.into());
/// let Node::Include(node) = &parsed.template.nodes[0] else { panic!("no such node") };
/// assert_eq!(node.path.as_str(), "rules.jinja");
/// ```
#[derive(Clone, Debug)]
pub struct Include {
    /// The tag.
    pub span: Span,
    /// The file, as it was written.
    pub path: Spanned<String>,
}

/// The text of a block, through filters: `{% filter upper %}…{% endfilter %}`.
///
/// ```
/// use prompt_syntax::{Dialect, Node, parse};
///
/// let parsed = parse("{% filter upper %}text{% endfilter %}", Dialect::Jinja.into());
/// let Node::Filter(node) = &parsed.template.nodes[0] else { panic!("no such node") };
/// assert_eq!(node.body.len(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct FilterBlock {
    /// The whole block.
    pub span: Span,
    /// The filters; what goes into the first is [`Expr::Body`].
    pub value: Expr,
    /// What stands in the block.
    pub body: Vec<Node>,
}

equal_without_span! {
    Set { targets, value, body }
    With { bindings, body }
    Macro { name, params, body }
    Include { path }
    FilterBlock { value, body }
}
