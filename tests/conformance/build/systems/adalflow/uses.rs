//! How a template uses its variables, and which uses are compile errors.

use std::collections::{BTreeMap, BTreeSet};

use prompt_jinja_syntax::builtin::{FILTERS, FUNCTIONS, METHODS, TESTS, find};
use prompt_jinja_syntax::{CallExpr, Expr, JinjaExpr, JinjaNode, Node, parse};
use prompt_syntax::{Dialect, Literal, Options, Spanned};

/// The parser options of AdalFlow.
pub(super) fn options() -> Options {
    Options {
        trim_blocks: true,
        lstrip_blocks: true,
        keep_trailing_newline: true,
        ..Options::message(Dialect::Jinja)
    }
}

/// The analysis of a template.
#[derive(Default)]
pub(super) struct Uses {
    /// The variables in order, and whether each is only rendered, tested or iterated, so that a plain type suffices.
    pub(super) variables: BTreeMap<String, bool>,
    /// The texts of the expected compile errors.
    pub(super) refused: Vec<String>,
    /// The variables that loops iterate.
    pub(super) walked: BTreeSet<String>,
    bound: Vec<Bound>,
}

struct Bound {
    name: String,
    used: bool,
    /// The variable whose items the name refers to.
    of: Option<String>,
    /// The text of the compile error if the name is not used.
    unused: Option<&'static str>,
    is_macro: bool,
}

impl Uses {
    pub(super) fn of(template: &str) -> Uses {
        let parsed = parse(template, options());
        let mut uses = Uses {
            refused: parsed
                .errors
                .into_iter()
                .map(|error| error.message().to_owned())
                .collect(),
            ..Uses::default()
        };
        let syntax = uses.refused.len();
        uses.block(&parsed.template.nodes);
        // Consequences of a syntax error are not reported as well.
        if syntax > 0 {
            uses.refused.truncate(syntax);
        }
        uses
    }

    fn block(&mut self, nodes: &[Node]) {
        let outside = self.bound.len();
        self.nodes(nodes);
        self.close(outside);
    }

    fn close(&mut self, outside: usize) {
        for bound in self.bound.split_off(outside) {
            if let Some(said) = bound
                .unused
                .filter(|_| !bound.used && !bound.name.starts_with('_'))
            {
                self.refused.push(format!("`{}` {said}", bound.name));
            }
        }
    }

    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            self.node(node);
        }
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Slot(slot) => self.plain(&slot.expr),
            Node::If(block) => {
                for branch in &block.branches {
                    self.plain(&branch.condition);
                    self.nodes(&branch.body);
                }
                self.nodes(block.otherwise.as_deref().unwrap_or_default());
            }
            Node::For(block) => {
                let of = match &block.list {
                    Expr::Path(path) if path.segments.len() == 1 => Some(path.dotted()),
                    _ => None,
                };
                self.plain(&block.list);
                self.walked.extend(of.clone());
                self.block(block.otherwise.as_deref().unwrap_or_default());
                let outside = self.bound.len();
                let of = of.filter(|_| block.targets.len() == 1);
                self.bind(&block.targets, of.as_ref(), Some("is never used"));
                block
                    .condition
                    .iter()
                    .for_each(|condition| self.expr(condition));
                self.bound.push(Bound {
                    name: "loop".to_owned(),
                    used: true,
                    of: None,
                    unused: None,
                    is_macro: false,
                });
                self.nodes(&block.body);
                self.close(outside);
            }
            Node::Other(JinjaNode::Set(set)) => {
                self.expr(&set.value);
                self.block(set.body.as_deref().unwrap_or_default());
                self.bind(&set.targets, None, Some("is set and never used"));
            }
            Node::Other(JinjaNode::With(block)) => {
                block
                    .bindings
                    .iter()
                    .for_each(|binding| self.expr(&binding.value));
                let outside = self.bound.len();
                let names: Vec<_> = block
                    .bindings
                    .iter()
                    .map(|binding| binding.name.clone())
                    .collect();
                self.bind(&names, None, Some("is set and never used"));
                self.nodes(&block.body);
                self.close(outside);
            }
            Node::Other(JinjaNode::Macro(block)) => {
                self.bound.push(Bound {
                    name: block.name.value.clone(),
                    used: false,
                    of: None,
                    unused: Some("is never called"),
                    is_macro: true,
                });
                let outside = self.bound.len();
                let names: Vec<_> = block
                    .params
                    .iter()
                    .map(|param| param.name.clone())
                    .collect();
                self.bind(&names, None, None);
                block
                    .params
                    .iter()
                    .filter_map(|param| param.default.as_ref())
                    .for_each(|default| self.expr(default));
                self.nodes(&block.body);
                self.close(outside);
            }
            Node::Other(JinjaNode::Filter(block)) => {
                self.expr(&block.value);
                self.block(&block.body);
            }
            Node::Other(JinjaNode::Include(_)) => self.refused.push("there is no file".to_owned()),
            _ => {}
        }
    }

    fn bind(
        &mut self,
        names: &[Spanned<String>],
        of: Option<&String>,
        unused: Option<&'static str>,
    ) {
        for name in names {
            // Assigned again in the same block.
            if unused == Some("is set and never used")
                && let Some(bound) = self
                    .bound
                    .iter_mut()
                    .rev()
                    .find(|bound| bound.name == name.value)
            {
                bound.used = true;
            }
            self.bound.push(Bound {
                name: name.value.clone(),
                used: false,
                of: of.cloned(),
                unused,
                is_macro: false,
            });
        }
    }

    /// A use for which a value of any type suffices.
    fn plain(&mut self, expr: &Expr) {
        match expr {
            Expr::Path(path) if path.segments.len() == 1 => {
                self.name(&path.segments[0].value, true);
            }
            Expr::Not(inner) => self.plain(&inner.value),
            Expr::And(sides) | Expr::Or(sides) => {
                self.plain(&sides.0);
                self.plain(&sides.1);
            }
            Expr::Other(JinjaExpr::Concat(items)) => {
                items.value.iter().for_each(|item| self.plain(item));
            }
            other => self.expr(other),
        }
    }

    fn name(&mut self, name: &str, plain: bool) {
        if let Some(bound) = self.bound.iter_mut().rev().find(|bound| bound.name == name) {
            bound.used = true;
            if let Some(of) = bound.of.clone().filter(|_| !plain) {
                self.name(&of, false);
            }
            return;
        }
        *self.variables.entry(name.to_owned()).or_insert(true) &= plain;
    }

    fn refuse(&mut self, what: &str, name: &str) {
        self.refused.push(format!("unknown {what} `{name}`"));
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Path(path) => self.name(&path.segments[0].value, false),
            Expr::Filter(filter) => {
                let name = filter.name.value.join("::");
                if find(FILTERS, &name).is_none() {
                    self.refuse("filter", &name);
                }
            }
            Expr::Other(JinjaExpr::Test(test)) if find(TESTS, &test.name.value).is_none() => {
                self.refuse("test", &test.name.value);
            }
            Expr::Other(JinjaExpr::If(conditional)) => {
                self.plain(&conditional.condition);
                self.expr(&conditional.value);
                conditional
                    .otherwise
                    .iter()
                    .for_each(|expr| self.expr(expr));
                return;
            }
            Expr::Other(JinjaExpr::Attribute(attribute)) => {
                if let Expr::Literal(Spanned {
                    value: Literal::Str(_),
                    ..
                }) = &attribute.value
                {
                    self.refused
                        .push(format!("so it has no `{}`", attribute.name.value));
                }
            }
            Expr::Other(JinjaExpr::Call(call)) => self.called(call),
            _ => {}
        }
        expr.each_operand(&mut |expr| self.expr(expr));
    }

    fn called(&mut self, call: &CallExpr) {
        let name = &call.name.value;
        if let Some(receiver) = &call.receiver {
            let is_loop = matches!(receiver, Expr::Path(path) if path.dotted() == "loop");
            if find(METHODS, name).is_none() && !is_loop {
                self.refuse("method", name);
            }
            return;
        }
        let mut bound = self.bound.iter_mut().rev();
        match bound.find(|bound| bound.name == *name) {
            Some(bound) if bound.is_macro => bound.used = true,
            Some(_) => {
                let said = format!("`{name}` is a value and cannot be called");
                self.refused.push(said);
            }
            None if find(FUNCTIONS, name).is_some() => {}
            None => self.refuse("macro", name),
        }
    }
}
