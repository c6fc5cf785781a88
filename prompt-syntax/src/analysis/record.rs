//! How expressions use the names that a template takes from outside.

use super::names::NameResolver;
use super::usage::NameUsage;
use crate::language::Language;
use crate::{Expr, Path};

/// Filters of a list.
const OF_LISTS: [&str; 2] = ["join", "lines"];

impl NameResolver<'_> {
    /// An expression that a slot shows.
    pub(super) fn record_slot<L: Language>(&mut self, expr: &Expr<L>) {
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
    pub(super) fn record_condition<L: Language>(&mut self, expr: &Expr<L>, holds: bool) {
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
    pub(super) fn record_list<L: Language>(&mut self, expr: &Expr<L>) -> Option<String> {
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
    pub fn record_other<L: Language>(&mut self, expr: &Expr<L>) {
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
fn first_of_filters<L: Language>(expr: &Expr<L>) -> &Expr<L> {
    match expr {
        Expr::Filter(filter) => first_of_filters(&filter.value),
        other => other,
    }
}
