//! Expressions: values, and their parts.

use crate::analysis::{Function, JinjaAnalyzer, RustList, Term, TypedTerm, remove_unused_binding};
use crate::problem::tag::not_of_jinja;
use crate::problem::value as problem;
use crate::{Attribute, Conditional, Expr, Index, JinjaExpr, Slice};
use prompt_syntax::{Dialect, Kind, Literal};

impl JinjaAnalyzer<'_, '_> {
    /// A value that is certainly present: an `Option` needs a condition or a default.
    pub(super) fn resolve_value(&mut self, expr: &Expr) -> Option<TypedTerm> {
        let value = self.resolve_expr(expr)?;
        self.require_value(value, expr)
    }

    fn require_value(&mut self, value: TypedTerm, expr: &Expr) -> Option<TypedTerm> {
        let name = match &value.term {
            Term::Place(place) => place.name.clone(),
            _ => expr_name(expr),
        };
        let problem = match &value.kind {
            Kind::Option(_) => problem::option_outside_condition(Dialect::Jinja, &name),
            Kind::Unordered => problem::unordered_value(Dialect::Jinja, &name, &[]),
            Kind::Media => problem::media_as_text(Dialect::Jinja, &name),
            _ => return Some(value),
        };
        self.report_as_none(problem.at(expr.span()))
    }

    /// A value that may be an `Option`, as in `x == "a"`, `x or "none"`.
    pub(super) fn resolve_optional(&mut self, expr: &Expr) -> Option<TypedTerm> {
        let value = self.resolve_expr(expr)?;
        if matches!(value.kind, Kind::Option(_)) {
            return Some(value);
        }
        self.require_value(value, expr)
    }

    /// Any expression. `None` if it has an error, which is reported.
    pub(super) fn resolve_expr(&mut self, expr: &Expr) -> Option<TypedTerm> {
        let span = self.source_span(expr.span());
        let typed = |term, kind| Some(TypedTerm { term, kind, span });
        match expr {
            Expr::Path(path) => self.resolve_path(path),
            Expr::Literal(literal) => {
                let kind = match literal.value {
                    Literal::Str(_) => Kind::Text,
                    Literal::Int(_) => Kind::Int,
                    Literal::Float(_) => Kind::Float,
                    Literal::Bool(_) => Kind::Bool,
                    Literal::None => Kind::None,
                };
                typed(Term::Literal(literal.value.clone()), kind)
            }
            Expr::Filter(filter) => self.resolve_filter(filter),
            Expr::Not(_) => {
                let test = self.resolve_test(expr, false)?;
                typed(Term::Holds(Box::new(test)), Kind::Bool)
            }
            Expr::And(sides) => {
                let (left, right) = self.resolve_sides(sides, true)?;
                let kind = left.kind.clone().either(right.kind.clone());
                typed(Term::And(Box::new((left.term, right.term))), kind)
            }
            Expr::Or(sides) => {
                let (left, right) = self.resolve_sides(sides, false)?;
                // The left side is the result only if it is truthy.
                let kind = left.kind.without_option().either(right.kind.clone());
                typed(Term::Or(Box::new((left.term, right.term))), kind)
            }
            Expr::Other(JinjaExpr::Neg(inner)) => {
                let value = self.resolve_value(&inner.value)?;
                self.expect_number("-", &value, &inner.value)?;
                let kind = if value.kind == Kind::Bool {
                    Kind::Int
                } else {
                    value.kind.clone()
                };
                self.apply_operator("neg", vec![value.term], kind, expr)
            }
            Expr::Other(JinjaExpr::Binary(binary)) => self.resolve_binary(binary, expr),
            Expr::Other(JinjaExpr::Concat(items)) => {
                let items = self.resolve_values(&items.value)?;
                let args = all_given(into_terms(items));
                Some(TypedTerm::call(Function::Concat, args, Kind::Text, span))
            }
            Expr::Compare(compare) => self.resolve_comparison(compare, expr),
            Expr::Other(JinjaExpr::Test(test)) => {
                let test = self.test_as_value(test)?;
                typed(Term::Holds(Box::new(test)), Kind::Bool)
            }
            Expr::Other(JinjaExpr::If(conditional)) => self.resolve_conditional(conditional, expr),
            Expr::Other(JinjaExpr::Attribute(attribute)) => self.resolve_attribute(attribute),
            Expr::Other(JinjaExpr::Index(index)) => self.resolve_index(index, expr),
            Expr::Other(JinjaExpr::Slice(slice)) => self.resolve_slice(slice, expr),
            Expr::Other(JinjaExpr::Call(call)) => self.resolve_call(call),
            Expr::Other(JinjaExpr::List(items)) => {
                let items = self.resolve_items(&items.value)?;
                let kind = common_kind(&items);
                typed(Term::List(into_terms(items)), Kind::list(kind).bounded())
            }
            Expr::Other(JinjaExpr::Tuple(items)) => {
                let items = self.resolve_items(&items.value)?;
                let kinds = items.iter().map(|item| item.kind.clone()).collect();
                typed(Term::Tuple(into_terms(items)), Kind::Tuple(kinds).bounded())
            }
            Expr::Other(JinjaExpr::Dict(entries)) => {
                let (mut keys, mut values) = (Vec::new(), Vec::new());
                for (key, value) in &entries.value {
                    let (key, value) = (self.resolve_value(key), self.resolve_optional(value));
                    keys.push(key?.term);
                    values.push(value?);
                }
                let kind = Kind::Dict(Box::new(common_kind(&values)));
                typed(
                    Term::Dict(keys.into_iter().zip(into_terms(values)).collect()),
                    kind.bounded(),
                )
            }
            Expr::Other(JinjaExpr::Body(_)) => self
                .state
                .body
                .clone()
                .map(|term| TypedTerm::new(term, Kind::Text, span)),
            Expr::Default(_) => self.report_as_none(not_of_jinja().at(expr.span())),
        }
    }

    /// Both sides of `and` or `or`; the right one is reached only if the left one holds, or does not.
    fn resolve_sides(
        &mut self,
        sides: &(Expr, Expr),
        holds: bool,
    ) -> Option<(TypedTerm, TypedTerm)> {
        let left = self.resolve_optional(&sides.0);
        self.scopes.open_branch();
        self.assume_case(&sides.0, holds);
        let right = self.resolve_optional(&sides.1);
        self.scopes.close_scope();
        Some((left?, right?))
    }

    /// All of them, so that each has its errors reported.
    pub(super) fn resolve_values(&mut self, exprs: &[Expr]) -> Option<Vec<TypedTerm>> {
        self.resolve_all(exprs, Self::resolve_value)
    }

    /// Items of a list, some of which may be an `Option`.
    pub(super) fn resolve_items(&mut self, exprs: &[Expr]) -> Option<Vec<TypedTerm>> {
        self.resolve_all(exprs, Self::resolve_optional)
    }

    /// The results for all items; `None` if one is missing, after all others have reported their errors.
    pub(super) fn resolve_all<T, R>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut analyze: impl FnMut(&mut Self, T) -> Option<R>,
    ) -> Option<Vec<R>> {
        let results: Vec<_> = items.into_iter().map(|item| analyze(self, item)).collect();
        results.into_iter().collect()
    }

    /// The list, where its items are of the user's own type: then they remain Rust values.
    pub(super) fn as_rust_list(&self, value: &TypedTerm) -> Option<RustList> {
        if !value.kind.holds_unknown() || self.context.run_time {
            return None;
        }
        match &value.term {
            Term::Place(place) => Some(RustList::Place(place.clone())),
            Term::Keyed(keyed) if keyed.gives_items() => Some(RustList::Keyed(keyed.clone())),
            _ => None,
        }
    }

    /// `a if b else c`. In `a`, an `Option` that the condition has found has a value.
    fn resolve_conditional(&mut self, conditional: &Conditional, expr: &Expr) -> Option<TypedTerm> {
        self.scopes.open_branch();
        let test = self.resolve_test(&conditional.condition, true);
        self.assume_case(&conditional.condition, true);
        let value = self.resolve_optional(&conditional.value);
        let bound = self.scopes.close_scope();
        self.scopes.open_branch();
        self.assume_case(&conditional.condition, false);
        let otherwise = conditional.otherwise.as_ref();
        let otherwise = otherwise.map(|otherwise| self.resolve_optional(otherwise));
        self.scopes.close_scope();
        let otherwise = match otherwise {
            Some(otherwise) => Some(otherwise?),
            None => None,
        };
        let (mut test, value) = (test?, value?);
        remove_unused_binding(&mut test, &bound);
        let kind = match &otherwise {
            Some(otherwise) => value.kind.clone().either(otherwise.kind.clone()),
            None => value.kind.clone(),
        };
        Some(TypedTerm::new(
            Term::If(Box::new((
                test,
                value.term,
                otherwise.map(|otherwise| otherwise.term),
            ))),
            kind,
            self.source_span(expr.span()),
        ))
    }

    fn resolve_attribute(&mut self, attribute: &Attribute) -> Option<TypedTerm> {
        let value = self.resolve_value(&attribute.value)?;
        self.attribute_value(value, &expr_name(&attribute.value), &attribute.name)
    }

    fn resolve_index(&mut self, index: &Index, expr: &Expr) -> Option<TypedTerm> {
        let (value, key) = (
            self.resolve_value(&index.value),
            self.resolve_value(&index.index),
        );
        let (value, key) = (value?, key?);
        let kind = match (&value.kind, &key.kind) {
            (kind, _) if kind.is_open() => Kind::Dynamic,
            (Kind::Dict(kind), _) => (**kind).clone(),
            (Kind::Struct(_), _) => Kind::Dynamic,
            (Kind::Tuple(kinds), Kind::Int) => match &key.term {
                Term::Literal(Literal::Int(at)) => {
                    let at = if *at < 0 {
                        *at + kinds.len() as i64
                    } else {
                        *at
                    };
                    usize::try_from(at)
                        .ok()
                        .and_then(|at| kinds.get(at))
                        .cloned()
                        .unwrap_or(Kind::Dynamic)
                }
                _ => Kind::Dynamic,
            },
            (Kind::List(_) | Kind::Text, Kind::Int | Kind::Bool | Kind::Number) => {
                value.kind.item()
            }
            (Kind::List(_) | Kind::Text | Kind::Tuple(_), kind)
                if kind.is_open() || *kind == Kind::Number =>
            {
                value.kind.item()
            }
            (Kind::List(_) | Kind::Text | Kind::Tuple(_), _) => {
                return self.report_as_none(
                    problem::index_not_a_number(&value.kind, &key.kind).at(index.index.span()),
                );
            }
            (kind, _) => {
                let name = expr_name(&index.value);
                return self.report_as_none(problem::no_items(kind, &name).at(index.value.span()));
            }
        };
        self.apply_operator("index", vec![value.term, key.term], kind.dynamic(), expr)
    }

    fn resolve_slice(&mut self, slice: &Slice, expr: &Expr) -> Option<TypedTerm> {
        let value = self.resolve_value(&slice.value);
        let bounds = [&slice.start, &slice.stop, &slice.step];
        let bounds = self.resolve_all(bounds, |this, bound| match bound {
            Some(bound) => this.slice_bound(bound),
            None => Some(Term::Literal(Literal::None)),
        });
        let (value, bounds) = (value?, bounds?);
        if !matches!(value.kind, Kind::List(_) | Kind::Tuple(_) | Kind::Text)
            && !value.kind.is_open()
        {
            let name = expr_name(&slice.value);
            return self
                .report_as_none(problem::no_slices(&value.kind, &name).at(slice.value.span()));
        }
        if let Some(items) = self.as_rust_list(&value) {
            let span = self.source_span(expr.span());
            return Some(self.apply_keyed_filter(items, "sliced", None, bounds, value.kind, span));
        }
        let kind = match &value.kind {
            Kind::Tuple(_) => Kind::Dynamic,
            kind => kind.clone().dynamic(),
        };
        let mut args = vec![value.term];
        args.extend(bounds);
        self.apply_operator("slice", args, kind, expr)
    }

    fn slice_bound(&mut self, expr: &Expr) -> Option<Term> {
        let value = self.resolve_value(expr)?;
        if !matches!(
            value.kind,
            Kind::Int | Kind::Bool | Kind::Number | Kind::None
        ) && !value.kind.is_open()
        {
            return self.report_as_none(problem::slice_bound(&value.kind).at(expr.span()));
        }
        Some(value.term)
    }
}

/// The name of an expression in messages.
pub(super) fn expr_name(expr: &Expr) -> String {
    match expr {
        Expr::Path(path) => path.dotted(),
        Expr::Filter(filter) => expr_name(&filter.value),
        Expr::Other(JinjaExpr::Attribute(attribute)) => expr_name(&attribute.value),
        Expr::Other(JinjaExpr::Index(index)) => expr_name(&index.value),
        _ => "x".to_owned(),
    }
}

fn common_kind(items: &[TypedTerm]) -> Kind {
    let kinds = items.iter().map(|item| item.kind.clone());
    kinds.reduce(Kind::either).unwrap_or(Kind::Dynamic)
}

pub(super) fn into_terms(items: Vec<TypedTerm>) -> Vec<Term> {
    items.into_iter().map(|item| item.term).collect()
}

/// The arguments of a call, after the value that it is called on.
pub(super) fn args_of(value: Option<Term>, given: Vec<Option<TypedTerm>>) -> Vec<Option<Term>> {
    let given = given.into_iter().map(|given| given.map(|given| given.term));
    value.map(Some).into_iter().chain(given).collect()
}

/// The arguments of a call without optional ones.
pub(super) fn all_given(terms: Vec<Term>) -> Vec<Option<Term>> {
    terms.into_iter().map(Some).collect()
}
