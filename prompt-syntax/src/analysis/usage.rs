//! The names that a template takes from outside, and how it uses each: the attribute macro `template` chooses the types of
//! its fields by it, and `prompt!` the variables that it captures.

use super::names::NameResolver;
use crate::{Expr, Node, Path};
use prompt_base::Span;

/// A name from outside of the template.
#[derive(Clone, PartialEq, Eq, Debug)]
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
    pub fn merge_uses(&mut self, other: &NameUsage) {
        self.shown |= other.shown;
        self.guarded |= other.guarded;
        self.defaulted |= other.defaulted;
        self.list |= other.list;
        self.unclear |= other.unclear;
    }
}

/// The names that have been found so far.
pub(super) struct UsageRecorder {
    /// Whether names are to be inferred; otherwise nothing is recorded.
    is_enabled: bool,
    /// In the order of their first use.
    pub(super) found: Vec<NameUsage>,
    /// Names that the conditions around have found a value for.
    pub(super) conditions: Vec<String>,
}

impl UsageRecorder {
    pub(super) fn new(is_enabled: bool) -> UsageRecorder {
        UsageRecorder {
            is_enabled,
            found: Vec::new(),
            conditions: Vec::new(),
        }
    }

    /// Records that the items of a list have parts of their own.
    pub(super) fn record_parts(&mut self, list: Option<&str>) {
        let mut found = self.found.iter_mut();
        if let Some(used) = list.and_then(|list| found.find(|used| used.name == list)) {
            used.unclear = true;
        }
    }

    /// The entry of the name that a path begins with.
    fn entry(&mut self, path: &Path) -> &mut NameUsage {
        let first = &path.segments[0];
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
        &mut self.found[index]
    }
}

/// Filters of a list.
const OF_LISTS: [&str; 2] = ["join", "lines"];

impl NameResolver<'_> {
    /// An expression that a slot shows.
    pub(super) fn record_slot(&mut self, expr: &Expr) {
        if !self.usage.is_enabled {
            return;
        }
        match expr {
            Expr::Path(path) => {
                let guarded = self.usage.conditions.contains(&path.segments[0].value);
                self.record_path(path, |used| {
                    used.guarded |= guarded;
                    used.shown |= !guarded;
                });
            }
            Expr::Filter(filter) => {
                if OF_LISTS.contains(&filter.name.value[0].as_str()) {
                    self.record_list(&filter.value);
                } else {
                    self.record_slot(&filter.value);
                }
                filter.args.iter().for_each(|arg| self.record_other(arg));
                let named = filter.named.iter();
                named.for_each(|named| self.record_other(&named.value));
            }
            Expr::Default(coalesce) => {
                if let Expr::Path(path) = first_of_filters(&coalesce.value) {
                    self.record_path(path, |used| used.defaulted = true);
                } else {
                    self.record_other(&coalesce.value);
                }
                self.record_slot(&coalesce.default);
            }
            other => self.record_other(other),
        }
    }

    /// A condition. A name that it must find has a value inside the block.
    pub(super) fn record_condition(&mut self, expr: &Expr, holds: bool) {
        if !self.usage.is_enabled {
            return;
        }
        match expr {
            Expr::Path(path) => {
                self.record_path(path, |_| {});
                if holds {
                    self.usage.conditions.push(path.segments[0].value.clone());
                }
            }
            Expr::Not(inner) => self.record_condition(&inner.value, false),
            Expr::And(sides) => {
                self.record_condition(&sides.0, holds);
                self.record_condition(&sides.1, holds);
            }
            Expr::Or(sides) => {
                self.record_condition(&sides.0, false);
                self.record_condition(&sides.1, false);
            }
            other => self.record_other(other),
        }
    }

    /// The list of a loop: its name, if it is from outside.
    pub(super) fn record_list(&mut self, expr: &Expr) -> Option<String> {
        if !self.usage.is_enabled {
            return None;
        }
        match expr {
            Expr::Path(path) => {
                self.record_path(path, |used| used.list = true);
                let name = path.segments[0].value.clone();
                match self.scopes.find_name(&name) {
                    // A list in a list.
                    Some(bound) => {
                        self.usage.record_parts(bound.list_name.as_deref());
                        None
                    }
                    None => Some(name),
                }
            }
            Expr::Filter(filter) if filter.name.value == ["lines"] => {
                self.record_slot(&filter.value);
                None
            }
            other => {
                self.record_other(other);
                None
            }
        }
    }

    /// Any other use of an expression: it implies no types.
    pub(super) fn record_other(&mut self, expr: &Expr) {
        if !self.usage.is_enabled {
            return;
        }
        expr.walk(&mut |expr| {
            if let Expr::Path(path) = expr {
                self.record_path(path, |used| used.unclear = true);
            }
        });
    }

    fn record_path(&mut self, path: &Path, record: impl FnOnce(&mut NameUsage)) {
        let has_parts = path.segments.len() > 1;
        if let Some(bound) = self.scopes.find_name(&path.segments[0].value) {
            if has_parts {
                self.usage.record_parts(bound.list_name.as_deref());
            }
            return;
        }
        let used = self.usage.entry(path);
        record(used);
        used.unclear |= has_parts;
    }
}

/// The expression that a chain of filters begins with.
fn first_of_filters(expr: &Expr) -> &Expr {
    match expr {
        Expr::Filter(filter) => first_of_filters(&filter.value),
        other => other,
    }
}

/// The variables of loops, which may end too early, and the names in tags that could not be parsed.
pub fn unparsed_names(nodes: &[Node], text: &str) -> Vec<String> {
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
