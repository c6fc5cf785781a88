//! The syntax tree of a template: text, slots, blocks, roles and expressions, each with its span.

mod walk;

use std::hash::{Hash, Hasher};
use std::ops::Deref;

use prompt_base::Span;

use crate::language::{Language, LanguageExpr as _, LanguageNode as _, Plain};

/// A value, and where it was written. Two of them are equal when their values are.
///
/// ```
/// use prompt_base::Span;
/// use prompt_syntax::Spanned;
///
/// let a = Spanned::new("name", Span::new(1, 5));
/// assert_eq!(a, Spanned::new("name", Span::new(7, 11)));
/// assert_eq!(a.len(), 4);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it was written.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// A value at its position.
    pub fn new(value: T, span: Span) -> Spanned<T> {
        Spanned { value, span }
    }
}

impl<T> Deref for Spanned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

// Two trees are equal if their content is; spans are not compared.
impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Spanned<T>) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Spanned<T> {}

impl<T: Hash> Hash for Spanned<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value.hash(state);
    }
}

/// A template: text with slots and blocks. Two templates are equal if their content is equal; spans are not compared.
///
/// ```
/// use prompt_syntax::{Dialect, Node, Options, parse};
///
/// let parsed = parse("Hello <name>!", Options::message(Dialect::Angle));
/// assert!(matches!(&parsed.template.nodes[..], [Node::Text(_), Node::Slot(_), Node::Text(_)]));
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Template<L: Language = Plain> {
    /// The nodes, in order. Their spans cover the whole text, except for Jinja's comments and white space control.
    pub nodes: Vec<Node<L>>,
}

/// A node of a template. Spans are not compared, not even those of errors.
///
/// ```
/// use prompt_base::Span;
/// use prompt_syntax::{Node, Options, parse};
///
/// let parsed = parse("Hi <name>", Options::default());
/// assert_eq!(parsed.template.nodes[1].span(), Span::new(3, 9));
/// assert!(matches!(parsed.template.nodes[1], Node::Slot(_)));
/// ```
#[derive(Clone, Debug)]
pub enum Node<L: Language = Plain> {
    /// Words that stay as they are.
    Text(Text),
    /// A place for a value.
    Slot(Slot<L>),
    /// A condition.
    If(If<L>),
    /// A loop.
    For(For<L>),
    /// The text of one role.
    Role(RoleBlock<L>),
    /// A node that only this language has.
    Other(L::Node),
    /// Something that could not be read; the error is among [`ParsedTemplate::errors`](crate::ParsedTemplate::errors).
    Error(Span),
}

/// Words of the template.
///
/// ```
/// use prompt_syntax::{Node, Options, parse};
///
/// let parsed = parse(r"\<b> is bold", Options::default());
/// let Node::Text(text) = &parsed.template.nodes[0] else { panic!("no text") };
/// assert_eq!((text.text.as_str(), text.span.end), ("<b> is bold", 12));
/// ```
#[derive(Clone, Debug)]
pub struct Text {
    /// The bytes that it was written with.
    pub span: Span,
    /// The text without escapes.
    pub text: String,
}

/// A place for a value.
///
/// ```
/// use prompt_syntax::{Expr, Node, Options, parse};
///
/// let parsed = parse("<docs | join(', ')>", Options::default());
/// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
/// assert!(matches!(slot.expr, Expr::Filter(_)));
/// ```
#[derive(Clone, Debug)]
pub struct Slot<L: Language = Plain> {
    /// The whole slot, with its delimiters.
    pub span: Span,
    /// The expression that fills the slot.
    pub expr: Expr<L>,
}

/// A condition with its branches.
///
/// ```
/// use prompt_syntax::{Node, Options, parse};
///
/// let parsed = parse("<if a>1<else if b>2<else>3</if>", Options::default());
/// let Node::If(block) = &parsed.template.nodes[0] else { panic!("no condition") };
/// assert_eq!((block.branches.len(), block.otherwise.is_some()), (2, true));
/// ```
#[derive(Clone, Debug)]
pub struct If<L: Language = Plain> {
    /// The whole block.
    pub span: Span,
    /// The branches in order; the first whose condition holds is taken.
    pub branches: Vec<Branch<L>>,
    /// The content if all conditions are false.
    pub otherwise: Option<Vec<Node<L>>>,
}

/// One branch of a condition.
///
/// ```
/// use prompt_syntax::{Expr, Node, Options, parse};
///
/// let parsed = parse("<if not a>1</if>", Options::default());
/// let Node::If(block) = &parsed.template.nodes[0] else { panic!("no condition") };
/// assert!(matches!(block.branches[0].condition, Expr::Not(_)));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Branch<L: Language = Plain> {
    /// When it is taken.
    pub condition: Expr<L>,
    /// The content if the condition is true.
    pub body: Vec<Node<L>>,
}

/// A loop over the items of a list.
///
/// ```
/// use prompt_syntax::{Node, Options, parse};
///
/// let parsed = parse("<for p in passages>- <p></for>", Options::default());
/// let Node::For(block) = &parsed.template.nodes[0] else { panic!("no loop") };
/// assert_eq!((block.targets[0].as_str(), block.body.len()), ("p", 2));
/// ```
#[derive(Clone, Debug)]
pub struct For<L: Language = Plain> {
    /// The whole block.
    pub span: Span,
    /// The name of one item; several where an item is destructured, as in `for key, value in …`.
    pub targets: Vec<Spanned<String>>,
    /// The list.
    pub list: Expr<L>,
    /// Which items are taken: all for which it holds.
    pub condition: Option<Expr<L>>,
    /// The content, rendered once for each item.
    pub body: Vec<Node<L>>,
    /// The content if the list is empty.
    pub otherwise: Option<Vec<Node<L>>>,
}

/// The text of one role, in a file or a one-literal template.
///
/// ```
/// use prompt_syntax::{Dialect, Node, Options, Role, parse};
///
/// let parsed = parse("<user>Hi</user>", Options::document(Dialect::Angle));
/// let Node::Role(block) = &parsed.template.nodes[0] else { panic!("no role") };
/// assert_eq!(*block.role, Role::User);
/// ```
#[derive(Clone, Debug)]
pub struct RoleBlock<L: Language = Plain> {
    /// The whole block.
    pub span: Span,
    /// The role.
    pub role: Spanned<Role>,
    /// The content.
    pub body: Vec<Node<L>>,
}

/// The role of a role block.
///
/// ```
/// use prompt_syntax::Role;
///
/// assert_eq!(Role::from_name("system"), Some(Role::System));
/// assert_eq!(Role::System.name(), "system");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// The instructions.
    System,
    /// The one who asks.
    User,
    /// The model.
    Assistant,
}

impl Role {
    /// All roles.
    pub const ALL: [Role; 3] = [Role::System, Role::User, Role::Assistant];

    /// The name that a template uses.
    pub const fn name(self) -> &'static str {
        match self {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
        }
    }

    /// The role of that name.
    pub fn from_name(name: &str) -> Option<Role> {
        Role::from_any_case(name).filter(|role| role.name() == name)
    }

    /// The role of that name in lowercase or uppercase.
    pub fn from_any_case(name: &str) -> Option<Role> {
        let mut roles = Role::ALL.iter().copied();
        roles.find(|role| role.name().eq_ignore_ascii_case(name))
    }

    /// The same with OpenAI's other name of the system role, `developer`.
    pub(crate) fn from_any_api(name: &str) -> Option<Role> {
        let is_developer = name.eq_ignore_ascii_case("developer");
        Role::from_any_case(name).or(is_developer.then_some(Role::System))
    }

    /// The same with LangChain's other names, `human` and `ai`.
    pub(crate) fn from_any_library(name: &str) -> Option<Role> {
        Role::from_any_api(name).or(match name {
            "human" => Some(Role::User),
            "ai" => Some(Role::Assistant),
            _ => None,
        })
    }
}

equal_without_span! {
    Text { text }
    <L> Slot { expr }
    <L> If { branches, otherwise }
    <L> For { targets, list, condition, body, otherwise }
    <L> RoleBlock { role, body }
}

impl<L: Language> PartialEq for Node<L> {
    fn eq(&self, other: &Node<L>) -> bool {
        match (self, other) {
            (Node::Text(a), Node::Text(b)) => a == b,
            (Node::Slot(a), Node::Slot(b)) => a == b,
            (Node::If(a), Node::If(b)) => a == b,
            (Node::For(a), Node::For(b)) => a == b,
            (Node::Role(a), Node::Role(b)) => a == b,
            (Node::Other(a), Node::Other(b)) => a == b,
            (a, b) => matches!((a, b), (Node::Error(_), Node::Error(_))),
        }
    }
}

impl<L: Language> Node<L> {
    /// Where it was written.
    pub fn span(&self) -> Span {
        match self {
            Node::Text(text) => text.span,
            Node::Slot(slot) => slot.span,
            Node::If(block) => block.span,
            Node::For(block) => block.span,
            Node::Role(block) => block.span,
            Node::Other(node) => node.span(),
            Node::Error(span) => *span,
        }
    }
}

/// The expression of a slot or condition.
///
/// ```
/// use prompt_base::Span;
/// use prompt_syntax::{Expr, Node, Options, parse};
///
/// let parsed = parse("<context ?? 'none'>", Options::default());
/// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
/// assert!(matches!(slot.expr, Expr::Default(_)));
/// assert_eq!(slot.expr.span(), Span::new(1, 18));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Expr<L: Language = Plain> {
    /// A field, or a field of a field.
    Path(Path),
    /// A value written out.
    Literal(Spanned<Literal>),
    /// A value through a filter: `docs | join(", ")`.
    Filter(Box<Filter<L>>),
    /// A value, or another one where there is none: `context ?? "none"`.
    Default(Box<Coalesce<L>>),
    /// `not a`.
    Not(Box<Spanned<Expr<L>>>),
    /// `a and b`.
    And(Box<(Expr<L>, Expr<L>)>),
    /// `a or b`.
    Or(Box<(Expr<L>, Expr<L>)>),
    /// A chain of comparisons: `a < b <= c`, `a in b`.
    Compare(Box<Compare<L>>),
    /// An expression that only this language has.
    Other(L::Expr),
}

impl<L: Language> Expr<L> {
    /// Where it was written.
    pub fn span(&self) -> Span {
        match self {
            Expr::Path(path) => path.span,
            Expr::Literal(literal) => literal.span,
            Expr::Filter(filter) => filter.span,
            Expr::Default(coalesce) => coalesce.value.span().to(coalesce.default.span()),
            Expr::Not(inner) => inner.span,
            Expr::And(sides) | Expr::Or(sides) => sides.0.span().to(sides.1.span()),
            Expr::Compare(compare) => compare.span,
            Expr::Other(expr) => expr.span(),
        }
    }
}

/// A field, or a field of a field.
///
/// ```
/// use prompt_syntax::{Expr, Node, Options, parse};
///
/// let parsed = parse("<input:user.name>", Options::default());
/// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
/// let Expr::Path(path) = &slot.expr else { panic!("no path") };
/// assert_eq!((path.dotted().as_str(), path.input), ("user.name", true));
/// ```
#[derive(Clone, Debug)]
pub struct Path {
    /// The words, without delimiters and without `input:`.
    pub span: Span,
    /// The names, in order.
    pub segments: Vec<Spanned<String>>,
    /// Whether it was written `input:name`.
    pub input: bool,
}

impl Path {
    /// The names joined by dots, as they were written.
    pub fn dotted(&self) -> String {
        match &self.segments[..] {
            [name] => name.value.clone(),
            _ => self.names().join("."),
        }
    }

    /// The names, in order.
    pub fn names(&self) -> Vec<&str> {
        self.segments.iter().map(|name| name.as_str()).collect()
    }
}

/// A value written out in a template.
///
/// ```
/// use prompt_syntax::{Expr, Literal, Node, Options, parse};
///
/// let parsed = parse("<n ?? -1.5>", Options::default());
/// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
/// let Expr::Default(both) = &slot.expr else { panic!("no default") };
/// assert!(matches!(&both.default, Expr::Literal(literal) if **literal == Literal::Float(-1.5)));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Literal {
    /// A text.
    Str(String),
    /// A whole number.
    Int(i64),
    /// A number with a fraction.
    Float(f64),
    /// `true` or `false`.
    Bool(bool),
    /// `none`.
    None,
}

/// A value through a filter.
///
/// ```
/// use prompt_syntax::{Expr, Node, Options, parse};
///
/// let parsed = parse("<docs | crate::text::shout(3)>", Options::default());
/// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
/// let Expr::Filter(filter) = &slot.expr else { panic!("no filter") };
/// assert_eq!((filter.name.join("::").as_str(), filter.args.len()), ("crate::text::shout", 1));
/// ```
#[derive(Clone, Debug)]
pub struct Filter<L: Language = Plain> {
    /// The input of the filter.
    pub value: Expr<L>,
    /// The filter: one word, or the segments of a Rust path.
    pub name: Spanned<Vec<String>>,
    /// The arguments between its parentheses.
    pub args: Vec<Expr<L>>,
    /// The named arguments, which follow the others: `attribute="name"`.
    pub named: Vec<Named<L>>,
    /// From the value to the end of the filter.
    pub span: Span,
}

/// A value, or another one where there is none.
///
/// ```
/// use prompt_syntax::{Expr, Node, Options, parse};
///
/// let parsed = parse("<nick ?? name>", Options::default());
/// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
/// let Expr::Default(both) = &slot.expr else { panic!("no default") };
/// assert!(matches!(&both.default, Expr::Path(path) if path.dotted() == "name"));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Coalesce<L: Language = Plain> {
    /// The value that may be `None`.
    pub value: Expr<L>,
    /// The default value.
    pub default: Expr<L>,
}

equal_without_span! {
    // `input:` is a way to write a name, and the name means the same without it.
    Path { segments; input }
    <L> Filter { value, name, args, named }
}

/// An argument with a name, as in `sort(attribute="name")`.
///
/// ```
/// use prompt_base::Span;
/// use prompt_syntax::{Expr, Literal, Named, Spanned};
///
/// let at = Span::new(0, 0);
/// let value: Expr = Expr::Literal(Spanned::new(Literal::Str(", ".to_owned()), at));
/// let named = Named { name: Spanned::new("d".to_owned(), at), value };
/// assert_eq!(named.name.as_str(), "d");
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Named<L: Language = Plain> {
    /// The name of the parameter.
    pub name: Spanned<String>,
    /// The value of the argument.
    pub value: Expr<L>,
}

/// A chain of comparisons, as in Python: `a < b <= c` holds where `a < b` and `b <= c` do.
///
/// ```
/// use prompt_syntax::{Expr, Node, Options, parse};
///
/// let parsed = parse("<if 0 < a <= 9>few</if>", Options::default());
/// let Node::If(block) = &parsed.template.nodes[0] else { panic!("no condition") };
/// let Expr::Compare(compare) = &block.branches[0].condition else { panic!("no comparison") };
/// assert_eq!(compare.rest.len(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Compare<L: Language = Plain> {
    /// The first operand.
    pub first: Expr<L>,
    /// Each operator with its right operand; at least one.
    pub rest: Vec<(Spanned<CompareOp>, Expr<L>)>,
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
    /// The operator with its operands exchanged: `a < b` is `b > a`.
    ///
    /// ```
    /// use prompt_syntax::CompareOp;
    ///
    /// assert_eq!(CompareOp::Le.mirrored(), CompareOp::Ge);
    /// assert_eq!(CompareOp::Eq.mirrored(), CompareOp::Eq);
    /// ```
    #[must_use]
    pub const fn mirrored(self) -> CompareOp {
        match self {
            CompareOp::Lt => CompareOp::Gt,
            CompareOp::Le => CompareOp::Ge,
            CompareOp::Gt => CompareOp::Lt,
            CompareOp::Ge => CompareOp::Le,
            other => other,
        }
    }

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

equal_without_span! { <L> Compare { first, rest } }
