//! The syntax tree of a template: text, slots, blocks and roles.

use crate::{Span, Spanned};

/// Compares the named fields, and not the place. A field that is not named at all does not compile.
macro_rules! equal_without_span {
    ($($node:ident { $($field:ident),* $(; $ignored:ident)? })*) => {$(
        impl PartialEq for $node {
            fn eq(&self, other: &$node) -> bool {
                let $node { span: _, $($field,)* $($ignored: _)? } = self;
                $(*$field == other.$field)&&*
            }
        }
    )*};
}

mod expr;
mod operation;
mod statement;
mod walk;

pub use expr::*;
pub use operation::*;
pub use statement::*;

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
    /// What it consists of, in order. Their spans cover the whole text, but for what Jinja's comments and marks take.
    pub nodes: Vec<Node>,
}

/// A piece of a template. Two errors are equal wherever they stand, as all else is.
///
/// ```
/// use prompt_syntax::{Node, Options, Span, parse};
///
/// let parsed = parse("Hi <name>", Options::default());
/// assert_eq!(parsed.template.nodes[1].span(), Span::new(3, 9));
/// assert!(matches!(parsed.template.nodes[1], Node::Slot(_)));
/// ```
#[derive(Clone, Debug)]
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
    /// A name for a value, or for the text of a block.
    Set(Set),
    /// Names that hold within a block.
    With(With),
    /// A piece of the template with parameters.
    Macro(Macro),
    /// Another file's template, in place.
    Include(Include),
    /// The text of a block, through filters.
    Filter(FilterBlock),
    /// Something that could not be read; the error is among [`Parsed::errors`](crate::Parsed::errors).
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
    /// What it says, with escapes taken out.
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
pub struct Slot {
    /// The whole slot, with its delimiters.
    pub span: Span,
    /// What fills it.
    pub expr: Expr,
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
pub struct If {
    /// The whole block.
    pub span: Span,
    /// The branches in order; the first whose condition holds is taken.
    pub branches: Vec<Branch>,
    /// What stands there when no condition holds.
    pub otherwise: Option<Vec<Node>>,
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
pub struct Branch {
    /// When it is taken.
    pub condition: Expr,
    /// What stands there then.
    pub body: Vec<Node>,
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
pub struct For {
    /// The whole block.
    pub span: Span,
    /// The name of one item; several where an item is taken apart, as in `for key, value in …`.
    pub targets: Vec<Spanned<String>>,
    /// The list.
    pub list: Expr,
    /// Which items are taken: all for which it holds.
    pub condition: Option<Expr>,
    /// What stands there once for each item.
    pub body: Vec<Node>,
    /// What stands there when the list is empty.
    pub otherwise: Option<Vec<Node>>,
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
pub struct RoleBlock {
    /// The whole block.
    pub span: Span,
    /// Who speaks.
    pub role: Spanned<Role>,
    /// What is said.
    pub body: Vec<Node>,
}

/// Who speaks in a role block.
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
        Role::ALL.iter().copied().find(|role| role.name() == name)
    }
}

equal_without_span! {
    Text { text }
    Slot { expr }
    If { branches, otherwise }
    For { targets, list, condition, body, otherwise }
    RoleBlock { role, body }
}

impl PartialEq for Node {
    fn eq(&self, other: &Node) -> bool {
        match (self, other) {
            (Node::Text(a), Node::Text(b)) => a == b,
            (Node::Slot(a), Node::Slot(b)) => a == b,
            (Node::If(a), Node::If(b)) => a == b,
            (Node::For(a), Node::For(b)) => a == b,
            (Node::Role(a), Node::Role(b)) => a == b,
            (Node::Set(a), Node::Set(b)) => a == b,
            (Node::With(a), Node::With(b)) => a == b,
            (Node::Macro(a), Node::Macro(b)) => a == b,
            (Node::Include(a), Node::Include(b)) => a == b,
            (Node::Filter(a), Node::Filter(b)) => a == b,
            (a, b) => matches!((a, b), (Node::Error(_), Node::Error(_))),
        }
    }
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
            Node::Set(set) => set.span,
            Node::With(block) => block.span,
            Node::Macro(block) => block.span,
            Node::Include(include) => include.span,
            Node::Filter(block) => block.span,
            Node::Error(span) => *span,
        }
    }
}
