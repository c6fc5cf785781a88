//! The names that a template reads and does not set.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::nodes::{Arguments, Const, Expr, ExprKind, MacroNode, Node, Symbol, Target};
use super::parser::Parsed;

/// A name that a template reads and does not set.
#[derive(Clone, Debug)]
pub struct Input {
    /// The name.
    pub name: Arc<str>,
    /// Whether the template only asks whether its value is true.
    pub is_condition: bool,
}

pub(super) fn find_inputs(parsed: &Parsed) -> Vec<Input> {
    let mut names = Names {
        scopes: vec![Vec::new()],
        found: BTreeMap::new(),
    };
    names.visit_nodes(&parsed.body);
    let found = names.found.into_iter().map(|(symbol, uses)| Input {
        name: parsed.names[symbol as usize].clone(),
        is_condition: uses.is_tested && !uses.is_read,
    });
    let mut found: Vec<Input> = found.filter(|input| !OWN.contains(&&*input.name)).collect();
    found.sort_unstable_by(|one, other| one.name.cmp(&other.name));
    found
}

/// How a template uses the value of a name.
#[derive(Default)]
struct Uses {
    is_read: bool,
    /// Its truth is tested.
    is_tested: bool,
}

struct Names {
    /// The names that each scope sets.
    scopes: Vec<Vec<Symbol>>,
    found: BTreeMap<u32, Uses>,
}

/// Names that the language sets in loops and macros.
const OWN: [&str; 4] = ["loop", "caller", "varargs", "kwargs"];

impl Names {
    fn define_name(&mut self, symbol: Symbol) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(symbol);
        }
    }

    /// The uses of a name that the template does not set here.
    fn uses_of(&mut self, symbol: Symbol) -> Option<&mut Uses> {
        let is_set = self.scopes.iter().flatten().any(|known| *known == symbol);
        (!is_set).then(|| self.found.entry(symbol.0).or_default())
    }

    fn read_name(&mut self, symbol: Symbol) {
        if let Some(uses) = self.uses_of(symbol) {
            uses.is_read = true;
        }
    }

    /// Visits an expression of which only the truth is used.
    fn visit_condition(&mut self, expr: &Expr) {
        let is_truth = |expr: &Expr| matches!(expr.kind, ExprKind::Const(Const::Bool(_)));
        match &expr.kind {
            ExprKind::Name(symbol) => {
                if let Some(uses) = self.uses_of(*symbol) {
                    uses.is_tested = true;
                }
            }
            ExprKind::Not(value) => self.visit_condition(value),
            ExprKind::And(values) | ExprKind::Or(values) => {
                values.iter().for_each(|value| self.visit_condition(value));
            }
            ExprKind::Compare(first, others) if others.iter().all(|other| is_truth(&other.1)) => {
                self.visit_condition(first);
            }
            ExprKind::Test(value, test, _) if ["true", "false"].contains(&&*test.name) => {
                self.visit_condition(value);
            }
            // They say nothing about the value of a name that is given.
            ExprKind::Test(value, test, _)
                if ["defined", "undefined", "none"].contains(&&*test.name) =>
            {
                match &value.kind {
                    ExprKind::Name(symbol) => _ = self.uses_of(*symbol),
                    _ => self.visit_expr(value),
                }
            }
            ExprKind::Filter(Some(value), filter, arguments)
                if ["default", "d"].contains(&&*filter.name)
                    && arguments.positional.iter().all(is_truth) =>
            {
                self.visit_condition(value);
                self.visit_arguments(arguments);
            }
            _ => self.visit_expr(expr),
        }
    }

    fn visit_scope(&mut self, visit: impl FnOnce(&mut Names)) {
        self.scopes.push(Vec::new());
        visit(self);
        self.scopes.pop();
    }

    fn visit_target(&mut self, target: &Target) {
        match target {
            Target::Name(symbol) => self.define_name(*symbol),
            Target::Attribute(symbol, ..) => self.read_name(*symbol),
            Target::Tuple(targets, _) => {
                targets.iter().for_each(|target| self.visit_target(target));
            }
        }
    }

    fn macro_node(&mut self, node: &MacroNode) {
        self.visit_scope(|names| {
            for (symbol, _, default) in &node.parameters {
                default.iter().for_each(|default| names.visit_expr(default));
                names.define_name(*symbol);
            }
            names.visit_nodes(&node.body);
        });
    }

    fn visit_nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            self.visit_node(node);
        }
    }

    fn visit_node(&mut self, node: &Node) {
        match node {
            Node::Text(..) | Node::Break | Node::Continue | Node::File(_) => {}
            Node::Print(value) => self.visit_expr(value),
            Node::PrintAll(values) => values.iter().for_each(|value| self.visit_expr(value)),
            Node::If(branches, otherwise) => {
                // A name is set after the condition if each branch sets it.
                let mut all: Option<Vec<Symbol>> = None;
                let mut branch = |names: &mut Names, body: &[Node]| {
                    names.scopes.push(Vec::new());
                    names.visit_nodes(body);
                    let set = names.scopes.pop().unwrap_or_default();
                    all = Some(match all.take() {
                        Some(all) => all.into_iter().filter(|name| set.contains(name)).collect(),
                        None => set,
                    });
                };
                for (test, body) in branches {
                    self.visit_condition(test);
                    branch(self, body);
                }
                branch(self, otherwise);
                all.into_iter()
                    .flatten()
                    .for_each(|symbol| self.define_name(symbol));
            }
            Node::For(node) => {
                self.visit_expr(&node.items);
                self.visit_scope(|names| {
                    names.visit_target(&node.target);
                    node.filter
                        .iter()
                        .for_each(|filter| names.visit_condition(filter));
                    names.visit_nodes(&node.body);
                });
                self.visit_scope(|names| names.visit_nodes(&node.otherwise));
            }
            Node::Set(target, value) => {
                self.visit_expr(value);
                self.visit_target(target);
            }
            Node::SetBlock(target, filter, body, _) => {
                self.visit_scope(|names| names.visit_nodes(body));
                filter.iter().for_each(|filter| self.visit_expr(filter));
                self.visit_target(target);
            }
            Node::With(values, body) => {
                values.iter().for_each(|(_, value)| self.visit_expr(value));
                self.visit_scope(|names| {
                    values
                        .iter()
                        .for_each(|(target, _)| names.visit_target(target));
                    names.visit_nodes(body);
                });
            }
            Node::Macro(symbol, node) => {
                self.define_name(*symbol);
                self.macro_node(node);
            }
            Node::Call(call, node) => {
                self.visit_expr(call);
                self.macro_node(node);
            }
            Node::FilterBlock(value, body) | Node::Autoescape(value, body) => {
                self.visit_expr(value);
                self.visit_scope(|names| names.visit_nodes(body));
            }
            Node::Block(body) | Node::Generation(body) => {
                self.visit_scope(|names| names.visit_nodes(body));
            }
        }
    }

    fn visit_arguments(&mut self, arguments: &Arguments) {
        arguments
            .positional
            .iter()
            .for_each(|value| self.visit_expr(value));
        arguments
            .named
            .iter()
            .for_each(|(_, value)| self.visit_expr(value));
        arguments
            .rest
            .iter()
            .chain(&arguments.rest_named)
            .for_each(|value| self.visit_expr(value));
    }

    fn visit_expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Const(_) => {}
            ExprKind::Name(symbol) => self.read_name(*symbol),
            ExprKind::List(items)
            | ExprKind::Tuple(items)
            | ExprKind::And(items)
            | ExprKind::Or(items)
            | ExprKind::Concat(items) => items.iter().for_each(|item| self.visit_expr(item)),
            ExprKind::Dict(entries) => entries.iter().for_each(|(key, value)| {
                self.visit_expr(key);
                self.visit_expr(value);
            }),
            ExprKind::Not(value) => self.visit_condition(value),
            ExprKind::Neg(value) | ExprKind::Pos(value) | ExprKind::Attribute(value, _) => {
                self.visit_expr(value);
            }
            ExprKind::Arith(first, others) => {
                self.visit_expr(first);
                others.iter().for_each(|(_, other)| self.visit_expr(other));
            }
            ExprKind::Compare(first, others) => {
                self.visit_expr(first);
                others.iter().for_each(|(_, other)| self.visit_expr(other));
            }
            ExprKind::Condition(condition) => {
                self.visit_condition(&condition.test);
                self.visit_expr(&condition.then);
                condition
                    .otherwise
                    .iter()
                    .for_each(|otherwise| self.visit_expr(otherwise));
            }
            ExprKind::Item(value, key) => {
                self.visit_expr(value);
                self.visit_expr(key);
            }
            ExprKind::Slice(value, bounds) => {
                self.visit_expr(value);
                bounds
                    .iter()
                    .flatten()
                    .for_each(|bound| self.visit_expr(bound));
            }
            ExprKind::Call(value, arguments) | ExprKind::Test(value, _, arguments) => {
                self.visit_expr(value);
                self.visit_arguments(arguments);
            }
            ExprKind::Filter(value, _, arguments) => {
                value.iter().for_each(|value| self.visit_expr(value));
                self.visit_arguments(arguments);
            }
        }
    }
}
