//! Functions of the user as filters: `{{ name | crate::shout("!") }}`. rustc checks what they take.

use crate::analysis::{Function, JinjaAnalyzer, PassedAs, Term, TypedTerm};
use crate::problem::call;
use crate::{Expr, Filter};
use prompt_syntax::Kind;

impl JinjaAnalyzer<'_, '_> {
    pub(super) fn own_filter(&mut self, filter: &Filter) -> Option<TypedTerm> {
        if self.context.run_time {
            return self.report_as_none(call::function_at_run_time().at(filter.name.span));
        }
        let mut good = true;
        if let Some(named) = filter.named.first() {
            self.report(call::function_without_names().at(named.name.span));
            good = false;
        }
        let name = filter.name.value.join("::");
        let (mut args, mut given) = (Vec::new(), Vec::new());
        for expr in std::iter::once(&filter.value).chain(&filter.args) {
            match self.resolve_value(expr).and_then(|value| {
                let how = self.given_to_rust(&value, expr, &name)?;
                Some((value.term, how))
            }) {
                Some((term, how)) => {
                    args.push(Some(term));
                    given.push(how);
                }
                None => good = false,
            }
        }
        let span = self.source_span(filter.span);
        good.then(|| {
            TypedTerm::call(
                Function::Own {
                    path: filter.name.value.clone(),
                    given,
                },
                args,
                Kind::Dynamic,
                span,
            )
        })
    }

    /// How a value is passed to a function: a Rust value as it is, a computed one if its kind is known.
    fn given_to_rust(&mut self, value: &TypedTerm, expr: &Expr, name: &str) -> Option<PassedAs> {
        let is_of_rust = match &value.term {
            Term::Place(_) => true,
            Term::Literal(literal) => *literal != prompt_syntax::Literal::None,
            Term::Call { function, .. } => matches!(function, Function::Own { .. }),
            _ => false,
        };
        Some(match &value.kind {
            _ if is_of_rust => PassedAs::Itself,
            Kind::Text => PassedAs::Text,
            Kind::Int => PassedAs::Int,
            Kind::Float | Kind::Number => PassedAs::Float,
            Kind::Bool => PassedAs::Bool,
            kind => {
                return self.report_as_none(call::value_without_type(name, kind).at(expr.span()));
            }
        })
    }
}
