//! The names that a template takes from around it.

use prompt_syntax::{Dialect, Expr, Node, Options, Spanned, parse};

use crate::attribute::Given;

/// The names of the variables that a template shows or asks about, in the order in which they come.
pub(super) fn captured(text: &str, dialect: Dialect, given: &Given) -> Vec<String> {
    let roles = matches!(given, Given::Template { .. });
    let options = Options {
        roles,
        ..Options::message(dialect)
    };
    let parsed = parse(text, options);
    let mut names = Names::default();
    names.nodes(&parsed.template.nodes);
    names.found
}

/// Whether this is how types are named, which no variable and no constant is: `String`, `u8`.
pub(super) fn names_type(name: &str) -> bool {
    const BUILT_IN: [&str; 17] = [
        "bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32",
        "i64", "i128", "isize", "f32", "f64",
    ];
    let camel = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.contains(|c: char| c.is_ascii_lowercase())
        && !name.contains('_');
    (camel && name != "Self") || BUILT_IN.contains(&name)
}

#[derive(Default)]
struct Names {
    bound: Vec<String>,
    found: Vec<String>,
}

impl Names {
    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            self.node(node);
        }
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Slot(slot) => self.expr(&slot.expr),
            Node::If(block) => {
                for branch in &block.branches {
                    self.expr(&branch.condition);
                    self.nodes(&branch.body);
                }
                self.nodes(block.otherwise.as_deref().unwrap_or_default());
            }
            Node::For(block) => {
                self.expr(&block.list);
                self.nodes(block.otherwise.as_deref().unwrap_or_default());
                let outside = self.bound.len();
                self.bind(&block.targets);
                block
                    .condition
                    .iter()
                    .for_each(|condition| self.expr(condition));
                self.bound.push("loop".to_owned());
                self.nodes(&block.body);
                self.bound.truncate(outside);
            }
            Node::Role(block) => self.nodes(&block.body),
            Node::Set(set) => {
                self.expr(&set.value);
                self.block(set.body.as_deref().unwrap_or_default());
                self.bind(&set.targets);
            }
            Node::With(block) => {
                block
                    .bindings
                    .iter()
                    .for_each(|binding| self.expr(&binding.value));
                let outside = self.bound.len();
                self.bound.extend(
                    block
                        .bindings
                        .iter()
                        .map(|binding| binding.name.value.clone()),
                );
                self.nodes(&block.body);
                self.bound.truncate(outside);
            }
            Node::Macro(block) => {
                self.bound.push(block.name.value.clone());
                let outside = self.bound.len();
                for param in &block.params {
                    param.default.iter().for_each(|default| self.expr(default));
                    self.bound.push(param.name.value.clone());
                }
                self.nodes(&block.body);
                self.bound.truncate(outside);
            }
            Node::Filter(block) => {
                self.expr(&block.value);
                self.block(&block.body);
            }
            _ => {}
        }
    }

    fn bind(&mut self, names: &[Spanned<String>]) {
        self.bound
            .extend(names.iter().map(|name| name.value.clone()));
    }

    /// What ends with its block.
    fn block(&mut self, nodes: &[Node]) {
        let outside = self.bound.len();
        self.nodes(nodes);
        self.bound.truncate(outside);
    }

    fn expr(&mut self, expr: &Expr) {
        expr.walk(&mut |expr| {
            if let Expr::Path(path) = expr {
                let name = &path.segments[0].value;
                if !self.bound.contains(name) && !self.found.contains(name) {
                    self.found.push(name.clone());
                }
            }
        });
    }
}
