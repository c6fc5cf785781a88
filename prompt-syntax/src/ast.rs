use crate::{Span, Spanned};

/// A template: text with slots and blocks in it. Two of them are equal when they say the same, wherever it stands.
///
/// ```
/// use prompt_syntax::{Dialect, Node, Options, parse};
///
/// let parsed = parse("Hello <name>!", Options::message(Dialect::Angle));
/// assert!(matches!(&parsed.template.nodes[..], [Node::Text(_), Node::Slot(_), Node::Text(_)]));
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Template {
    /// What it consists of, in order. Their spans cover the whole text, without gaps.
    pub nodes: Vec<Node>,
}

/// A piece of a template.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Node {
    /// Words that stay as they are.
    Text(Text),
    /// A place for a value.
    Slot(Slot),
    /// A condition.
    If(If),
    /// A loop.
    For(For),
    /// The text of one role.
    Role(RoleBlock),
    /// Something that could not be read; the error is among [`Parsed::errors`](crate::Parsed::errors).
    Error(Span),
}

/// Words of the template.
#[derive(Clone, Debug)]
pub struct Text {
    /// The bytes that it was written with.
    pub span: Span,
    /// What it says, with escapes taken out.
    pub text: String,
}

/// A place for a value.
#[derive(Clone, Debug)]
pub struct Slot {
    /// The whole slot, with its delimiters.
    pub span: Span,
    /// What fills it.
    pub expr: Expr,
}

/// A condition with its branches.
#[derive(Clone, Debug)]
pub struct If {
    /// The whole block.
    pub span: Span,
    /// The branches in order; the first whose condition holds is taken.
    pub branches: Vec<Branch>,
    /// What stands there when no condition holds.
    pub otherwise: Option<Vec<Node>>,
}

/// One branch of a condition.
#[derive(Clone, PartialEq, Debug)]
pub struct Branch {
    /// When it is taken.
    pub condition: Expr,
    /// What stands there then.
    pub body: Vec<Node>,
}

/// A loop over the items of a list.
#[derive(Clone, Debug)]
pub struct For {
    /// The whole block.
    pub span: Span,
    /// The name of one item.
    pub binding: Spanned<String>,
    /// The list.
    pub list: Expr,
    /// What stands there once for each item.
    pub body: Vec<Node>,
    /// What stands there when the list is empty.
    pub otherwise: Option<Vec<Node>>,
}

/// The text of one role, in a file or a one-literal template.
#[derive(Clone, Debug)]
pub struct RoleBlock {
    /// The whole block.
    pub span: Span,
    /// Who speaks.
    pub role: Spanned<Role>,
    /// What is said.
    pub body: Vec<Node>,
}

/// Who speaks in a role block.
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
        Role::ALL.into_iter().find(|role| role.name() == name)
    }
}

/// What fills a slot or decides a condition.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Expr {
    /// A field, or a field of a field.
    Path(Path),
    /// A value written out.
    Literal(Spanned<Literal>),
    /// A value through a filter: `docs | join(", ")`.
    Filter(Box<Filter>),
    /// A value, or another one where there is none: `context ?? "none"`.
    Default(Box<Coalesce>),
    /// `not a`.
    Not(Box<Spanned<Expr>>),
    /// `a and b`.
    And(Box<(Expr, Expr)>),
    /// `a or b`.
    Or(Box<(Expr, Expr)>),
}

impl Expr {
    /// Where it was written.
    pub fn span(&self) -> Span {
        match self {
            Expr::Path(path) => path.span,
            Expr::Literal(literal) => literal.span,
            Expr::Filter(filter) => filter.span,
            Expr::Default(coalesce) => coalesce.value.span().to(coalesce.default.span()),
            Expr::Not(inner) => inner.span,
            Expr::And(sides) | Expr::Or(sides) => sides.0.span().to(sides.1.span()),
        }
    }
}

/// A field, or a field of a field.
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
        let names: Vec<&str> = self
            .segments
            .iter()
            .map(|segment| segment.as_str())
            .collect();
        names.join(".")
    }
}

/// A value written out in a template.
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
}

/// A value through a filter.
#[derive(Clone, Debug)]
pub struct Filter {
    /// What goes in.
    pub value: Expr,
    /// The filter: one word, or the segments of a Rust path.
    pub name: Spanned<Vec<String>>,
    /// The arguments between its parentheses.
    pub args: Vec<Expr>,
    /// From the value to the end of the filter.
    pub span: Span,
}

/// A value, or another one where there is none.
#[derive(Clone, PartialEq, Debug)]
pub struct Coalesce {
    /// What may be missing.
    pub value: Expr,
    /// What stands in for it.
    pub default: Expr,
}

/// Compares the named fields, and so not the span.
macro_rules! equal_without_span {
    ($($node:ident { $($field:ident),* })*) => {$(
        impl PartialEq for $node {
            fn eq(&self, other: &$node) -> bool {
                $(self.$field == other.$field)&&*
            }
        }
    )*};
}

equal_without_span! {
    Text { text }
    Slot { expr }
    If { branches, otherwise }
    For { binding, list, body, otherwise }
    RoleBlock { role, body }
    Path { segments }
    Filter { value, name, args }
}

impl Node {
    /// Where it was written.
    pub fn span(&self) -> Span {
        match self {
            Node::Text(text) => text.span,
            Node::Slot(slot) => slot.span,
            Node::If(block) => block.span,
            Node::For(block) => block.span,
            Node::Role(block) => block.span,
            Node::Error(span) => *span,
        }
    }
}
