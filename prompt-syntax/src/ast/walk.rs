//! Traversal of the syntax tree.

use crate::language::{Language, LanguageExpr as _, LanguageNode as _};
use crate::{Expr, Node};

impl<L: Language> Expr<L> {
    /// Calls `see` for this expression and for all inside it, the outer ones first.
    ///
    /// ```
    /// use prompt_syntax::{Dialect, Expr, Node, Options, parse};
    ///
    /// let parsed = parse("<a ?? b>", Options::message(Dialect::Angle));
    /// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
    /// let mut paths = 0;
    /// slot.expr.walk(&mut |expr| paths += usize::from(matches!(expr, Expr::Path(_))));
    /// assert_eq!(paths, 2);
    /// ```
    pub fn walk<'a>(&'a self, see: &mut dyn FnMut(&'a Expr<L>)) {
        see(self);
        self.each_operand(&mut |expr| expr.walk(see));
    }

    /// Calls `see` for each expression right inside this one, in the order in which they are written.
    ///
    /// ```
    /// use prompt_syntax::{Dialect, Node, Options, parse};
    ///
    /// let parsed = parse("<a | join(b)>", Options::message(Dialect::Angle));
    /// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
    /// let mut inside = 0;
    /// slot.expr.each_operand(&mut |_| inside += 1);
    /// assert_eq!(inside, 2);
    /// ```
    pub fn each_operand<'a>(&'a self, see: &mut dyn FnMut(&'a Expr<L>)) {
        match self {
            Expr::Path(_) | Expr::Literal(_) => {}
            Expr::Filter(filter) => {
                see(&filter.value);
                filter.args.iter().for_each(&mut *see);
                filter.named.iter().for_each(|named| see(&named.value));
            }
            Expr::Default(coalesce) => {
                see(&coalesce.value);
                see(&coalesce.default);
            }
            Expr::Not(inner) => see(&inner.value),
            Expr::And(sides) | Expr::Or(sides) => {
                see(&sides.0);
                see(&sides.1);
            }
            Expr::Compare(compare) => {
                see(&compare.first);
                compare.rest.iter().for_each(|(_, other)| see(other));
            }
            Expr::Other(expr) => expr.each_operand(see),
        }
    }
}

impl<L: Language> Node<L> {
    /// Calls `see` for this node and for all inside it, the outer ones first.
    ///
    /// ```
    /// use prompt_syntax::{Dialect, Options, parse};
    ///
    /// let parsed = parse("<if a><b>, <c></if>", Options::message(Dialect::Angle));
    /// let mut nodes = 0;
    /// parsed.template.nodes[0].walk(&mut |_| nodes += 1);
    /// assert_eq!(nodes, 4);
    /// ```
    pub fn walk<'a>(&'a self, see: &mut dyn FnMut(&'a Node<L>)) {
        see(self);
        let mut all = |nodes: &'a [Node<L>]| nodes.iter().for_each(|node| node.walk(see));
        match self {
            Node::If(block) => {
                block.branches.iter().for_each(|branch| all(&branch.body));
                all(block.otherwise.as_deref().unwrap_or_default());
            }
            Node::For(block) => {
                all(&block.body);
                all(block.otherwise.as_deref().unwrap_or_default());
            }
            Node::Role(block) => all(&block.body),
            Node::Other(node) => node.each_body(&mut all),
            Node::Text(_) | Node::Slot(_) | Node::Error(_) => {}
        }
    }

    /// Calls `see` for each expression of the node itself: what a slot shows, a condition asks, a loop walks over.
    ///
    /// ```
    /// use prompt_syntax::{Dialect, Options, parse};
    ///
    /// let parsed = parse("<if a><b></if>", Options::message(Dialect::Angle));
    /// let mut exprs = 0;
    /// parsed.template.nodes[0].each_expr(&mut |_| exprs += 1);
    /// assert_eq!(exprs, 1);
    /// ```
    pub fn each_expr<'a>(&'a self, see: &mut dyn FnMut(&'a Expr<L>)) {
        match self {
            Node::Slot(slot) => see(&slot.expr),
            Node::If(block) => block
                .branches
                .iter()
                .for_each(|branch| see(&branch.condition)),
            Node::For(block) => {
                see(&block.list);
                block.condition.iter().for_each(see);
            }
            Node::Other(node) => node.each_expr(see),
            Node::Text(_) | Node::Role(_) | Node::Error(_) => {}
        }
    }
}
