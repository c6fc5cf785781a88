//! The names that a template reads and does not set.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::nodes::{Arguments, Expr, ExprKind, MacroNode, Node, Symbol, Target};
use super::parser::Parsed;

pub(super) fn find_inputs(parsed: &Parsed) -> Vec<Arc<str>> {
    let mut names = Names {
        scopes: vec![Vec::new()],
        found: BTreeSet::new(),
    };
    names.nodes(&parsed.body);
    let found = names
        .found
        .into_iter()
        .map(|symbol| parsed.names[symbol as usize].clone());
    let mut found: Vec<Arc<str>> = found.filter(|name| !OWN.contains(&&**name)).collect();
    found.sort_unstable();
    found
}

struct Names {
    /// The names that each scope sets.
    scopes: Vec<Vec<Symbol>>,
    found: BTreeSet<u32>,
}

/// Names that the language sets in loops and macros.
const OWN: [&str; 4] = ["loop", "caller", "varargs", "kwargs"];

impl Names {
    fn set(&mut self, symbol: Symbol) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(symbol);
        }
    }

    fn read(&mut self, symbol: Symbol) {
        if !self.scopes.iter().flatten().any(|known| *known == symbol) {
            self.found.insert(symbol.0);
        }
    }

    fn scoped(&mut self, visit: impl FnOnce(&mut Names)) {
        self.scopes.push(Vec::new());
        visit(self);
        self.scopes.pop();
    }

    fn target(&mut self, target: &Target) {
        match target {
            Target::Name(symbol) => self.set(*symbol),
            Target::Attribute(symbol, ..) => self.read(*symbol),
            Target::Tuple(targets, _) => targets.iter().for_each(|target| self.target(target)),
        }
    }

    fn macro_node(&mut self, node: &MacroNode) {
        self.scoped(|names| {
            for (symbol, _, default) in &node.parameters {
                default.iter().for_each(|default| names.expr(default));
                names.set(*symbol);
            }
            names.nodes(&node.body);
        });
    }

    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            self.node(node);
        }
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Text(..) | Node::Break | Node::Continue | Node::File(_) => {}
            Node::Print(value) => self.expr(value),
            Node::PrintAll(values) => values.iter().for_each(|value| self.expr(value)),
            Node::If(branches, otherwise) => {
                // A name is set after the condition if each branch sets it.
                let mut all: Option<Vec<Symbol>> = None;
                let mut branch = |names: &mut Names, body: &[Node]| {
                    names.scopes.push(Vec::new());
                    names.nodes(body);
                    let set = names.scopes.pop().unwrap_or_default();
                    all = Some(match all.take() {
                        Some(all) => all.into_iter().filter(|name| set.contains(name)).collect(),
                        None => set,
                    });
                };
                for (test, body) in branches {
                    self.expr(test);
                    branch(self, body);
                }
                branch(self, otherwise);
                all.into_iter()
                    .flatten()
                    .for_each(|symbol| self.set(symbol));
            }
            Node::For(node) => {
                self.expr(&node.items);
                self.scoped(|names| {
                    names.target(&node.target);
                    node.filter.iter().for_each(|filter| names.expr(filter));
                    names.nodes(&node.body);
                });
                self.scoped(|names| names.nodes(&node.otherwise));
            }
            Node::Set(target, value) => {
                self.expr(value);
                self.target(target);
            }
            Node::SetBlock(target, filter, body, _) => {
                self.scoped(|names| names.nodes(body));
                filter.iter().for_each(|filter| self.expr(filter));
                self.target(target);
            }
            Node::With(values, body) => {
                values.iter().for_each(|(_, value)| self.expr(value));
                self.scoped(|names| {
                    values.iter().for_each(|(target, _)| names.target(target));
                    names.nodes(body);
                });
            }
            Node::Macro(symbol, node) => {
                self.set(*symbol);
                self.macro_node(node);
            }
            Node::Call(call, node) => {
                self.expr(call);
                self.macro_node(node);
            }
            Node::FilterBlock(value, body) | Node::Autoescape(value, body) => {
                self.expr(value);
                self.scoped(|names| names.nodes(body));
            }
            Node::Block(body) | Node::Generation(body) => self.scoped(|names| names.nodes(body)),
        }
    }

    fn arguments(&mut self, arguments: &Arguments) {
        arguments
            .positional
            .iter()
            .for_each(|value| self.expr(value));
        arguments
            .named
            .iter()
            .for_each(|(_, value)| self.expr(value));
        arguments
            .rest
            .iter()
            .chain(&arguments.rest_named)
            .for_each(|value| self.expr(value));
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Const(_) => {}
            ExprKind::Name(symbol) => self.read(*symbol),
            ExprKind::List(items)
            | ExprKind::Tuple(items)
            | ExprKind::And(items)
            | ExprKind::Or(items)
            | ExprKind::Concat(items) => items.iter().for_each(|item| self.expr(item)),
            ExprKind::Dict(entries) => entries.iter().for_each(|(key, value)| {
                self.expr(key);
                self.expr(value);
            }),
            ExprKind::Not(value)
            | ExprKind::Neg(value)
            | ExprKind::Pos(value)
            | ExprKind::Attribute(value, _) => {
                self.expr(value);
            }
            ExprKind::Arith(first, others) => {
                self.expr(first);
                others.iter().for_each(|(_, other)| self.expr(other));
            }
            ExprKind::Compare(first, others) => {
                self.expr(first);
                others.iter().for_each(|(_, other)| self.expr(other));
            }
            ExprKind::Condition(condition) => {
                self.expr(&condition.test);
                self.expr(&condition.then);
                condition
                    .otherwise
                    .iter()
                    .for_each(|otherwise| self.expr(otherwise));
            }
            ExprKind::Item(value, key) => {
                self.expr(value);
                self.expr(key);
            }
            ExprKind::Slice(value, bounds) => {
                self.expr(value);
                bounds.iter().flatten().for_each(|bound| self.expr(bound));
            }
            ExprKind::Call(value, arguments) | ExprKind::Test(value, _, arguments) => {
                self.expr(value);
                self.arguments(arguments);
            }
            ExprKind::Filter(value, _, arguments) => {
                value.iter().for_each(|value| self.expr(value));
                self.arguments(arguments);
            }
        }
    }
}
