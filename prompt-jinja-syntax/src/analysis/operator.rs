//! Operators: the kinds that they take and return.

use super::call::markup_filter;
use super::expr::{all_given, expr_name};
use crate::analysis::{
    Condition, Function, JinjaAnalyzer, JinjaCondition, Term, TypedTerm, compared_texts,
};
use crate::problem::name::{hyphen_in_name, null_in_jinja};
use crate::problem::{call, value as problem};
use crate::{Binary, BinaryOp, Compare, Expr, JinjaExpr};
use prompt_syntax::{CompareOp, Dialect, Error, Kind, Literal, Spanned};

/// Whether escaping changes nothing: a result that is markup, and a literal without characters of HTML.
fn is_escaped(value: &Expr) -> bool {
    match value {
        Expr::Literal(literal) => {
            matches!(&literal.value, Literal::Str(text) if !text.contains(['&', '<', '>', '"', '\'']))
        }
        value => markup_filter(value).is_some(),
    }
}

impl JinjaAnalyzer<'_, '_> {
    pub(super) fn apply_operator(
        &mut self,
        name: &'static str,
        args: Vec<Term>,
        kind: Kind,
        expr: &Expr,
    ) -> Option<TypedTerm> {
        let span = self.source_span(expr.span());
        let args = all_given(args);
        Some(TypedTerm::call(Function::Operator(name), args, kind, span))
    }

    pub(super) fn expect_number(
        &mut self,
        sign: &str,
        value: &TypedTerm,
        expr: &Expr,
    ) -> Option<()> {
        if value.kind.is_open() || value.kind.is_number() {
            return Some(());
        }
        self.report_as_none(problem::no_number(sign, &value.kind).at(expr.span()))
    }

    pub(super) fn resolve_binary(&mut self, binary: &Binary, expr: &Expr) -> Option<TypedTerm> {
        if let Some(right) = self.hyphenated_name(binary) {
            return self.report_as_none(hyphen_in_name(&right).at(binary.span));
        }
        let (left, right) = (
            self.resolve_value(&binary.left),
            self.resolve_value(&binary.right),
        );
        let (left, right) = (left?, right?);
        for side in [&binary.left, &binary.right] {
            if let Expr::Other(JinjaExpr::If(conditional)) = side
                && conditional.otherwise.is_none()
            {
                return self.report_as_none(
                    problem::beside_nothing(binary.op.value.sign()).at(side.span()),
                );
            }
        }
        let name = match binary.op.value {
            BinaryOp::Add => "add",
            BinaryOp::Sub => "sub",
            BinaryOp::Mul => "mul",
            BinaryOp::Div => "div",
            BinaryOp::FloorDiv => "floor_div",
            BinaryOp::Mod => "rem",
            BinaryOp::Pow => "pow",
        };
        if let Some(markup) = markup_filter(expr)
            && ![&binary.left, &binary.right].into_iter().all(is_escaped)
        {
            return self.report_as_none(call::added_to_markup(markup).at(binary.op.span));
        }
        match binary_kind(binary.op.value, &left.kind, &right.kind) {
            Some(kind) => self.apply_operator(name, vec![left.term, right.term], kind, expr),
            None => {
                let sign = binary.op.value.sign();
                self.report_as_none(
                    problem::mismatched_operands(sign, &left.kind, &right.kind).at(binary.span),
                )
            }
        }
    }

    pub(super) fn resolve_comparison(
        &mut self,
        compare: &Compare,
        expr: &Expr,
    ) -> Option<TypedTerm> {
        let first = self.resolve_optional(&compare.first);
        if let Some((null, left)) = self.compared_null(compare) {
            return self.report_as_none(
                null_in_jinja(&null, &expr_name(left)).at(left.span().to(null.span)),
            );
        }
        let lefts = std::iter::once(&compare.first).chain(compare.rest.iter().map(|(_, it)| it));
        let mut pairs = lefts.zip(&compare.rest);
        if let Some(error) =
            pairs.find_map(|(left, (op, right))| self.path_of_variant(left, op, right))
        {
            return self.report_as_none(error);
        }
        let rest = self.resolve_all(&compare.rest, |this, (_, expr)| this.resolve_optional(expr));
        let (mut left, rest) = (first?, rest?);
        let mut left_expr = &compare.first;
        let span = self.source_span(expr.span());
        let mut chain: Option<Term> = None;
        for (right, (op, right_expr)) in rest.into_iter().zip(&compare.rest) {
            let term = self.resolve_compared_pair(&left, left_expr, op, &right, right_expr)?;
            chain = Some(match chain {
                Some(before) => Term::And(Box::new((before, term))),
                None => term,
            });
            (left, left_expr) = (right, right_expr);
        }
        Some(TypedTerm::new(chain?, Kind::Bool, span))
    }

    /// `null`, which Python does not have, and what it is compared with.
    fn compared_null<'e>(&mut self, compare: &'e Compare) -> Option<(Spanned<String>, &'e Expr)> {
        let lefts =
            std::iter::once(&compare.first).chain(compare.rest.iter().map(|(_, expr)| expr));
        lefts.zip(&compare.rest).find_map(|(left, (op, right))| {
            let Expr::Path(path) = right else {
                return None;
            };
            let is_equality = matches!(op.value, CompareOp::Eq | CompareOp::Ne);
            let name = path.segments.first()?;
            let is_null = is_equality
                && path.segments.len() == 1
                && matches!(name.as_str(), "null" | "nil")
                && self.scopes.find_path(&path.names()).is_none()
                && self.find_field(name).is_none();
            is_null.then(|| (name.clone(), left))
        })
    }

    fn resolve_compared_pair(
        &mut self,
        left: &TypedTerm,
        left_expr: &Expr,
        op: &Spanned<CompareOp>,
        right: &TypedTerm,
        right_expr: &Expr,
    ) -> Option<Term> {
        let whole = left_expr.span().to(right_expr.span());
        let name = match op.value {
            CompareOp::Eq => "eq",
            CompareOp::Ne => "ne",
            CompareOp::Lt => "lt",
            CompareOp::Le => "le",
            CompareOp::Gt => "gt",
            CompareOp::Ge => "ge",
            CompareOp::In => "contains",
            CompareOp::NotIn => "contains",
        };
        let (one, other) = (&left.kind, &right.kind);
        let error = match op.value {
            CompareOp::Eq | CompareOp::Ne => never_equal(one, other)
                .then(|| {
                    let problem = problem::mismatched_operands(op.value.sign(), one, other);
                    quoted_constant(right_expr, one).map_or(problem.clone(), |right| {
                        problem.with_help(format!("write `{right}` without quotes"))
                    })
                })
                .map(|problem| problem.at(whole)),
            CompareOp::In | CompareOp::NotIn => match other {
                Kind::Option(_) => Some(may_be_nothing(right_expr)),
                Kind::Text if !one.is_open() && *one != Kind::Text => {
                    Some(problem::mismatched_operands("in", one, other).at(whole))
                }
                Kind::Text | Kind::List(_) | Kind::Tuple(_) | Kind::Dict(_) | Kind::Struct(_) => {
                    None
                }
                kind if kind.is_open() => None,
                kind => Some(problem::not_in(kind).at(right_expr.span())),
            },
            _ => match (one, other) {
                (Kind::Option(_), _) => Some(may_be_nothing(left_expr)),
                (_, Kind::Option(_)) => Some(may_be_nothing(right_expr)),
                _ if have_order(one, other) => None,
                _ => Some(problem::mismatched_operands(op.value.sign(), one, other).at(whole)),
            },
        };
        if let Some(error) = error {
            return self.report_as_none(error);
        }
        let args = vec![Some(left.term.clone()), Some(right.term.clone())];
        let span = self.source_span(whole);
        for (place, text) in compared_texts(name, &args) {
            self.compare_text(place, text, span);
        }
        let term = Term::Call {
            function: Function::Compare(name),
            args,
            span,
        };
        if op.value == CompareOp::NotIn {
            return Some(Term::Holds(Box::new(Condition::Not(Box::new(
                Condition::Other(JinjaCondition::Holds(term)),
            )))));
        }
        Some(term)
    }
}

/// The number or the boolean that a string contains, where a value of this kind is compared with it.
fn quoted_constant<'e>(expr: &'e Expr, kind: &Kind) -> Option<&'e str> {
    let Expr::Literal(literal) = expr else {
        return None;
    };
    let Literal::Str(text) = &literal.value else {
        return None;
    };
    let is_constant = match kind {
        Kind::Bool => matches!(text.as_str(), "true" | "false"),
        kind => {
            // Rust also reads `inf` and `nan`.
            let is_number =
                text.parse::<f64>().is_ok() && text.contains(|c: char| c.is_ascii_digit());
            kind.is_number() && is_number
        }
    };
    is_constant.then_some(text)
}

fn may_be_nothing(expr: &Expr) -> Error {
    problem::option_outside_condition(Dialect::Jinja, &expr_name(expr)).at(expr.span())
}

/// The kind of an operation; `None` if the operator does not take these kinds.
fn binary_kind(op: BinaryOp, left: &Kind, right: &Kind) -> Option<Kind> {
    if left.is_open() || right.is_open() {
        let other = if left.is_open() { right } else { left };
        return match (op, other) {
            // `%` formats a string, and `*` repeats it.
            (BinaryOp::Add | BinaryOp::Mul, _) | (BinaryOp::Mod, _) => Some(Kind::Dynamic),
            (_, kind) if kind.is_open() => Some(Kind::Dynamic),
            (_, kind) if kind.is_number() => Some(Kind::Number),
            _ => None,
        };
    }
    if left.is_number() && right.is_number() {
        let floats = [left, right].contains(&&Kind::Float);
        let open = [left, right].contains(&&Kind::Number);
        return Some(match op {
            BinaryOp::Div => Kind::Float,
            _ if floats => Kind::Float,
            BinaryOp::Pow => Kind::Number,
            _ if open => Kind::Number,
            _ => Kind::Int,
        });
    }
    match (op, left, right) {
        (BinaryOp::Add, Kind::Text, Kind::Text) => Some(Kind::Text),
        (BinaryOp::Add, Kind::List(_), Kind::List(_)) => Some(left.clone().either(right.clone())),
        (BinaryOp::Add, Kind::Tuple(_), Kind::Tuple(_)) => Some(Kind::Dynamic),
        (BinaryOp::Mul, Kind::Text | Kind::List(_), Kind::Int | Kind::Bool | Kind::Number) => {
            Some(left.clone())
        }
        (BinaryOp::Mul, Kind::Int | Kind::Bool | Kind::Number, Kind::Text | Kind::List(_)) => {
            Some(right.clone())
        }
        _ => None,
    }
}

fn never_equal(left: &Kind, right: &Kind) -> bool {
    let there = |kind: &Kind| kind.clone().without_option();
    let (left, right) = (there(left), there(right));
    (left == Kind::Text && right.is_number()) || (left.is_number() && right == Kind::Text)
}

fn have_order(left: &Kind, right: &Kind) -> bool {
    if left.is_open() || right.is_open() {
        let is_ordered =
            |kind: &Kind| !matches!(kind, Kind::None | Kind::Dict(_) | Kind::Struct(_));
        return is_ordered(left) && is_ordered(right);
    }
    (left.is_number() && right.is_number())
        || (*left == Kind::Text && *right == Kind::Text)
        || matches!(
            (left, right),
            (Kind::List(_), Kind::List(_)) | (Kind::Tuple(_), Kind::Tuple(_))
        )
}
