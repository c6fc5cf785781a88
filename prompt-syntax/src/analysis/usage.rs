//! The names that a template takes from outside, and how it uses each: the attribute macro `template` chooses the types of
//! its fields by it, and `prompt!` the variables that it captures.

use crate::{Expr, Node, Path, Spanned};
use prompt_base::Span;

/// A name from outside of the template.
pub struct NameUsage {
    /// The name.
    pub name: String,
    /// Where it is first used.
    pub span: Span,
    /// It fills a slot that is written unconditionally.
    pub shown: bool,
    /// It fills a slot inside of a condition on it.
    pub guarded: bool,
    /// It precedes a `??`.
    pub defaulted: bool,
    /// A loop iterates over it, or a filter joins it.
    pub list: bool,
    /// It is used in a way that does not imply a type.
    pub unclear: bool,
}

impl NameUsage {
    /// Adds the uses of the same name in another text.
    pub fn merge(&mut self, other: &NameUsage) {
        self.shown |= other.shown;
        self.guarded |= other.guarded;
        self.defaulted |= other.defaulted;
        self.list |= other.list;
        self.unclear |= other.unclear;
    }
}

/// The names that a template takes from outside, in the order of their first use.
pub fn used(nodes: &[Node]) -> Vec<NameUsage> {
    let mut usage = UsageCollector::default();
    usage.nodes(nodes);
    usage.found
}

#[derive(Default)]
struct UsageCollector {
    found: Vec<NameUsage>,
    /// Names that blocks bind, each with the list whose items it names.
    bound: Vec<(String, Option<String>)>,
    /// Names that the conditions around have found a value for.
    conditions: Vec<String>,
}

/// Filters of a list.
const OF_LISTS: [&str; 2] = ["join", "lines"];

impl UsageCollector {
    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            self.node(node);
        }
    }

    fn node(&mut self, node: &Node) {
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
                self.bind(&block.targets, list.as_deref());
                if block.targets.len() > 1 {
                    self.dig(list.as_deref());
                }
                if let Some(condition) = &block.condition {
                    self.other(condition);
                }
                self.bound.push(("loop".to_owned(), None));
                self.nodes(&block.body);
                self.bound.truncate(outside);
            }
            Node::Role(block) => self.nodes(&block.body),
            #[cfg(feature = "jinja")]
            Node::Set(set) => {
                self.other(&set.value);
                self.block(set.body.as_deref().unwrap_or_default());
                self.bind(&set.targets, None);
            }
            #[cfg(feature = "jinja")]
            Node::With(block) => {
                for binding in &block.bindings {
                    self.other(&binding.value);
                }
                let outside = self.bound.len();
                for binding in &block.bindings {
                    self.bound.push((binding.name.value.clone(), None));
                }
                self.nodes(&block.body);
                self.bound.truncate(outside);
            }
            #[cfg(feature = "jinja")]
            Node::Macro(block) => {
                self.bound.push((block.name.value.clone(), None));
                let outside = self.bound.len();
                for param in &block.params {
                    param.default.iter().for_each(|default| self.other(default));
                    self.bound.push((param.name.value.clone(), None));
                }
                self.nodes(&block.body);
                self.bound.truncate(outside);
            }
            #[cfg(feature = "jinja")]
            Node::Filter(block) => {
                self.other(&block.value);
                self.block(&block.body);
            }
            #[cfg(feature = "jinja")]
            Node::Include(_) => {}
            Node::Text(_) | Node::Error(_) => {}
        }
    }

    fn bind(&mut self, names: &[Spanned<String>], list: Option<&str>) {
        for name in names {
            self.bound
                .push((name.value.clone(), list.map(str::to_owned)));
        }
    }

    /// Nodes whose names end with them.
    #[cfg(feature = "jinja")]
    fn block(&mut self, nodes: &[Node]) {
        let outside = self.bound.len();
        self.nodes(nodes);
        self.bound.truncate(outside);
    }

    /// An expression that a slot shows.
    fn slot(&mut self, expr: &Expr) {
        match expr {
            Expr::Path(path) => {
                let guarded = self.conditions.contains(&path.segments[0].value);
                self.see(path, |used| {
                    used.guarded |= guarded;
                    used.shown |= !guarded;
                });
            }
            Expr::Filter(filter) => {
                if OF_LISTS.contains(&filter.name.value[0].as_str()) {
                    self.list(&filter.value);
                } else {
                    self.slot(&filter.value);
                }
                filter.args.iter().for_each(|arg| self.other(arg));
                let named = filter.named.iter();
                named.for_each(|named| self.other(&named.value));
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

    /// A condition. A name that it must find has a value inside the block.
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

    /// The list of a loop: its name, if it is from outside.
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

    /// Any other use of an expression: it implies no types.
    fn other(&mut self, expr: &Expr) {
        expr.walk(&mut |expr| {
            if let Expr::Path(path) = expr {
                self.see(path, |used| used.unclear = true);
            }
        });
    }

    /// Notes that the items of a list have parts of their own.
    fn dig(&mut self, list: Option<&str>) {
        let mut found = self.found.iter_mut();
        if let Some(used) = list.and_then(|list| found.find(|used| used.name == list)) {
            used.unclear = true;
        }
    }

    fn see(&mut self, path: &Path, note: impl FnOnce(&mut NameUsage)) {
        let (first, rest) = (&path.segments[0], &path.segments[1..]);
        let mut bound = self.bound.iter().rev();
        if let Some((_, list)) = bound.find(|(name, _)| *name == first.value) {
            if !rest.is_empty() {
                let list = list.clone();
                self.dig(list.as_deref());
            }
            return;
        }
        let index = self.found.iter().position(|used| used.name == first.value);
        let index = index.unwrap_or_else(|| {
            self.found.push(NameUsage {
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

/// The expression that a chain of filters begins with.
fn base(expr: &Expr) -> &Expr {
    match expr {
        Expr::Filter(filter) => base(&filter.value),
        other => other,
    }
}

/// The variables of loops, which may end too early, and the names in tags that could not be parsed.
pub fn lost(nodes: &[Node], text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for node in nodes {
        node.walk(&mut |node| match node {
            Node::For(block) => {
                names.extend(block.targets.iter().map(|name| name.value.clone()));
            }
            Node::Error(span) => {
                let text = text.get(span.start..span.end).unwrap_or_default();
                let words = text.split(|char: char| !char.is_alphanumeric() && char != '_');
                names.extend(words.filter(|word| !word.is_empty()).map(str::to_owned));
            }
            _ => {}
        });
    }
    names
}
