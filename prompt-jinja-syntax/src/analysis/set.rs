//! `set`, `with`, macros.

use std::rc::Rc;

use super::block::shown_fields;
use super::call::BoundArgs;
use crate::analysis::{
    Assignment, AssignmentKind, Binding, JinjaAnalyzer, JinjaMeaning, JinjaPiece, MacroDefinition,
    Resolution, ResolvedNode, Term, TypedTerm, names_set_in_conditions,
};
use crate::problem::name::{unread_variable, unused_macro, unused_variable};
use crate::problem::{call as problem, value};
use crate::{CallExpr, Macro, SetStatement, With};
use prompt_base::Span;
use prompt_syntax::{Error, Kind, Spanned};

/// How often macros are analyzed at run time: macros that call others twice would take exponential time.
const EXPANSIONS: usize = 10_000;

impl JinjaAnalyzer<'_, '_> {
    pub(super) fn resolve_set(&mut self, set: &SetStatement, out: &mut Vec<ResolvedNode>) {
        // In `{% set n = n + 1 %}`, nothing is made with the old value but the new one.
        let own_name = match &set.targets[..] {
            [target] if self.is_assigned(&target.value) => Some(&target.value),
            _ => None,
        };
        let unused =
            own_name.filter(|name| self.own_variable(name).is_some_and(|known| !known.used));
        let value = match &set.body {
            Some(body) => {
                let body = self.resolve_block(body);
                let outer = self.state.body.replace(Term::Block(body));
                let value = self.resolve_expr(&set.value);
                self.state.body = outer;
                value
            }
            None => self.resolve_optional(&set.value),
        };
        if let Some(known) = unused.and_then(|name| self.own_variable(name)) {
            known.used = false;
        }
        match &set.targets[..] {
            [target] => self.set_one(target, value, out),
            targets => self.set_several(targets, value, set.span, out),
        }
    }

    /// Whether a `set` of this name here assigns the variable of the block, and does not bind a new one.
    fn is_assigned(&self, name: &str) -> bool {
        self.scopes.is_reassigned(name) || !self.scopes.is_block()
    }

    fn set_one(
        &mut self,
        target: &Spanned<String>,
        value: Option<TypedTerm>,
        out: &mut Vec<ResolvedNode>,
    ) {
        let name = &target.value;
        // Later uses of the name are then not reported as unknown.
        let value = value.unwrap_or(TypedTerm::new(
            Term::Absent,
            Kind::Dynamic,
            self.source_span(target.span),
        ));
        let is_assigned = self.is_assigned(name);
        let is_own = self.own_variable(name).is_some();
        if is_assigned && is_own {
            self.assign_variable(name, value, target.span, out);
            return;
        }
        let mut here = self.scopes.block_bindings().iter();
        let is_here = here.any(|known| known.name == *name);
        let is_outside = !is_here && self.scopes.find_name(name).is_some();
        let unused = self.unused_error(target.span, unread_variable(name, is_outside));
        let name = self.bind_value(
            name,
            value,
            if is_assigned {
                AssignmentKind::Declare
            } else {
                AssignmentKind::Let
            },
            target.span,
            unused,
            out,
        );
        self.scopes.bind_in_block(name);
    }

    fn assign_variable(
        &mut self,
        name: &str,
        value: TypedTerm,
        span: Span,
        out: &mut Vec<ResolvedNode>,
    ) {
        let at_top = self.scopes.is_block();
        let at = self.source_span(span);
        let Some(known) = self.own_variable(name) else {
            return;
        };
        let was_certain = known.certain;
        known.certain = true;
        if let Resolution::Other(JinjaMeaning::Variable {
            ident,
            kind,
            origins: made_from,
        }) = &mut known.meaning
        {
            let new = value.kind.without_option().dynamic();
            *kind = if at_top || !was_certain && *kind == Kind::None {
                new
            } else {
                kind.clone().either(new)
            };
            for origin in shown_fields(&value.term) {
                if !made_from.contains(&origin) {
                    made_from.push(origin);
                }
            }
            out.push(ResolvedNode::Other(JinjaPiece::Bind(Assignment {
                idents: vec![ident.clone()],
                how: AssignmentKind::Assign,
                value: value.term,
                span: at,
            })));
        }
    }

    /// Binds a name to a value. A Rust place only gets another name, without code.
    fn bind_value(
        &mut self,
        name: &str,
        value: TypedTerm,
        how: AssignmentKind,
        span: Span,
        unused: Option<Error>,
        out: &mut Vec<ResolvedNode>,
    ) -> Binding {
        let meaning = match value {
            TypedTerm {
                term: Term::Place(place),
                kind,
                ..
            } if how == AssignmentKind::Let => Resolution::Place { place, kind },
            TypedTerm { term, kind, .. } => {
                let ident = self.fresh_variable(name);
                let origins = shown_fields(&term);
                out.push(ResolvedNode::Other(JinjaPiece::Bind(Assignment {
                    idents: vec![ident.clone()],
                    how,
                    value: term,
                    span: self.source_span(span),
                })));
                Resolution::Other(JinjaMeaning::Variable {
                    ident,
                    kind: kind.without_option().dynamic(),
                    origins,
                })
            }
        };
        Binding::new(name, meaning).with_required_use(unused)
    }

    fn set_several(
        &mut self,
        targets: &[Spanned<String>],
        value: Option<TypedTerm>,
        span: Span,
        out: &mut Vec<ResolvedNode>,
    ) {
        let Some(value) = value else {
            for target in targets {
                self.set_one(target, None, &mut Vec::new());
            }
            return;
        };
        let Some(kinds) = self.taken_apart(&value.kind, targets, span) else {
            return;
        };
        let origins = shown_fields(&value.term);
        let idents: Vec<_> = targets
            .iter()
            .map(|target| self.fresh_variable(&target.value))
            .collect();
        out.push(ResolvedNode::Other(JinjaPiece::Bind(Assignment {
            idents: idents.clone(),
            how: AssignmentKind::Let,
            value: value.term,
            span: self.source_span(span),
        })));
        for ((target, ident), kind) in targets.iter().zip(idents).zip(kinds) {
            // A name that a condition assigns is a variable of its own.
            let term = Term::Variable(crate::analysis::LocalVariable {
                ident: ident.clone(),
                sources: self.source_places(&origins, &target.value, self.source_span(target.span)),
                uncertain: false,
            });
            let part = TypedTerm::new(term, kind.clone(), self.source_span(target.span));
            if self.is_assigned(&target.value) {
                self.set_one(target, Some(part), out);
                continue;
            }
            let unused = self.unused_error(target.span, unused_variable(&target.value));
            let meaning = Resolution::Other(JinjaMeaning::Variable {
                ident,
                kind,
                origins: origins.clone(),
            });
            self.scopes
                .bind_in_block(Binding::new(&target.value, meaning).with_required_use(unused));
        }
    }

    /// The kinds of the parts of a value.
    pub(super) fn taken_apart(
        &mut self,
        kind: &Kind,
        targets: &[Spanned<String>],
        span: Span,
    ) -> Option<Vec<Kind>> {
        let count = targets.len();
        let problem = match kind {
            Kind::Tuple(kinds) if kinds.len() == count => {
                return Some(kinds.iter().cloned().map(Kind::dynamic).collect());
            }
            Kind::Tuple(kinds) => value::wrong_number_of_values(count, kinds.len()),
            Kind::List(item) => return Some(vec![(**item).clone().dynamic(); count]),
            Kind::Text => return Some(vec![Kind::Text; count]),
            kind if kind.is_open() || matches!(kind, Kind::Dict(_)) => {
                return Some(vec![Kind::Dynamic; count]);
            }
            kind => value::not_taken_apart(count, kind),
        };
        self.report_as_none(problem.at(span))
    }

    pub(super) fn resolve_with(&mut self, block: &With, out: &mut Vec<ResolvedNode>) {
        let values: Vec<Option<TypedTerm>> = block
            .bindings
            .iter()
            .map(|binding| self.resolve_optional(&binding.value))
            .collect();
        self.scopes.open_block(names_set_in_conditions(&block.body));
        let mut pieces = Vec::new();
        for (binding, value) in block.bindings.iter().zip(values) {
            let span = binding.name.span;
            let value = value.unwrap_or(TypedTerm::new(
                Term::Absent,
                Kind::Dynamic,
                self.source_span(span),
            ));
            let how = if self.scopes.is_reassigned(&binding.name.value) {
                AssignmentKind::Declare
            } else {
                AssignmentKind::Let
            };
            let unused = self.unused_error(span, unused_variable(&binding.name));
            let name = self.bind_value(&binding.name.value, value, how, span, unused, &mut pieces);
            self.scopes.bind_in_block(name);
        }
        pieces.extend(self.resolve_nodes(&block.body));
        self.close_block();
        out.push(ResolvedNode::Other(JinjaPiece::Scope(pieces)));
    }

    pub(super) fn define_macro(&mut self, node: &Macro) {
        let mut seen: Vec<&str> = Vec::new();
        for param in &node.params {
            if seen.contains(&param.name.as_str()) {
                self.report(problem::duplicate_argument(&param.name).at(param.name.span));
            }
            seen.push(param.name.as_str());
        }
        let unused = self.unused_error(node.name.span, unused_macro(&node.name));
        let defined = MacroDefinition {
            node: node.clone(),
            depth: self.scopes.depth(),
            offset: self.offset,
        };
        let meaning = Resolution::Other(JinjaMeaning::Macro(Rc::new(defined)));
        self.scopes
            .bind_in_block(Binding::new(&node.name.value, meaning).with_required_use(unused));
    }

    /// The result of a macro call: its body, with its parameters bound.
    pub(super) fn macro_call(
        &mut self,
        defined: &Rc<MacroDefinition>,
        call: &CallExpr,
    ) -> Option<Vec<ResolvedNode>> {
        let node = &defined.node;
        let name = &call.name.value;
        let recursive = self.state.calling.contains(name);
        if recursive && !self.context.run_time {
            let chain = [&self.state.calling[..], std::slice::from_ref(name)].concat();
            return self
                .report_as_none(problem::macro_calls_itself(name, &chain).at(call.name.span));
        }
        let given = self.arguments_of_macro(node, call)?;
        self.state.expanded += 1;
        if recursive || self.context.run_time && self.state.expanded > EXPANSIONS {
            return Some(Vec::new());
        }
        let hidden = self.scopes.hide_scopes(defined.depth);
        let offset = std::mem::replace(&mut self.offset, defined.offset);
        self.state.calling.push(name.clone());
        self.scopes.open_block(names_set_in_conditions(&node.body));
        let mut pieces = Vec::new();
        let mut good = true;
        for (param, given) in node.params.iter().zip(given) {
            let value = match (given, &param.default) {
                (Some(given), _) => Some(given),
                (None, Some(default)) => self.resolve_optional(default),
                // Counted before.
                (None, None) => None,
            };
            let Some(value) = value else {
                good = false;
                continue;
            };
            let how = if self.scopes.is_reassigned(&param.name.value) {
                AssignmentKind::Declare
            } else {
                AssignmentKind::Let
            };
            let name = self.bind_value(
                &param.name.value,
                value,
                how,
                param.name.span,
                None,
                &mut pieces,
            );
            self.scopes.bind_in_block(name);
        }
        pieces.extend(self.resolve_nodes(&node.body));
        self.close_block();
        self.state.calling.pop();
        self.offset = offset;
        self.scopes.restore_scopes(hidden);
        good.then(|| vec![ResolvedNode::Other(JinjaPiece::Scope(pieces))])
    }

    fn arguments_of_macro(&mut self, node: &Macro, call: &CallExpr) -> Option<BoundArgs> {
        let name = &call.name.value;
        let params = node.params.iter().map(|param| param.name.as_str());
        let params: Vec<&str> = params.collect();
        let is_too_many = call.args.len() > params.len();
        if is_too_many {
            let count = call.args.len() + call.named.len();
            self.report(problem::macro_count(name, &params, count).at(call.name.span));
        }
        let no_param = |given: &str| problem::no_param_of_macro(name, &params, given);
        let (given, mut good) =
            self.match_arguments(&params, &call.args, &call.named, no_param, |_, _, _, _| {
                true
            });
        good &= !is_too_many;
        let missing = node
            .params
            .iter()
            .zip(&given)
            .find(|(param, given)| param.default.is_none() && given.is_none());
        if let Some((param, _)) = missing
            && good
        {
            self.report(problem::missing_argument(name, &params, &param.name).at(call.span));
            good = false;
        }
        good.then_some(given)
    }
}
