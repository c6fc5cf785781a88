//! Narrowing: what a condition shows about the values that it tests.

use super::Analyzer;
use super::binding::{Binding, Resolution};
use super::piece::{Condition, PlaceExpr, Root};
use crate::language::{Language, LanguageCondition as _, LanguageExpr as _};
use crate::{CompareOp, Dialect, Expr, Kind, Literal, Path};

impl<L: Language> Analyzer<'_, L> {
    /// Narrows what follows in this scope to the case that the condition holds, or does not.
    pub fn assume_condition(&mut self, condition: &Expr<L>, holds: bool) {
        if !self.context.run_time {
            return;
        }
        let mut found = Vec::new();
        collect_known_paths(condition, holds, &mut found);
        for path in found {
            self.bind_known_value(path);
        }
    }

    /// Narrows what follows in this scope to the case that none of the conditions holds.
    pub fn assume_none(&mut self, failed: &[&Expr<L>]) {
        for condition in failed {
            self.assume_condition(condition, false);
        }
    }

    fn bind_known_value(&mut self, path: &Path) {
        if let Some((place, Kind::Option(inner))) = self.place_of_path(path) {
            self.scopes
                .bind_name(Binding::place(path.dotted(), place, *inner));
        }
    }

    /// The place that a path is, and its kind.
    pub fn place_of_path(&mut self, path: &Path) -> Option<(PlaceExpr, Kind)> {
        let segments = path.names();
        let (mut place, mut kind, length) = match self.scopes.find_path(&segments) {
            Some((name, length)) => match &name.meaning {
                Resolution::Place { place, kind } => (place.clone(), kind.clone(), length),
                _ => return None,
            },
            None => {
                let field = self.find_field(segments[0])?;
                let kind = self.context.fields[field].kind.clone();
                let place = self.field_place(field, path.dotted(), path.span);
                (place, kind, 1)
            }
        };
        for part in &segments[length..] {
            let part_kind = kind.field_kind(part)?;
            kind = match self.context.dialect {
                Dialect::Jinja => part_kind,
                _ => part_kind.in_plain_dialects(),
            };
            place.rest.push((*part).to_owned());
        }
        Some((place, kind))
    }
}

/// Calls `see` for each part of a condition that holds, or that does not, if the condition holds or does not.
pub fn each_fact<'t, L: Language>(
    condition: &'t Expr<L>,
    holds: bool,
    see: &mut dyn FnMut(&'t Expr<L>, bool),
) {
    match condition {
        Expr::Not(inner) => each_fact(&inner.value, !holds, see),
        Expr::And(sides) if holds => {
            each_fact(&sides.0, true, see);
            each_fact(&sides.1, true, see);
        }
        Expr::Or(sides) if !holds => {
            each_fact(&sides.0, false, see);
            each_fact(&sides.1, false, see);
        }
        fact => see(fact, holds),
    }
}

/// The paths that have a value if the condition holds, or if it does not.
fn collect_known_paths<'t, L: Language>(
    condition: &'t Expr<L>,
    holds: bool,
    out: &mut Vec<&'t Path>,
) {
    each_fact(condition, holds, &mut |fact, holds| match fact {
        Expr::Path(path) if holds => out.push(path),
        Expr::Other(expr) => {
            if let Some(value) = expr.found_value(holds) {
                collect_known_paths(value, true, out);
            }
        }
        Expr::Compare(compare) => {
            if let [(op, Expr::Literal(literal))] = &compare.rest[..]
                && literal.value == Literal::None
            {
                let differs = op.value == CompareOp::Ne;
                let is_equality = differs || op.value == CompareOp::Eq;
                if is_equality && differs == holds {
                    collect_known_paths(&compare.first, true, out);
                }
            }
        }
        _ => {}
    });
}

/// Removes the bindings of a condition that its block does not use. Those below a `not` and an `or` are of their own.
pub fn remove_unused_binding<L: Language>(test: &mut Condition<L>, names: &[Binding<L>]) {
    let binding = match test {
        Condition::Present { binding, .. } => binding,
        Condition::Other(other) => match other.binding_mut() {
            Some(binding) => binding,
            None => return,
        },
        Condition::And(sides) => {
            remove_unused_binding(&mut sides.0, names);
            return remove_unused_binding(&mut sides.1, names);
        }
        _ => return,
    };
    let is_used = |ident: &String| {
        names.iter().any(|name| {
            name.used
                && matches!(&name.meaning, Resolution::Place { place, .. }
                    if matches!(&place.root, Root::Local(local) if local == ident))
        })
    };
    if !binding.as_ref().is_some_and(is_used) {
        *binding = None;
    }
}
