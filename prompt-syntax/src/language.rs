//! Template languages: what is common to all dialects, and what only some have.
//!
//! Text, slots, conditions, loops and roles are common, and so are their parser, the scopes of names and the annotated tree. A dialect with
//! more than that is a [`Language`] in a crate of its own: it has nodes and expressions, a lexer, and an analysis of them.

use std::convert::Infallible;
use std::fmt::Debug;

use prompt_base::Span;

use crate::analysis::{Analyzer, NameResolver, PlaceExpr, ResolvedNode};
use crate::dialect::{Keyword, Lexed, LoopHead};
use crate::problem::{Problem, feature};
use crate::{Error, Expr, Node, Options, Spanned};

/// The dialects that a program can read: those of this crate, and those of another crate that has more to its tree.
///
/// The functions are for [`Dialect::Jinja`](crate::Dialect::Jinja) alone.
pub trait Language: Copy + Default + PartialEq + Debug + 'static {
    /// A node that only this language has.
    type Node: LanguageNode<Self>;
    /// An expression that only this language has.
    type Expr: LanguageExpr<Self>;
    /// The opening tag of a block that only this language has.
    type Head;
    /// A node of the annotated tree that only this language has.
    type Piece: LanguagePiece<Self>;
    /// A condition of the annotated tree that only this language has.
    type Condition: LanguageCondition;
    /// What a name can be bound to in this language only.
    type Meaning: Clone;
    /// What the analysis remembers for this language only.
    type State<'a>: Default;

    /// Splits a text into tokens.
    fn lex(text: &str, options: Options) -> Lexed;

    /// Reads what fills a slot.
    ///
    /// # Errors
    /// The text is not an expression.
    fn parse_slot(text: &str, span: Span) -> Result<Expr<Self>, Error>;

    /// Reads what decides a condition.
    ///
    /// # Errors
    /// The text is not a condition.
    fn parse_condition(text: &str, span: Span) -> Result<Expr<Self>, Error>;

    /// Reads what a loop goes over, as far as it can be read, and what is wrong with it.
    fn loop_head(text: &str, span: Span) -> (Option<LoopHead<Self>>, Option<Error>);

    /// Reads a statement without an end: the tag with this keyword, whose other words are `head`.
    ///
    /// # Errors
    /// It cannot be read.
    fn parse_statement(
        keyword: &str,
        text: &str,
        span: Span,
        head: Span,
    ) -> Result<Self::Node, Error>;

    /// Reads the opening tag of a block.
    ///
    /// # Errors
    /// It cannot be read.
    fn parse_head(keyword: Keyword, text: &str, head: Span) -> Result<Self::Head, Error>;

    /// The node of a block with this opening tag.
    fn block_node(head: Self::Head, span: Span, body: Vec<Node<Self>>) -> Self::Node;

    /// The problem of an `else` in a block that has none.
    fn no_other_branch(written: &str, block: &str, tag: Span) -> Problem;

    /// Analyzes a node in the current scope.
    fn resolve_node(
        analyzer: &mut Analyzer<'_, Self>,
        node: &Node<Self>,
        out: &mut Vec<ResolvedNode<Self>>,
    );
}

/// A node that only one language has.
pub trait LanguageNode<L: Language>: Clone + PartialEq + Debug {
    /// Where it was written.
    fn span(&self) -> Span;

    /// Calls `see` for the nodes of each block in it.
    fn each_body<'a>(&'a self, see: &mut dyn FnMut(&'a [Node<L>]));

    /// Calls `see` for each expression of the node itself.
    fn each_expr<'a>(&'a self, see: &mut dyn FnMut(&'a Expr<L>));

    /// The names that it assigns in the block around it.
    fn assigned_names(&self) -> &[Spanned<String>];

    /// Whether it may be beside the roles of a template: names that it binds are in scope of the later messages.
    fn is_prelude(&self) -> bool;

    /// Resolves the names in it.
    fn resolve_names(&mut self, resolver: &mut NameResolver<'_>);
}

/// An expression that only one language has.
pub trait LanguageExpr<L: Language>: Clone + PartialEq + Debug {
    /// Where it was written.
    fn span(&self) -> Span;

    /// Calls `see` for each expression right inside it, in the order in which they are written.
    fn each_operand<'a>(&'a self, see: &mut dyn FnMut(&'a Expr<L>));

    /// The value that is present where this condition holds, or does not.
    fn found_value(&self, holds: bool) -> Option<&Expr<L>>;
}

/// A node of the annotated tree that only one language has.
pub trait LanguagePiece<L: Language>: Clone {
    /// Calls `see` for each node inside it, and all inside those.
    fn walk<'a>(&'a self, see: &mut dyn FnMut(&'a ResolvedNode<L>));

    /// Calls `see` for each place that the node itself uses, without the nodes inside it.
    fn each_place<'a>(&'a self, see: &mut dyn FnMut(&'a PlaceExpr));

    /// Calls `see` for each place whose text the node itself may show.
    fn each_shown_place<'a>(&'a self, see: &mut dyn FnMut(&'a PlaceExpr));

    /// What keeps it out of a system message, apart from untrusted fields.
    fn system_errors(&self) -> Vec<Error>;
}

/// A condition of the annotated tree that only one language has.
pub trait LanguageCondition: Clone {
    /// Calls `see` for each place that it tests.
    fn each_place<'a>(&'a self, see: &mut dyn FnMut(&'a PlaceExpr));

    /// The variable that the value is bound to.
    fn bound_name(&self) -> Option<&String>;

    /// The variable that the value is bound to, if it can be.
    fn binding_mut(&mut self) -> Option<&mut Option<String>>;
}

/// The language of this crate: the angle, the brace and the f-string dialect. Their trees have no nodes of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Plain;

/// The state of the analysis in [`Plain`], which remembers nothing of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoState;

/// The problem of a template whose dialect this language does not have.
fn missing_dialect() -> Problem {
    feature::missing_feature("`syntax = \"jinja\"`", "jinja")
}

impl Language for Plain {
    type Node = Infallible;
    type Expr = Infallible;
    type Head = Infallible;
    type Piece = Infallible;
    type Condition = Infallible;
    type Meaning = Infallible;
    type State<'a> = NoState;

    /// One error for the whole text: no other function is called for it.
    fn lex(text: &str, options: Options) -> Lexed {
        let line = text.lines().next().unwrap_or_default();
        let error = missing_dialect().at(Span::new(0, line.len()));
        Lexed::unread(options.dialect, text.len(), error)
    }

    fn parse_slot(_: &str, span: Span) -> Result<Expr, Error> {
        Err(missing_dialect().at(span))
    }

    fn parse_condition(_: &str, span: Span) -> Result<Expr, Error> {
        Err(missing_dialect().at(span))
    }

    fn loop_head(_: &str, span: Span) -> (Option<LoopHead>, Option<Error>) {
        (None, Some(missing_dialect().at(span)))
    }

    fn parse_statement(_: &str, _: &str, span: Span, _: Span) -> Result<Infallible, Error> {
        Err(missing_dialect().at(span))
    }

    fn parse_head(_: Keyword, _: &str, head: Span) -> Result<Infallible, Error> {
        Err(missing_dialect().at(head))
    }

    fn block_node(head: Infallible, _: Span, _: Vec<Node>) -> Infallible {
        head
    }

    fn no_other_branch(_: &str, _: &str, _: Span) -> Problem {
        missing_dialect()
    }

    fn resolve_node(_: &mut Analyzer<'_>, _: &Node, _: &mut Vec<ResolvedNode>) {}
}

impl LanguageNode<Plain> for Infallible {
    fn span(&self) -> Span {
        match *self {}
    }

    fn each_body<'a>(&'a self, _: &mut dyn FnMut(&'a [Node])) {
        match *self {}
    }

    fn each_expr<'a>(&'a self, _: &mut dyn FnMut(&'a Expr)) {
        match *self {}
    }

    fn assigned_names(&self) -> &[Spanned<String>] {
        match *self {}
    }

    fn is_prelude(&self) -> bool {
        match *self {}
    }

    fn resolve_names(&mut self, _: &mut NameResolver<'_>) {
        match *self {}
    }
}

impl LanguageExpr<Plain> for Infallible {
    fn span(&self) -> Span {
        match *self {}
    }

    fn each_operand<'a>(&'a self, _: &mut dyn FnMut(&'a Expr)) {
        match *self {}
    }

    fn found_value(&self, _: bool) -> Option<&Expr> {
        match *self {}
    }
}

impl LanguagePiece<Plain> for Infallible {
    fn walk<'a>(&'a self, _: &mut dyn FnMut(&'a ResolvedNode)) {
        match *self {}
    }

    fn each_place<'a>(&'a self, _: &mut dyn FnMut(&'a PlaceExpr)) {
        match *self {}
    }

    fn each_shown_place<'a>(&'a self, _: &mut dyn FnMut(&'a PlaceExpr)) {
        match *self {}
    }

    fn system_errors(&self) -> Vec<Error> {
        match *self {}
    }
}

impl LanguageCondition for Infallible {
    fn each_place<'a>(&'a self, _: &mut dyn FnMut(&'a PlaceExpr)) {
        match *self {}
    }

    fn bound_name(&self) -> Option<&String> {
        match *self {}
    }

    fn binding_mut(&mut self) -> Option<&mut Option<String>> {
        match *self {}
    }
}
