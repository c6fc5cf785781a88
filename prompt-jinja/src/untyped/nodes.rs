//! The nodes of a template.

use std::sync::Arc;

use super::fault::Span;
use super::registry::Builtin;
use crate::builtin::arith::Arith;

/// A name of the template, as its number in the list of names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Symbol(pub(super) u32);

#[derive(Debug)]
pub(super) struct Expr {
    pub(super) kind: ExprKind,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum Const {
    None,
    Bool(bool),
    Int(i64),
    /// The digits of a larger integer.
    Big(Arc<str>),
    Float(f64),
    Str(Arc<str>),
}

#[derive(Debug)]
pub(super) enum ExprKind {
    Const(Const),
    Name(Symbol),
    List(Vec<Expr>),
    Tuple(Vec<Expr>),
    Dict(Vec<(Expr, Expr)>),
    Not(Box<Expr>),
    Neg(Box<Expr>),
    Pos(Box<Expr>),
    And(Vec<Expr>),
    Or(Vec<Expr>),
    /// An operand and those that are added, subtracted, multiplied, … to it in order.
    Arith(Box<Expr>, Vec<(Arith, Expr)>),
    Concat(Vec<Expr>),
    Compare(Box<Expr>, Vec<(Compare, Expr)>),
    Condition(Box<ConditionExpr>),
    Attribute(Box<Expr>, Arc<str>),
    Item(Box<Expr>, Box<Expr>),
    Slice(Box<Expr>, [Option<Box<Expr>>; 3]),
    Call(Box<Expr>, Arguments),
    /// The value is missing in a filter block.
    Filter(Option<Box<Expr>>, Named, Arguments),
    Test(Box<Expr>, Named, Arguments),
}

#[derive(Debug)]
pub(super) struct ConditionExpr {
    pub(super) test: Expr,
    pub(super) then: Expr,
    pub(super) otherwise: Option<Expr>,
}

/// A filter or a test by name. A name that is not known is an error where it is used.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) name: Arc<str>,
    pub(super) builtin: Option<&'static Builtin>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    In,
    NotIn,
}

#[derive(Debug, Default)]
pub(super) struct Arguments {
    pub(super) positional: Vec<Expr>,
    pub(super) named: Vec<(Arc<str>, Expr)>,
    /// `*args`.
    pub(super) rest: Option<Box<Expr>>,
    /// `**kwargs`.
    pub(super) rest_named: Option<Box<Expr>>,
}

/// What is assigned to.
#[derive(Debug)]
pub(super) enum Target {
    Name(Symbol),
    /// An attribute of a namespace.
    Attribute(Symbol, Arc<str>, Span),
    Tuple(Vec<Target>, Span),
}

#[derive(Debug)]
pub(super) struct MacroNode {
    pub(super) name: Arc<str>,
    pub(super) parameters: Vec<(Symbol, Arc<str>, Option<Expr>)>,
    pub(super) body: Vec<Node>,
    /// Whether its body reads `varargs`, `kwargs` and `caller`.
    pub(super) reads_varargs: bool,
    pub(super) reads_kwargs: bool,
    pub(super) reads_caller: bool,
}

#[derive(Debug)]
pub(super) struct ForNode {
    pub(super) target: Target,
    pub(super) items: Expr,
    pub(super) filter: Option<Expr>,
    pub(super) body: Vec<Node>,
    pub(super) otherwise: Vec<Node>,
    pub(super) is_recursive: bool,
    /// Whether the body reads `loop`.
    pub(super) reads_loop: bool,
}

#[derive(Debug)]
pub(super) enum Node {
    Text(Arc<str>, Span),
    Print(Expr),
    PrintAll(Vec<Expr>),
    If(Vec<(Expr, Vec<Node>)>, Vec<Node>),
    For(Arc<ForNode>),
    Set(Target, Expr),
    SetBlock(Target, Option<Expr>, Vec<Node>, Span),
    With(Vec<(Target, Expr)>, Vec<Node>),
    Macro(Symbol, Arc<MacroNode>),
    /// A call with a body.
    Call(Expr, Arc<MacroNode>),
    FilterBlock(Expr, Vec<Node>),
    Autoescape(Expr, Vec<Node>),
    /// A named block: a scope.
    Block(Vec<Node>),
    Generation(Vec<Node>),
    Break,
    Continue,
    /// Asks for another file, which is an error where it runs.
    File(Span),
}
