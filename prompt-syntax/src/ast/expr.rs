//! Expressions: paths, literals, filters and defaults.

use super::{Attribute, Binary, Call, Compare, Conditional, Index, Named, Slice, Test};
use crate::{Span, Spanned};

/// What fills a slot or decides a condition.
///
/// ```
/// use prompt_syntax::{Expr, Node, Options, Span, parse};
///
/// let parsed = parse("<context ?? 'none'>", Options::default());
/// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
/// assert!(matches!(slot.expr, Expr::Default(_)));
/// assert_eq!(slot.expr.span(), Span::new(1, 18));
/// ```
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
    /// `-a`.
    Neg(Box<Spanned<Expr>>),
    /// Two numbers, texts or lists into one: `a + b`.
    Binary(Box<Binary>),
    /// Texts one after the other: `a ~ b ~ c`.
    Concat(Spanned<Vec<Expr>>),
    /// A chain of comparisons: `a < b <= c`, `a in b`.
    Compare(Box<Compare>),
    /// What a value is: `a is none`.
    Test(Box<Test>),
    /// One value or another: `a if b else c`.
    If(Box<Conditional>),
    /// A part of what is no path: `items[0].name`.
    Attribute(Box<Attribute>),
    /// One item: `a[0]`, `a["key"]`.
    Index(Box<Index>),
    /// Some items: `a[1:3]`.
    Slice(Box<Slice>),
    /// A macro, a function or a method: `card(a)`, `range(3)`, `a.items()`.
    Call(Box<Call>),
    /// `[a, b]`
    List(Spanned<Vec<Expr>>),
    /// `(a, b)`, or without parentheses where a tag takes several values.
    Tuple(Spanned<Vec<Expr>>),
    /// `{"key": a}`
    Dict(Spanned<Vec<(Expr, Expr)>>),
    /// The text of the block that a filter or a `set` is for: the words of its tag that name the filters.
    Body(Spanned<()>),
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
            Expr::Neg(inner) => inner.span,
            Expr::Binary(binary) => binary.span,
            Expr::Compare(compare) => compare.span,
            Expr::Test(test) => test.span,
            Expr::If(conditional) => conditional.span,
            Expr::Attribute(attribute) => attribute.span,
            Expr::Index(index) => index.span,
            Expr::Slice(slice) => slice.span,
            Expr::Call(call) => call.span,
            Expr::Concat(items) | Expr::List(items) | Expr::Tuple(items) => items.span,
            Expr::Dict(entries) => entries.span,
            Expr::Body(body) => body.span,
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
        let mut names = self.segments.iter();
        let mut path = names
            .next()
            .map_or_else(String::new, |name| name.value.clone());
        for name in names {
            path.push('.');
            path.push_str(name);
        }
        path
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
pub struct Filter {
    /// What goes in.
    pub value: Expr,
    /// The filter: one word, or the segments of a Rust path.
    pub name: Spanned<Vec<String>>,
    /// The arguments between its parentheses.
    pub args: Vec<Expr>,
    /// The arguments with a name, which stand after the others: `attribute="name"`.
    pub named: Vec<Named>,
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
pub struct Coalesce {
    /// What may be missing.
    pub value: Expr,
    /// What stands in for it.
    pub default: Expr,
}

equal_without_span! {
    // `input:` is a way to write a name, and the name means the same without it.
    Path { segments; input }
    Filter { value, name, args, named }
}
