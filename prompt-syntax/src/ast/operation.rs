//! Operators, comparisons, tests, indexing and calls of the Jinja dialect.

use super::Expr;
use crate::{Span, Spanned};

/// An argument with a name, as in `sort(attribute="name")`.
///
/// ```
/// use prompt_syntax::{Dialect, Expr, Node, parse};
///
/// let parsed = parse("{{ docs | join(d=', ') }}", Dialect::Jinja.into());
/// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
/// let Expr::Filter(filter) = &slot.expr else { panic!("no such expression") };
/// assert_eq!(filter.named[0].name.as_str(), "d");
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Named {
    /// The name of the parameter.
    pub name: Spanned<String>,
    /// What is given for it.
    pub value: Expr,
}

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
    /// What stands before the sign.
    pub left: Expr,
    /// What stands after it.
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

/// A chain of comparisons, as in Python: `a < b <= c` holds where `a < b` and `b <= c` do.
///
/// ```
/// use prompt_syntax::{Dialect, Expr, Node, parse};
///
/// let parsed = parse("{{ 0 < a <= 9 }}", Dialect::Jinja.into());
/// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
/// let Expr::Compare(compare) = &slot.expr else { panic!("no such expression") };
/// assert_eq!(compare.rest.len(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Compare {
    /// What stands before the first sign.
    pub first: Expr,
    /// Each sign with what stands after it; at least one.
    pub rest: Vec<(Spanned<CompareOp>, Expr)>,
    /// From the first value to the last.
    pub span: Span,
}

/// A sign that compares.
///
/// ```
/// assert_eq!(prompt_syntax::CompareOp::NotIn.sign(), "not in");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CompareOp {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `in`
    In,
    /// `not in`
    NotIn,
}

impl CompareOp {
    /// As it is written.
    pub const fn sign(self) -> &'static str {
        match self {
            CompareOp::Eq => "==",
            CompareOp::Ne => "!=",
            CompareOp::Lt => "<",
            CompareOp::Le => "<=",
            CompareOp::Gt => ">",
            CompareOp::Ge => ">=",
            CompareOp::In => "in",
            CompareOp::NotIn => "not in",
        }
    }
}

/// What a value is: `a is none`, `n is not divisibleby(3)`.
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
pub struct Test {
    /// What is asked about.
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

/// A part of what is no path: `items[0].name`.
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
    /// What has the part.
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
    /// What has the item.
    pub value: Expr,
    /// Which one.
    pub index: Expr,
    /// From the value to the bracket.
    pub span: Span,
}

/// Some items of a list, or characters of a text: `a[1:3]`, `a[::-1]`.
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
    /// What has the items.
    pub value: Expr,
    /// The first.
    pub start: Option<Expr>,
    /// The one after the last.
    pub stop: Option<Expr>,
    /// How far apart.
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
pub struct Call {
    /// What stands before the dot of a method; `None` for a macro or a function.
    pub receiver: Option<Expr>,
    /// What is called.
    pub name: Spanned<String>,
    /// The arguments.
    pub args: Vec<Expr>,
    /// The arguments with a name, which stand after the others.
    pub named: Vec<Named>,
    /// From the receiver or the name to the closing parenthesis.
    pub span: Span,
}

equal_without_span! {
    Binary { op, left, right }
    Compare { first, rest }
    Test { value, name, args, negated }
    Conditional { value, condition, otherwise }
    Attribute { value, name }
    Index { value, index }
    Slice { value, start, stop, step }
    Call { receiver, name, args, named }
}
