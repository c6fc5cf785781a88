//! Run-time templates: which `Option`s have a value because of what a condition has found.
//!
//! Generated code binds the value inside an `Option` by a pattern, which only the first branch of a condition can do. The
//! interpreter needs no binding, so at run time each later branch and operand is narrowed too.

use super::Analyzer;
use super::scope::{Meaning, Name};
use crate::kind::Kind;
use crate::{CompareOp, Expr, Literal, Path};

impl Analyzer<'_> {
    /// Narrows what follows in this scope to the case that the condition holds, or does not.
    pub(super) fn assume(&mut self, condition: &Expr, holds: bool) {
        if !self.context.run_time {
            return;
        }
        let mut found = Vec::new();
        finds(condition, holds, &mut found);
        for path in found {
            self.narrow(path);
        }
    }

    /// Narrows what follows in this scope to the case that none of the conditions holds.
    pub(super) fn assume_all(&mut self, failed: &[&Expr]) {
        for condition in failed {
            self.assume(condition, false);
        }
    }

    fn narrow(&mut self, path: &Path) {
        let segments: Vec<&str> = path.segments.iter().map(|name| name.as_str()).collect();
        let (place, kind) = match self.scopes.find_path(&segments) {
            Some((name, length)) if length == segments.len() => match &name.meaning {
                Meaning::Place { place, kind } => (place.clone(), kind.clone()),
                _ => return,
            },
            None if segments.len() == 1 => match self.field(segments[0]) {
                Some(field) => {
                    let kind = self.context.fields[field].kind.clone();
                    (self.place_of(field, path.dotted(), path.span), kind)
                }
                None => return,
            },
            _ => return,
        };
        if let Kind::Option(inner) = kind {
            self.scopes.bind(Name::place(path.dotted(), place, *inner));
        }
    }
}

/// The paths that have a value if the condition holds, or if it does not.
fn finds<'t>(condition: &'t Expr, holds: bool, out: &mut Vec<&'t Path>) {
    match condition {
        Expr::Path(path) if holds => out.push(path),
        Expr::Not(inner) => finds(&inner.value, !holds, out),
        Expr::And(sides) if holds => {
            finds(&sides.0, true, out);
            finds(&sides.1, true, out);
        }
        Expr::Or(sides) if !holds => {
            finds(&sides.0, false, out);
            finds(&sides.1, false, out);
        }
        Expr::Test(test) => {
            let found = match test.name.as_str() {
                "defined" => holds != test.negated,
                "none" | "undefined" => holds == test.negated,
                _ => holds && !test.negated,
            };
            if found {
                finds(&test.value, true, out);
            }
        }
        Expr::Compare(compare) => {
            if let [(op, Expr::Literal(literal))] = &compare.rest[..]
                && literal.value == Literal::None
            {
                let differs = op.value == CompareOp::Ne;
                let is_equality = differs || op.value == CompareOp::Eq;
                if is_equality && differs == holds {
                    finds(&compare.first, true, out);
                }
            }
        }
        _ => {}
    }
}
