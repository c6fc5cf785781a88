//! Expressions: values, and their parts.

use crate::Kind;
use crate::analysis::Analyzer;
use crate::analysis::narrow::remove_unused_binding;
use crate::analysis::piece::{Function, RustList, Term, TypedTerm};
use crate::problem::jinja::not_of_jinja;
use crate::problem::value as problem;
use crate::{Attribute, Conditional, Dialect, Expr, Index, Literal, Slice};

impl Analyzer<'_> {
    /// A value that is certainly present: an `Option` needs a condition or a default.
    pub(super) fn value(&mut self, expr: &Expr) -> Option<TypedTerm> {
        let value = self.expr(expr)?;
        self.there(value, expr)
    }

    fn there(&mut self, value: TypedTerm, expr: &Expr) -> Option<TypedTerm> {
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
    pub(super) fn maybe(&mut self, expr: &Expr) -> Option<TypedTerm> {
        let value = self.expr(expr)?;
        if matches!(value.kind, Kind::Option(_)) {
            return Some(value);
        }
        self.there(value, expr)
    }

    /// Any expression. `None` if it has an error, which is reported.
    pub(super) fn expr(&mut self, expr: &Expr) -> Option<TypedTerm> {
        let span = self.at(expr.span());
        let typed = |term, kind| Some(TypedTerm { term, kind, span });
        match expr {
            Expr::Path(path) => self.path(path),
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
            Expr::Filter(filter) => self.filter(filter),
            Expr::Not(_) => {
                let test = self.test(expr, false)?;
                typed(Term::Holds(Box::new(test)), Kind::Bool)
            }
            Expr::And(sides) => {
                let (left, right) = self.sides(sides, true)?;
                let kind = left.kind.clone().either(right.kind.clone());
                typed(Term::And(Box::new((left.term, right.term))), kind)
            }
            Expr::Or(sides) => {
                let (left, right) = self.sides(sides, false)?;
                // The left side is the result only if it is truthy.
                let kind = left.kind.there().either(right.kind.clone());
                typed(Term::Or(Box::new((left.term, right.term))), kind)
            }
            Expr::Neg(inner) => {
                let value = self.value(&inner.value)?;
                self.expect_number("-", &value, &inner.value)?;
                let kind = if value.kind == Kind::Bool {
                    Kind::Int
                } else {
                    value.kind.clone()
                };
                self.operator("neg", vec![value.term], kind, expr)
            }
            Expr::Binary(binary) => self.binary(binary, expr),
            Expr::Concat(items) => {
                let items = self.values(&items.value)?;
                let args = all_given(terms(items));
                Some(TypedTerm::call(Function::Concat, args, Kind::Text, span))
            }
            Expr::Compare(compare) => self.compare(compare, expr),
            Expr::Test(test) => {
                let test = self.tested(test)?;
                typed(Term::Holds(Box::new(test)), Kind::Bool)
            }
            Expr::If(conditional) => self.conditional(conditional, expr),
            Expr::Attribute(attribute) => self.part(attribute),
            Expr::Index(index) => self.index(index, expr),
            Expr::Slice(slice) => self.slice(slice, expr),
            Expr::Call(call) => self.call(call),
            Expr::List(items) => {
                let items = self.each(&items.value)?;
                let kind = kinds(&items);
                typed(Term::List(terms(items)), Kind::list(kind).bounded())
            }
            Expr::Tuple(items) => {
                let items = self.each(&items.value)?;
                let kinds = items.iter().map(|item| item.kind.clone()).collect();
                typed(Term::Tuple(terms(items)), Kind::Tuple(kinds).bounded())
            }
            Expr::Dict(entries) => {
                let (mut keys, mut values) = (Vec::new(), Vec::new());
                for (key, value) in &entries.value {
                    let (key, value) = (self.value(key), self.maybe(value));
                    keys.push(key?.term);
                    values.push(value?);
                }
                let kind = Kind::Dict(Box::new(kinds(&values)));
                typed(
                    Term::Dict(keys.into_iter().zip(terms(values)).collect()),
                    kind.bounded(),
                )
            }
            Expr::Body(_) => self
                .body
                .clone()
                .map(|term| TypedTerm::new(term, Kind::Text, span)),
            other => self.report_as_none(not_of_jinja().at(other.span())),
        }
    }

    /// Both sides of `and` or `or`; the right one is reached only if the left one holds, or does not.
    fn sides(&mut self, sides: &(Expr, Expr), holds: bool) -> Option<(TypedTerm, TypedTerm)> {
        let left = self.maybe(&sides.0);
        self.scopes.open_branch();
        self.assume(&sides.0, holds);
        let right = self.maybe(&sides.1);
        self.scopes.close_scope();
        Some((left?, right?))
    }

    /// All of them, so that each has its errors reported.
    pub(super) fn values(&mut self, exprs: &[Expr]) -> Option<Vec<TypedTerm>> {
        self.all(exprs, Self::value)
    }

    /// Items of a list, some of which may be an `Option`.
    pub(super) fn each(&mut self, exprs: &[Expr]) -> Option<Vec<TypedTerm>> {
        self.all(exprs, Self::maybe)
    }

    /// The results for all items; `None` if one is missing, after all others have reported their errors.
    pub(super) fn all<T, R>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut analyze: impl FnMut(&mut Self, T) -> Option<R>,
    ) -> Option<Vec<R>> {
        let results: Vec<_> = items.into_iter().map(|item| analyze(self, item)).collect();
        results.into_iter().collect()
    }

    /// The list, where its items are of the user's own type: then they remain Rust values.
    pub(super) fn items(&self, value: &TypedTerm) -> Option<RustList> {
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
    fn conditional(&mut self, conditional: &Conditional, expr: &Expr) -> Option<TypedTerm> {
        self.scopes.open_branch();
        let test = self.test(&conditional.condition, true);
        self.assume(&conditional.condition, true);
        let value = self.maybe(&conditional.value);
        let bound = self.scopes.close_scope();
        self.scopes.open_branch();
        self.assume(&conditional.condition, false);
        let otherwise = conditional.otherwise.as_ref();
        let otherwise = otherwise.map(|otherwise| self.maybe(otherwise));
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
            self.at(expr.span()),
        ))
    }

    fn part(&mut self, attribute: &Attribute) -> Option<TypedTerm> {
        let value = self.value(&attribute.value)?;
        self.attribute(value, &expr_name(&attribute.value), &attribute.name)
    }

    fn index(&mut self, index: &Index, expr: &Expr) -> Option<TypedTerm> {
        let (value, key) = (self.value(&index.value), self.value(&index.index));
        let (value, key) = (value?, key?);
        let kind = match (&value.kind, &key.kind) {
            (kind, _) if kind.is_open() => Kind::Dynamic,
            (Kind::Dict(kind), _) => (**kind).clone(),
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
        self.operator("index", vec![value.term, key.term], kind.dynamic(), expr)
    }

    fn slice(&mut self, slice: &Slice, expr: &Expr) -> Option<TypedTerm> {
        let value = self.value(&slice.value);
        let bounds = [&slice.start, &slice.stop, &slice.step];
        let bounds = self.all(bounds, |this, bound| match bound {
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
        if let Some(items) = self.items(&value) {
            let span = self.at(expr.span());
            return Some(self.keyed(items, "sliced", None, bounds, value.kind, span));
        }
        let kind = match &value.kind {
            Kind::Tuple(_) => Kind::Dynamic,
            kind => kind.clone().dynamic(),
        };
        let mut args = vec![value.term];
        args.extend(bounds);
        self.operator("slice", args, kind, expr)
    }

    fn slice_bound(&mut self, expr: &Expr) -> Option<Term> {
        let value = self.value(expr)?;
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
        Expr::Attribute(attribute) => expr_name(&attribute.value),
        Expr::Index(index) => expr_name(&index.value),
        _ => "x".to_owned(),
    }
}

fn kinds(items: &[TypedTerm]) -> Kind {
    let kinds = items.iter().map(|item| item.kind.clone());
    kinds.reduce(Kind::either).unwrap_or(Kind::Dynamic)
}

pub(super) fn terms(items: Vec<TypedTerm>) -> Vec<Term> {
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
