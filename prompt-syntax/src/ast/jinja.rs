//! Nodes and expressions of the Jinja dialect.

use super::{Expr, Named, Node, Spanned};
use prompt_base::Span;

/// Two values into one: `a + b`.
///
/// ```
/// use prompt_syntax::{Dialect, Expr, Node, parse};
///
/// let parsed = parse("{{ a * b + c }}", Dialect::Jinja.into());
/// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
/// let Expr::Binary(sum) = &slot.expr else { panic!("no such expression") };
/// assert_eq!(sum.op.sign(), "+");
/// ```
#[derive(Clone, Debug)]
pub struct Binary {
    /// The sign between them.
    pub op: Spanned<BinaryOp>,
    /// The left operand.
    pub left: Expr,
    /// The right operand.
    pub right: Expr,
    /// From the first value to the second.
    pub span: Span,
}

/// A sign between two values that makes one of them.
///
/// ```
/// assert_eq!(prompt_syntax::BinaryOp::FloorDiv.sign(), "//");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `//`
    FloorDiv,
    /// `%`
    Mod,
    /// `**`
    Pow,
}

impl BinaryOp {
    /// As it is written.
    pub const fn sign(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::FloorDiv => "//",
            BinaryOp::Mod => "%",
            BinaryOp::Pow => "**",
        }
    }
}

/// A test of a value: `a is none`, `n is not divisibleby(3)`.
///
/// ```
/// use prompt_syntax::{Dialect, Expr, Node, parse};
///
/// let parsed = parse("{{ a is not none }}", Dialect::Jinja.into());
/// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
/// let Expr::Test(test) = &slot.expr else { panic!("no such expression") };
/// assert_eq!((test.name.as_str(), test.negated), ("none", true));
/// ```
#[derive(Clone, Debug)]
pub struct TestExpr {
    /// The tested value.
    pub value: Expr,
    /// The test.
    pub name: Spanned<String>,
    /// The arguments after its name.
    pub args: Vec<Expr>,
    /// Whether it was written `is not`.
    pub negated: bool,
    /// From the value to the end of the test.
    pub span: Span,
}

/// One value or another: `a if b else c`.
///
/// ```
/// use prompt_syntax::{Dialect, Expr, Node, parse};
///
/// let parsed = parse("{{ a if b }}", Dialect::Jinja.into());
/// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
/// let Expr::If(either) = &slot.expr else { panic!("no such expression") };
/// assert_eq!(either.otherwise, None);
/// ```
#[derive(Clone, Debug)]
pub struct Conditional {
    /// The value where the condition holds.
    pub value: Expr,
    /// When it is taken.
    pub condition: Expr,
    /// The value where it does not hold; without one, nothing.
    pub otherwise: Option<Expr>,
    /// All of it.
    pub span: Span,
}

/// An attribute of an expression that is not a path: `items[0].name`.
///
/// ```
/// use prompt_syntax::{Dialect, Expr, Node, parse};
///
/// let parsed = parse("{{ items[0].name }}", Dialect::Jinja.into());
/// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
/// let Expr::Attribute(part) = &slot.expr else { panic!("no such expression") };
/// assert_eq!(part.name.as_str(), "name");
/// ```
#[derive(Clone, Debug)]
pub struct Attribute {
    /// The value with the part.
    pub value: Expr,
    /// The part.
    pub name: Spanned<String>,
    /// From the value to the name.
    pub span: Span,
}

/// One item of a list, or the value of a key: `a[0]`, `a["key"]`, `a.0`.
///
/// ```
/// use prompt_syntax::{Dialect, Expr, Node, parse};
///
/// let parsed = parse("{{ items[0] }}", Dialect::Jinja.into());
/// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
/// let Expr::Index(index) = &slot.expr else { panic!("no such expression") };
/// assert!(matches!(index.index, Expr::Literal(_)));
/// ```
#[derive(Clone, Debug)]
pub struct Index {
    /// The value with the item.
    pub value: Expr,
    /// Which one.
    pub index: Expr,
    /// From the value to the bracket.
    pub span: Span,
}

/// Some items of a list, or characters of a string: `a[1:3]`, `a[::-1]`.
///
/// ```
/// use prompt_syntax::{Dialect, Expr, Node, parse};
///
/// let parsed = parse("{{ items[1:] }}", Dialect::Jinja.into());
/// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
/// let Expr::Slice(slice) = &slot.expr else { panic!("no such expression") };
/// assert_eq!((slice.start.is_some(), slice.stop.is_some()), (true, false));
/// ```
#[derive(Clone, Debug)]
pub struct Slice {
    /// The value with the items.
    pub value: Expr,
    /// The first.
    pub start: Option<Expr>,
    /// The one after the last.
    pub stop: Option<Expr>,
    /// The step.
    pub step: Option<Expr>,
    /// From the value to the bracket.
    pub span: Span,
}

/// A macro, a function or a method: `card(a, wide=true)`, `range(3)`, `a.items()`.
///
/// ```
/// use prompt_syntax::{Dialect, Expr, Node, parse};
///
/// let parsed = parse("{{ map.items() }}", Dialect::Jinja.into());
/// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
/// let Expr::Call(call) = &slot.expr else { panic!("no such expression") };
/// assert_eq!((call.name.as_str(), call.receiver.is_some()), ("items", true));
/// ```
#[derive(Clone, Debug)]
pub struct CallExpr {
    /// The receiver of a method, before the dot; `None` for a macro or a function.
    pub receiver: Option<Expr>,
    /// The called function.
    pub name: Spanned<String>,
    /// The arguments.
    pub args: Vec<Expr>,
    /// The named arguments, which follow the others.
    pub named: Vec<Named>,
    /// From the receiver or the name to the closing parenthesis.
    pub span: Span,
}

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
pub struct SetStatement {
    /// The tag, or the whole block.
    pub span: Span,
    /// The name; several where the value is destructured.
    pub targets: Vec<Spanned<String>>,
    /// The value. With a body it is [`Expr::Body`], or that through filters.
    pub value: Expr,
    /// The content between the tags of a block.
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
    /// The content of the block.
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
    /// The name of the parameter.
    pub name: Spanned<String>,
    /// The parameters. Those with a default follow the others.
    pub params: Vec<MacroParam>,
    /// The content, rendered for each call.
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
pub struct MacroParam {
    /// Its name.
    pub name: Spanned<String>,
    /// The default of the parameter.
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
    /// The content of the block.
    pub body: Vec<Node>,
}

equal_without_span! {
    Binary { op, left, right }
    TestExpr { value, name, args, negated }
    Conditional { value, condition, otherwise }
    Attribute { value, name }
    Index { value, index }
    Slice { value, start, stop, step }
    CallExpr { receiver, name, args, named }
    SetStatement { targets, value, body }
    With { bindings, body }
    Macro { name, params, body }
    Include { path }
    FilterBlock { value, body }
}
