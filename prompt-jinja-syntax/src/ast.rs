//! Nodes and expressions of the Jinja dialect.

use prompt_base::Span;
use prompt_syntax::analysis::{BoundName, NameResolver};
use prompt_syntax::{LanguageExpr, LanguageNode, Spanned, equal_without_span};

use crate::Jinja;

/// A template that may be of the Jinja dialect.
pub type Template = prompt_syntax::Template<Jinja>;
/// The result of parsing such a template.
pub type ParsedTemplate = prompt_syntax::ParsedTemplate<Jinja>;
/// A node of such a template.
pub type Node = prompt_syntax::Node<Jinja>;
/// An expression of such a template.
pub type Expr = prompt_syntax::Expr<Jinja>;
/// A slot of such a template.
pub type Slot = prompt_syntax::Slot<Jinja>;
/// A condition of such a template.
pub type If = prompt_syntax::If<Jinja>;
/// A loop of such a template.
pub type For = prompt_syntax::For<Jinja>;
/// A value of such a template through a filter.
pub type Filter = prompt_syntax::Filter<Jinja>;
/// An argument with a name, in such a template.
pub type Named = prompt_syntax::Named<Jinja>;
/// A chain of comparisons in such a template.
pub type Compare = prompt_syntax::Compare<Jinja>;

/// A node that only the Jinja dialect has.
///
/// ```
/// use prompt_jinja_syntax::{JinjaNode, Node, parse};
/// use prompt_syntax::Dialect;
///
/// let parsed = parse("{% set a = b %}{{ a }}", Dialect::Jinja.into());
/// assert!(matches!(parsed.template.nodes[0], Node::Other(JinjaNode::Set(_))));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum JinjaNode {
    /// A name for a value, or for the text of a block.
    Set(SetStatement),
    /// Names that hold within a block.
    With(With),
    /// A piece of the template with parameters.
    Macro(Macro),
    /// Another file's template, in place.
    Include(Include),
    /// The text of a block, through filters.
    Filter(FilterBlock),
}

impl LanguageNode<Jinja> for JinjaNode {
    fn span(&self) -> Span {
        match self {
            JinjaNode::Set(set) => set.span,
            JinjaNode::With(block) => block.span,
            JinjaNode::Macro(block) => block.span,
            JinjaNode::Include(include) => include.span,
            JinjaNode::Filter(block) => block.span,
        }
    }

    fn each_body<'a>(&'a self, see: &mut dyn FnMut(&'a [Node])) {
        match self {
            JinjaNode::Set(set) => see(set.body.as_deref().unwrap_or_default()),
            JinjaNode::With(block) => see(&block.body),
            JinjaNode::Macro(block) => see(&block.body),
            JinjaNode::Filter(block) => see(&block.body),
            JinjaNode::Include(_) => {}
        }
    }

    fn each_expr<'a>(&'a self, see: &mut dyn FnMut(&'a Expr)) {
        match self {
            JinjaNode::Set(set) => see(&set.value),
            JinjaNode::With(block) => block
                .bindings
                .iter()
                .for_each(|binding| see(&binding.value)),
            JinjaNode::Macro(block) => {
                let params = block.params.iter();
                params
                    .filter_map(|param| param.default.as_ref())
                    .for_each(see);
            }
            JinjaNode::Filter(block) => see(&block.value),
            JinjaNode::Include(_) => {}
        }
    }

    fn assigned_names(&self) -> &[Spanned<String>] {
        match self {
            JinjaNode::Set(set) => &set.targets,
            _ => &[],
        }
    }

    fn is_prelude(&self) -> bool {
        matches!(self, JinjaNode::Set(_) | JinjaNode::Macro(_))
    }

    fn resolve_names(&mut self, resolver: &mut NameResolver<'_>) {
        match self {
            JinjaNode::Set(set) => {
                resolver.record_other(&set.value);
                resolver.resolve_optional_block(&mut set.body);
                for target in &set.targets {
                    resolver.scopes.bind_in_block(BoundName::new(target));
                }
            }
            JinjaNode::With(block) => {
                for binding in &block.bindings {
                    resolver.record_other(&binding.value);
                }
                resolver.scopes.open_block(Vec::new());
                for binding in &block.bindings {
                    resolver.scopes.bind_name(BoundName::new(&binding.name));
                }
                resolver.resolve_nodes(&mut block.body);
                resolver.scopes.close_scope();
            }
            JinjaNode::Macro(block) => {
                resolver
                    .scopes
                    .bind_in_block(BoundName::not_a_value(&block.name.value));
                resolver.scopes.open_block(Vec::new());
                for param in &block.params {
                    param
                        .default
                        .iter()
                        .for_each(|default| resolver.record_other(default));
                    resolver.scopes.bind_name(BoundName::new(&param.name));
                }
                resolver.resolve_nodes(&mut block.body);
                resolver.scopes.close_scope();
            }
            JinjaNode::Filter(block) => {
                resolver.record_other(&block.value);
                resolver.resolve_block(&mut block.body);
            }
            JinjaNode::Include(_) => {}
        }
    }
}

/// An expression that only the Jinja dialect has.
///
/// ```
/// use prompt_jinja_syntax::{Expr, JinjaExpr, Node, parse};
/// use prompt_syntax::Dialect;
///
/// let parsed = parse("{{ a ~ b }}", Dialect::Jinja.into());
/// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
/// assert!(matches!(slot.expr, Expr::Other(JinjaExpr::Concat(_))));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum JinjaExpr {
    /// `-a`.
    Neg(Box<Spanned<Expr>>),
    /// Two numbers, texts or lists into one: `a + b`.
    Binary(Box<Binary>),
    /// Texts one after the other: `a ~ b ~ c`.
    Concat(Spanned<Vec<Expr>>),
    /// A test of a value: `a is none`.
    Test(Box<TestExpr>),
    /// One value or another: `a if b else c`.
    If(Box<Conditional>),
    /// An attribute of an expression that is not a path: `items[0].name`.
    Attribute(Box<Attribute>),
    /// One item: `a[0]`, `a["key"]`.
    Index(Box<Index>),
    /// Some items: `a[1:3]`.
    Slice(Box<Slice>),
    /// A macro, a function or a method: `card(a)`, `range(3)`, `a.items()`.
    Call(Box<CallExpr>),
    /// `[a, b]`
    List(Spanned<Vec<Expr>>),
    /// `(a, b)`, or without parentheses where a tag takes several values.
    Tuple(Spanned<Vec<Expr>>),
    /// `{"key": a}`
    Dict(Spanned<Vec<(Expr, Expr)>>),
    /// The text of the block to which a filter or a `set` applies: the part of its tag that names the filters.
    Body(Spanned<()>),
}

impl LanguageExpr<Jinja> for JinjaExpr {
    fn span(&self) -> Span {
        match self {
            JinjaExpr::Neg(inner) => inner.span,
            JinjaExpr::Binary(binary) => binary.span,
            JinjaExpr::Test(test) => test.span,
            JinjaExpr::If(conditional) => conditional.span,
            JinjaExpr::Attribute(attribute) => attribute.span,
            JinjaExpr::Index(index) => index.span,
            JinjaExpr::Slice(slice) => slice.span,
            JinjaExpr::Call(call) => call.span,
            JinjaExpr::Concat(items) | JinjaExpr::List(items) | JinjaExpr::Tuple(items) => {
                items.span
            }
            JinjaExpr::Dict(entries) => entries.span,
            JinjaExpr::Body(body) => body.span,
        }
    }

    fn each_operand<'a>(&'a self, see: &mut dyn FnMut(&'a Expr)) {
        match self {
            JinjaExpr::Body(_) => {}
            JinjaExpr::Neg(inner) => see(&inner.value),
            JinjaExpr::Binary(binary) => {
                see(&binary.left);
                see(&binary.right);
            }
            JinjaExpr::Concat(items) | JinjaExpr::List(items) | JinjaExpr::Tuple(items) => {
                items.value.iter().for_each(&mut *see);
            }
            JinjaExpr::Test(test) => {
                see(&test.value);
                test.args.iter().for_each(&mut *see);
            }
            JinjaExpr::If(conditional) => {
                see(&conditional.value);
                see(&conditional.condition);
                conditional.otherwise.iter().for_each(&mut *see);
            }
            JinjaExpr::Attribute(attribute) => see(&attribute.value),
            JinjaExpr::Index(index) => {
                see(&index.value);
                see(&index.index);
            }
            JinjaExpr::Slice(slice) => {
                see(&slice.value);
                let parts = [&slice.start, &slice.stop, &slice.step];
                parts.into_iter().flatten().for_each(&mut *see);
            }
            JinjaExpr::Call(call) => {
                call.receiver.iter().for_each(&mut *see);
                call.args.iter().for_each(&mut *see);
                call.named.iter().for_each(|named| see(&named.value));
            }
            JinjaExpr::Dict(items) => {
                for (key, value) in &items.value {
                    see(key);
                    see(value);
                }
            }
        }
    }

    fn found_value(&self, holds: bool) -> Option<&Expr> {
        let JinjaExpr::Test(test) = self else {
            return None;
        };
        let is_found = match test.name.as_str() {
            "defined" => holds != test.negated,
            "none" | "undefined" => holds == test.negated,
            _ => holds && !test.negated,
        };
        is_found.then_some(&test.value)
    }
}

/// Two values into one: `a + b`.
///
/// ```
/// use prompt_jinja_syntax::{Expr, JinjaExpr, Node, parse};
/// use prompt_syntax::Dialect;
///
/// let parsed = parse("{{ a * b + c }}", Dialect::Jinja.into());
/// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
/// let Expr::Other(JinjaExpr::Binary(sum)) = &slot.expr else { panic!("no such expression") };
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
/// assert_eq!(prompt_jinja_syntax::BinaryOp::FloorDiv.sign(), "//");
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
/// use prompt_jinja_syntax::{Expr, JinjaExpr, Node, parse};
/// use prompt_syntax::Dialect;
///
/// let parsed = parse("{{ a is not none }}", Dialect::Jinja.into());
/// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
/// let Expr::Other(JinjaExpr::Test(test)) = &slot.expr else { panic!("no such expression") };
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
/// use prompt_jinja_syntax::{Expr, JinjaExpr, Node, parse};
/// use prompt_syntax::Dialect;
///
/// let parsed = parse("{{ a if b }}", Dialect::Jinja.into());
/// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
/// let Expr::Other(JinjaExpr::If(either)) = &slot.expr else { panic!("no such expression") };
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
/// use prompt_jinja_syntax::{Expr, JinjaExpr, Node, parse};
/// use prompt_syntax::Dialect;
///
/// let parsed = parse("{{ items[0].name }}", Dialect::Jinja.into());
/// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
/// let Expr::Other(JinjaExpr::Attribute(part)) = &slot.expr else { panic!("no such expression") };
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
/// use prompt_jinja_syntax::{Expr, JinjaExpr, Node, parse};
/// use prompt_syntax::Dialect;
///
/// let parsed = parse("{{ items[0] }}", Dialect::Jinja.into());
/// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
/// let Expr::Other(JinjaExpr::Index(index)) = &slot.expr else { panic!("no such expression") };
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
/// use prompt_jinja_syntax::{Expr, JinjaExpr, Node, parse};
/// use prompt_syntax::Dialect;
///
/// let parsed = parse("{{ items[1:] }}", Dialect::Jinja.into());
/// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
/// let Expr::Other(JinjaExpr::Slice(slice)) = &slot.expr else { panic!("no such expression") };
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
/// use prompt_jinja_syntax::{Expr, JinjaExpr, Node, parse};
/// use prompt_syntax::Dialect;
///
/// let parsed = parse("{{ map.items() }}", Dialect::Jinja.into());
/// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
/// let Expr::Other(JinjaExpr::Call(call)) = &slot.expr else { panic!("no such expression") };
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
/// use prompt_jinja_syntax::{JinjaNode, Node, parse};
/// use prompt_syntax::Dialect;
///
/// let parsed = parse("{% set a, b = pair %}", Dialect::Jinja.into());
/// let Node::Other(JinjaNode::Set(node)) = &parsed.template.nodes[0] else { panic!("no such node") };
/// assert_eq!((node.targets.len(), node.body.is_some()), (2, false));
/// ```
#[derive(Clone, Debug)]
pub struct SetStatement {
    /// The tag, or the whole block.
    pub span: Span,
    /// The name; several where the value is destructured.
    pub targets: Vec<Spanned<String>>,
    /// The value. With a body it is [`JinjaExpr::Body`], or that through filters.
    pub value: Expr,
    /// The content between the tags of a block.
    pub body: Option<Vec<Node>>,
}

/// Names that hold within a block: `{% with a = b, c = d %}…{% endwith %}`.
///
/// ```
/// use prompt_jinja_syntax::{JinjaNode, Node, parse};
/// use prompt_syntax::Dialect;
///
/// let parsed = parse("{% with a = 1, b = 2 %}{{ a }}{% endwith %}", Dialect::Jinja.into());
/// let Node::Other(JinjaNode::With(node)) = &parsed.template.nodes[0] else { panic!("no such node") };
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
/// use prompt_jinja_syntax::{JinjaNode, Node, parse};
/// use prompt_syntax::Dialect;
///
/// let parsed = parse("{% macro card(title, wide=false) %}{{ title }}{% endmacro %}", Dialect::Jinja.into());
/// let Node::Other(JinjaNode::Macro(node)) = &parsed.template.nodes[0] else { panic!("no such node") };
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
/// use prompt_jinja_syntax::{JinjaNode, Node, parse};
/// use prompt_syntax::Dialect;
///
/// let parsed = parse("{% macro card(title, wide=false) %}{{ title }}{% endmacro %}", Dialect::Jinja.into());
/// let Node::Other(JinjaNode::Macro(node)) = &parsed.template.nodes[0] else { panic!("no such node") };
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
/// use prompt_jinja_syntax::{JinjaNode, Node, parse};
/// use prompt_syntax::Dialect;
///
/// let parsed = parse("{% include 'rules.jinja' %}", Dialect::Jinja.into());
/// let Node::Other(JinjaNode::Include(node)) = &parsed.template.nodes[0] else { panic!("no such node") };
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
/// use prompt_jinja_syntax::{JinjaNode, Node, parse};
/// use prompt_syntax::Dialect;
///
/// let parsed = parse("{% filter upper %}text{% endfilter %}", Dialect::Jinja.into());
/// let Node::Other(JinjaNode::Filter(node)) = &parsed.template.nodes[0] else { panic!("no such node") };
/// assert_eq!(node.body.len(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct FilterBlock {
    /// The whole block.
    pub span: Span,
    /// The filters; what goes into the first is [`JinjaExpr::Body`].
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
