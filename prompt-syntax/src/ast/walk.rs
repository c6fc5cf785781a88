//! Traversal of the syntax tree.

use crate::{Expr, Node};

impl Expr {
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
    pub fn walk<'a>(&'a self, see: &mut dyn FnMut(&'a Expr)) {
        see(self);
        self.each(&mut |expr| expr.walk(see));
    }

    /// Calls `see` for each expression right inside this one, in the order in which they are written.
    ///
    /// ```
    /// use prompt_syntax::{Dialect, Node, Options, parse};
    ///
    /// let parsed = parse("{{ a + b | length }}", Options::message(Dialect::Jinja));
    /// let Node::Slot(slot) = &parsed.template.nodes[0] else { panic!("no slot") };
    /// let mut inside = 0;
    /// slot.expr.each(&mut |_| inside += 1);
    /// assert_eq!(inside, 2);
    /// ```
    pub fn each<'a>(&'a self, see: &mut dyn FnMut(&'a Expr)) {
        match self {
            Expr::Path(_) | Expr::Literal(_) => {}
            #[cfg(feature = "jinja")]
            Expr::Body(_) => {}
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
            #[cfg(feature = "jinja")]
            Expr::Neg(inner) => see(&inner.value),
            Expr::And(sides) | Expr::Or(sides) => {
                see(&sides.0);
                see(&sides.1);
            }
            #[cfg(feature = "jinja")]
            Expr::Binary(binary) => {
                see(&binary.left);
                see(&binary.right);
            }
            #[cfg(feature = "jinja")]
            Expr::Concat(items) | Expr::List(items) | Expr::Tuple(items) => {
                items.value.iter().for_each(&mut *see);
            }
            Expr::Compare(compare) => {
                see(&compare.first);
                compare.rest.iter().for_each(|(_, other)| see(other));
            }
            #[cfg(feature = "jinja")]
            Expr::Test(test) => {
                see(&test.value);
                test.args.iter().for_each(&mut *see);
            }
            #[cfg(feature = "jinja")]
            Expr::If(conditional) => {
                see(&conditional.value);
                see(&conditional.condition);
                conditional.otherwise.iter().for_each(&mut *see);
            }
            #[cfg(feature = "jinja")]
            Expr::Attribute(attribute) => see(&attribute.value),
            #[cfg(feature = "jinja")]
            Expr::Index(index) => {
                see(&index.value);
                see(&index.index);
            }
            #[cfg(feature = "jinja")]
            Expr::Slice(slice) => {
                see(&slice.value);
                let parts = [&slice.start, &slice.stop, &slice.step];
                parts.into_iter().flatten().for_each(&mut *see);
            }
            #[cfg(feature = "jinja")]
            Expr::Call(call) => {
                call.receiver.iter().for_each(&mut *see);
                call.args.iter().for_each(&mut *see);
                call.named.iter().for_each(|named| see(&named.value));
            }
            #[cfg(feature = "jinja")]
            Expr::Dict(items) => {
                for (key, value) in &items.value {
                    see(key);
                    see(value);
                }
            }
        }
    }
}

impl Node {
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
    pub fn walk<'a>(&'a self, see: &mut dyn FnMut(&'a Node)) {
        see(self);
        let mut all = |nodes: &'a [Node]| nodes.iter().for_each(|node| node.walk(see));
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
            #[cfg(feature = "jinja")]
            Node::Set(set) => all(set.body.as_deref().unwrap_or_default()),
            #[cfg(feature = "jinja")]
            Node::With(block) => all(&block.body),
            #[cfg(feature = "jinja")]
            Node::Macro(block) => all(&block.body),
            #[cfg(feature = "jinja")]
            Node::Filter(block) => all(&block.body),
            Node::Text(_) | Node::Slot(_) | Node::Error(_) => {}
            #[cfg(feature = "jinja")]
            Node::Include(_) => {}
        }
    }

    /// Calls `see` for each expression of the node itself: what a slot shows, a condition asks, a loop walks over.
    ///
    /// ```
    /// use prompt_syntax::{Dialect, Options, parse};
    ///
    /// let parsed = parse("<if a><b></if>", Options::message(Dialect::Angle));
    /// let mut exprs = 0;
    /// parsed.template.nodes[0].exprs(&mut |_| exprs += 1);
    /// assert_eq!(exprs, 1);
    /// ```
    #[cfg(feature = "jinja")]
    pub fn exprs<'a>(&'a self, see: &mut dyn FnMut(&'a Expr)) {
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
            Node::Set(set) => see(&set.value),
            Node::With(block) => block
                .bindings
                .iter()
                .for_each(|binding| see(&binding.value)),
            Node::Macro(block) => {
                let defaults = block
                    .params
                    .iter()
                    .filter_map(|param| param.default.as_ref());
                defaults.for_each(see);
            }
            Node::Filter(block) => see(&block.value),
            Node::Text(_) | Node::Role(_) | Node::Include(_) | Node::Error(_) => {}
        }
    }
}
