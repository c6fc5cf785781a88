//! What a template does with each name, which says of what type it is.

use prompt_syntax::{Expr, Node, Path, Span};

/// A name from outside of the template.
pub(super) struct Used {
    pub(super) name: String,
    /// Where it is first used.
    pub(super) span: Span,
    /// It fills a slot that is there without it.
    pub(super) shown: bool,
    /// It fills a slot inside of a condition on it.
    pub(super) guarded: bool,
    /// It stands before a `??`.
    pub(super) defaulted: bool,
    /// A loop walks over it, or a filter joins it.
    pub(super) list: bool,
    /// Something else is done with it.
    pub(super) unclear: bool,
}

impl Used {
    pub(super) fn merge(&mut self, other: &Used) {
        self.shown |= other.shown;
        self.guarded |= other.guarded;
        self.defaulted |= other.defaulted;
        self.list |= other.list;
        self.unclear |= other.unclear;
    }
}

/// Walks over a template.
#[derive(Default)]
pub(super) struct Usage {
    pub(super) found: Vec<Used>,
    /// Names that blocks bind, with the list that they come from.
    bound: Vec<(String, Option<String>)>,
    /// Names that hold where we are.
    conditions: Vec<String>,
}

/// Filters of a list.
const OF_LISTS: [&str; 2] = ["join", "lines"];

impl Usage {
    pub(super) fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Slot(slot) => self.slot(&slot.expr),
                Node::If(block) => {
                    for branch in &block.branches {
                        let outside = self.conditions.len();
                        self.condition(&branch.condition, true);
                        self.nodes(&branch.body);
                        self.conditions.truncate(outside);
                    }
                    self.nodes(block.otherwise.as_deref().unwrap_or_default());
                }
                Node::For(block) => {
                    let list = self.list(&block.list);
                    self.nodes(block.otherwise.as_deref().unwrap_or_default());
                    let outside = self.bound.len();
                    for target in &block.targets {
                        self.bound.push((target.value.clone(), list.clone()));
                    }
                    if block.targets.len() > 1 {
                        self.dig(list.as_deref());
                    }
                    if let Some(condition) = &block.condition {
                        self.other(condition);
                    }
                    self.nodes(&block.body);
                    self.bound.truncate(outside);
                }
                Node::Role(block) => self.nodes(&block.body),
                Node::Set(set) => {
                    self.other(&set.value);
                    self.nodes(set.body.as_deref().unwrap_or_default());
                    let names = set.targets.iter();
                    self.bound
                        .extend(names.map(|name| (name.value.clone(), None)));
                }
                Node::With(block) => {
                    let outside = self.bound.len();
                    for binding in &block.bindings {
                        self.other(&binding.value);
                        self.bound.push((binding.name.value.clone(), None));
                    }
                    self.nodes(&block.body);
                    self.bound.truncate(outside);
                }
                Node::Macro(block) => {
                    let outside = self.bound.len();
                    for param in &block.params {
                        self.bound.push((param.name.value.clone(), None));
                    }
                    self.nodes(&block.body);
                    self.bound.truncate(outside);
                }
                Node::Filter(block) => self.nodes(&block.body),
                _ => {}
            }
        }
    }

    /// What is shown.
    fn slot(&mut self, expr: &Expr) {
        match expr {
            Expr::Path(path) => {
                let guarded = self.conditions.contains(&path.segments[0].value);
                self.see(path, |used| {
                    if guarded {
                        used.guarded = true;
                    } else {
                        used.shown = true;
                    }
                });
            }
            Expr::Filter(filter) if OF_LISTS.contains(&filter.name.value[0].as_str()) => {
                self.list(&filter.value);
                filter.args.iter().for_each(|arg| self.other(arg));
            }
            Expr::Filter(filter) => {
                self.slot(&filter.value);
                filter.args.iter().for_each(|arg| self.other(arg));
            }
            Expr::Default(coalesce) => {
                if let Expr::Path(path) = base(&coalesce.value) {
                    self.see(path, |used| used.defaulted = true);
                } else {
                    self.other(&coalesce.value);
                }
                self.slot(&coalesce.default);
            }
            other => self.other(other),
        }
    }

    /// What must hold. A name that must be there is there inside the block.
    fn condition(&mut self, expr: &Expr, holds: bool) {
        match expr {
            Expr::Path(path) => {
                self.see(path, |_| {});
                if holds {
                    self.conditions.push(path.segments[0].value.clone());
                }
            }
            Expr::Not(inner) => self.condition(&inner.value, false),
            Expr::And(sides) => {
                self.condition(&sides.0, holds);
                self.condition(&sides.1, holds);
            }
            Expr::Or(sides) => {
                self.condition(&sides.0, false);
                self.condition(&sides.1, false);
            }
            other => self.other(other),
        }
    }

    /// What a loop walks over: its name, if it is one from outside.
    fn list(&mut self, expr: &Expr) -> Option<String> {
        match expr {
            Expr::Path(path) => {
                self.see(path, |used| used.list = true);
                let name = path.segments[0].value.clone();
                match self.bound.iter().rev().find(|(bound, _)| *bound == name) {
                    // A list in a list.
                    Some((_, list)) => {
                        let list = list.clone();
                        self.dig(list.as_deref());
                        None
                    }
                    None => Some(name),
                }
            }
            Expr::Filter(filter) if filter.name.value == ["lines"] => {
                self.slot(&filter.value);
                None
            }
            other => {
                self.other(other);
                None
            }
        }
    }

    /// Anything else: only the author knows what it is done to.
    fn other(&mut self, expr: &Expr) {
        expr.walk(&mut |expr| {
            if let Expr::Path(path) = expr {
                self.see(path, |used| used.unclear = true);
            }
        });
    }

    /// What a list holds has parts of its own.
    fn dig(&mut self, list: Option<&str>) {
        let mut found = self.found.iter_mut();
        if let Some(used) = list.and_then(|list| found.find(|used| used.name == list)) {
            used.unclear = true;
        }
    }

    fn see(&mut self, path: &Path, note: impl FnOnce(&mut Used)) {
        let (first, rest) = (&path.segments[0], &path.segments[1..]);
        let mut bound = self.bound.iter().rev();
        if let Some((_, list)) = bound.find(|(name, _)| *name == first.value) {
            if !rest.is_empty() {
                let list = list.clone();
                self.dig(list.as_deref());
            }
            return;
        }
        if first.value == "loop" && !self.bound.is_empty() {
            return;
        }
        let index = self.found.iter().position(|used| used.name == first.value);
        let index = index.unwrap_or_else(|| {
            self.found.push(Used {
                name: first.value.clone(),
                span: path.span,
                shown: false,
                guarded: false,
                defaulted: false,
                list: false,
                unclear: false,
            });
            self.found.len() - 1
        });
        let used = &mut self.found[index];
        note(used);
        used.unclear |= !rest.is_empty();
    }
}

/// What a chain of filters begins with.
fn base(expr: &Expr) -> &Expr {
    match expr {
        Expr::Filter(filter) => base(&filter.value),
        other => other,
    }
}
