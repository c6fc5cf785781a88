//! Conditions, and the values that they find in an `Option`.

use super::expr::args_of;
use crate::analysis::{
    Binding, Condition, Function, JinjaAnalyzer, JinjaCondition, JinjaMeaning, PlaceExpr,
    Resolution, Root, SlotValue, Term,
};
use crate::builtin::{BuiltinKind, TESTS, find, signature};
use crate::problem::{call, value};
use crate::{Expr, JinjaExpr, TestExpr as Asked};
use prompt_syntax::analysis::each_fact;
use prompt_syntax::{Kind, Path};

impl JinjaAnalyzer<'_, '_> {
    /// A condition. The value inside an `Option` is bound where the condition must hold for its block to be reached.
    pub(super) fn resolve_test(&mut self, condition: &Expr, binds: bool) -> Option<Condition> {
        // A constant alone is Jinja2's own way to switch a block on or off, and `name or 'text'` its way to write a default value.
        if let Some((error, Some(other))) = self.constant_operand(condition)
            && is_comparison(other)
        {
            // A mistake beside it is the first one.
            self.resolve_test(other, false)?;
            return self.report_as_none(error);
        }
        match condition {
            Expr::Not(inner) => Some(Condition::Not(Box::new(
                self.resolve_test(&inner.value, false)?,
            ))),
            Expr::And(sides) => {
                let left = self.resolve_test(&sides.0, binds);
                self.assume_kinds(&sides.0, true);
                let right = self.resolve_test(&sides.1, binds);
                Some(Condition::And(Box::new((left?, right?))))
            }
            Expr::Or(sides) => {
                let left = self.resolve_test(&sides.0, false);
                self.assume_kinds(&sides.0, false);
                let right = self.resolve_test(&sides.1, false);
                Some(Condition::Or(Box::new((left?, right?))))
            }
            Expr::Other(JinjaExpr::Test(test)) => self.test_as_condition(test, binds),
            Expr::Path(path) => {
                let value = self.resolve_name(path, self.context.run_time)?;
                match value.term {
                    Term::Place(place) => self.presence_test(place, &value.kind, path.span, binds),
                    term => Some(Condition::Other(JinjaCondition::Holds(term))),
                }
            }
            other => Some(Condition::Other(JinjaCondition::Holds(
                self.resolve_optional(other)?.term,
            ))),
        }
    }

    /// Narrows what follows in this scope to the case that the condition holds, or does not.
    pub(super) fn assume_case(&mut self, condition: &Expr, holds: bool) {
        self.assume_condition(condition, holds);
        self.assume_kinds(condition, holds);
    }

    /// Narrows what follows in this scope to the case that none of the conditions holds.
    pub(super) fn assume_no_case(&mut self, failed: &[&Expr]) {
        for condition in failed {
            self.assume_case(condition, false);
        }
    }

    /// Leaves the kind of a value open where it contradicts the condition, as that of a list in `{% if x is string %}`, in a run-time template.
    /// What follows is not reached: a macro may be called with values of several kinds.
    fn assume_kinds(&mut self, condition: &Expr, holds: bool) {
        if !self.context.run_time {
            return;
        }
        let mut facts = Vec::new();
        each_fact(condition, holds, &mut |fact, holds| {
            facts.push((fact, holds));
        });
        for (fact, holds) in facts {
            let (path, test, is_expected) = match fact {
                Expr::Path(path) if holds => (path, "none", false),
                Expr::Other(JinjaExpr::Test(test)) => match &test.value {
                    Expr::Path(path) => (path, test.name.as_str(), holds != test.negated),
                    _ => continue,
                },
                _ => continue,
            };
            if let Some((meaning, kind)) = self.with_open_kind(path)
                && passes_test(&kind, test) == Some(!is_expected)
            {
                self.scopes.bind_name(Binding::new(path.dotted(), meaning));
            }
        }
    }

    /// What a path is bound to, with an open kind, and its own kind.
    fn with_open_kind(&mut self, path: &Path) -> Option<(Resolution, Kind)> {
        let segments = path.names();
        if let Some((name, length)) = self.scopes.find_path(&segments)
            && let Resolution::Other(JinjaMeaning::Variable {
                ident,
                kind,
                origins,
            }) = &name.meaning
        {
            let open = JinjaMeaning::Variable {
                ident: ident.clone(),
                kind: Kind::Dynamic,
                origins: origins.clone(),
            };
            return (length == segments.len()).then(|| (Resolution::Other(open), kind.clone()));
        }
        let (place, kind) = self.place_of_path(path)?;
        let open = Resolution::Place {
            place,
            kind: Kind::Dynamic,
        };
        Some((open, kind))
    }

    fn presence_test(
        &mut self,
        place: PlaceExpr,
        kind: &Kind,
        span: prompt_base::Span,
        binds: bool,
    ) -> Option<Condition> {
        match kind {
            Kind::Option(inner) if matches!(**inner, Kind::Option(_)) => {
                self.report(value::nested_option(&place.name).at(span));
                // Its uses in the block are then not reported again.
                self.bind_present(&place, &Kind::Dynamic);
                return None;
            }
            Kind::Tuple(_) => {
                return Some(Condition::Other(JinjaCondition::Holds(Term::Place(place))));
            }
            _ => {}
        }
        let may_be_option = match kind {
            Kind::Option(_) => true,
            Kind::Unknown => matches!(place.root, Root::Field(_)) || !place.rest.is_empty(),
            _ => false,
        };
        let binding = (binds && may_be_option).then(|| self.bind_present(&place, kind));
        Some(Condition::Present {
            value: SlotValue::Place(place),
            binding,
        })
    }

    /// Binds the value inside an `Option` for the block.
    fn bind_present(&mut self, place: &PlaceExpr, kind: &Kind) -> String {
        let ident = self.fresh_for_place(place);
        let inner = PlaceExpr {
            root: Root::Local(ident.clone()),
            rest: Vec::new(),
            layers: place.layers_of_found(kind),
            ..place.clone()
        };
        let kind = kind.clone().without_option();
        self.scopes
            .bind_name(Binding::place(place.name.clone(), inner, kind));
        ident
    }

    /// `a is none`, as a value or a condition of its own.
    pub(super) fn test_as_value(&mut self, test: &Asked) -> Option<Condition> {
        self.test_as_condition(test, false)
    }

    fn test_as_condition(&mut self, test: &Asked, binds: bool) -> Option<Condition> {
        let Some(known) = find(TESTS, &test.name.value) else {
            self.report(call::unknown_function("test", &test.name, TESTS).at(test.name.span));
            self.resolve_lenient(&test.value);
            return None;
        };
        let value = match known.takes {
            BuiltinKind::Any => self.resolve_lenient(&test.value),
            _ => self.resolve_value(&test.value),
        };
        let given = self.bind_arguments("test", known, test.name.span, &test.args, &[]);
        let (value, given) = (value?, given?);
        if !signature::accepts_receiver("test", known, &value.kind) {
            return self.report_as_none(
                call::wrong_receiver("test", known, &value.kind).at(test.value.span()),
            );
        }
        let asks_for_something = match (known.function, test.negated) {
            ("defined", negated) => Some(!negated),
            ("undefined" | "none", negated) => Some(negated),
            _ => None,
        };
        if let (Term::Place(place), Kind::Option(_), Some(there)) =
            (&value.term, &value.kind, asks_for_something)
        {
            let binding = (binds && there).then(|| self.bind_present(place, &value.kind));
            let given = Condition::Other(JinjaCondition::Given {
                place: place.clone(),
                binding,
            });
            return Some(if there {
                given
            } else {
                Condition::Not(Box::new(given))
            });
        }
        let shown = match (&value.term, &value.kind, asks_for_something) {
            (Term::Place(place), Kind::Unknown, Some(true)) if binds && !place.rest.is_empty() => {
                Some((place.clone(), self.bind_present(place, &value.kind)))
            }
            _ => None,
        };
        let args = args_of(Some(value.term), given);
        let span = self.source_span(test.span);
        let holds = Condition::Other(JinjaCondition::Holds(Term::Call {
            function: Function::Test(known.function),
            args,
            span,
        }));
        let holds = if test.negated {
            Condition::Not(Box::new(holds))
        } else {
            holds
        };
        Some(match shown {
            Some((place, binding)) => Condition::Other(JinjaCondition::Shown {
                test: Box::new(holds),
                place,
                binding: Some(binding),
            }),
            None => holds,
        })
    }
}

/// The opposite of a condition that a value is absent: in its `else` the value is present.
pub(super) fn opposite_condition(condition: &Expr) -> Option<Expr> {
    match condition {
        Expr::Not(inner)
            if matches!(inner.value, Expr::Path(_) | Expr::Other(JinjaExpr::Test(_))) =>
        {
            Some(inner.value.clone())
        }
        Expr::Other(JinjaExpr::Test(test)) => {
            let absent = matches!(test.name.value.as_str(), "none" | "undefined") && !test.negated;
            let not_defined = test.name.value == "defined" && test.negated;
            (absent || not_defined).then(|| {
                let mut test = (**test).clone();
                test.negated = !test.negated;
                Expr::Other(JinjaExpr::Test(Box::new(test)))
            })
        }
        _ => None,
    }
}

/// Whether an expression is a comparison, or ends with one: `a == 'x' or b == 'y'`.
fn is_comparison(expr: &Expr) -> bool {
    match expr {
        Expr::And(sides) | Expr::Or(sides) => is_comparison(&sides.1),
        other => matches!(other, Expr::Compare(_)),
    }
}

/// Whether values of a kind pass a test, if that follows from the kind.
fn passes_test(kind: &Kind, test: &str) -> Option<bool> {
    let is_map = matches!(kind, Kind::Dict(_) | Kind::Struct(_));
    let has_items = is_map || matches!(kind, Kind::Text | Kind::List(_) | Kind::Tuple(_));
    Some(match (test, kind) {
        (_, Kind::Unknown | Kind::Dynamic | Kind::Option(_) | Kind::Media | Kind::Unordered) => {
            return None;
        }
        ("boolean" | "integer" | "float", Kind::Number) => return None,
        ("string", _) => *kind == Kind::Text,
        ("mapping", _) => is_map,
        ("sequence" | "iterable", _) => has_items,
        ("number", _) => kind.is_number(),
        ("boolean", _) => *kind == Kind::Bool,
        ("integer", _) => *kind == Kind::Int,
        ("float", _) => *kind == Kind::Float,
        ("none", _) => *kind == Kind::None,
        _ => return None,
    })
}
