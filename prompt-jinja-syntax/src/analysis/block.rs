//! Text, slots and conditions.

use super::expr::expr_name;
use super::test::opposite_condition;
use crate::analysis::{
    Assignment, AssignmentKind, Binding, JinjaAnalyzer, JinjaMeaning, JinjaPiece, OutputTerm,
    PlaceExpr, Resolution, ResolvedBranch, ResolvedNode, ResolvedSlot, Root, SlotDefault,
    SlotValue, Term, TypedTerm, collect_set_names, remove_unused_binding,
};
use crate::problem::name::unread_variable;
use crate::problem::value as problem;
use crate::{Expr, FilterBlock, If, Include, JinjaExpr, JinjaNode, Node};
use prompt_base::Span;
use prompt_syntax::problem::slot::unsupported_here;
use prompt_syntax::{Dialect, Kind, Literal};

impl JinjaAnalyzer<'_, '_> {
    pub(crate) fn jinja_node(&mut self, node: &Node, out: &mut Vec<ResolvedNode>) {
        match node {
            Node::Text(text) => out.push(ResolvedNode::Text {
                text: text.text.clone(),
                span: self.source_span(text.span),
            }),
            Node::Slot(slot) => self.resolve_slot(&slot.expr, self.source_span(slot.span), out),
            Node::If(block) => self.resolve_condition(block, out),
            Node::For(block) => self.resolve_loop(block, out),
            Node::Other(JinjaNode::Set(set)) => self.resolve_set(set, out),
            Node::Other(JinjaNode::With(block)) => self.resolve_with(block, out),
            Node::Other(JinjaNode::Macro(block)) => self.define_macro(block),
            Node::Other(JinjaNode::Include(include)) => self.resolve_include(include, out),
            Node::Other(JinjaNode::Filter(block)) => {
                let body = self.resolve_block(&block.body);
                let outer = self.state.body.replace(Term::Block(body));
                let value = self.resolve_expr(&block.value);
                self.state.body = outer;
                let span = self.source_span(block.span);
                if let Some(value) = value
                    && self.expect_string(&value, block)
                {
                    out.push(ResolvedNode::Other(JinjaPiece::Show(OutputTerm {
                        name: "filter".to_owned(),
                        term: value.term,
                        span,
                    })));
                }
            }
            // Reported by the parser.
            _ => {}
        }
    }

    fn resolve_include(&mut self, include: &Include, out: &mut Vec<ResolvedNode>) {
        let offset = self.offset;
        let read = match self.state.includes() {
            Some(includes) => includes.enter_file(include, offset),
            None => Err(unsupported_here("this block")),
        };
        let included = match read {
            Ok(included) => included,
            Err(problem) => {
                self.report(problem.at(include.path.span));
                return;
            }
        };
        let outer = std::mem::replace(&mut self.offset, included.offset);
        for error in included.errors {
            self.report(error);
        }
        self.depth += 1;
        let pieces = self.resolve_block(&included.nodes);
        self.depth -= 1;
        self.offset = outer;
        if let Some(includes) = self.state.includes() {
            includes.leave_file();
        }
        out.push(ResolvedNode::Other(JinjaPiece::Scope(pieces)));
    }

    /// The filters of a block must return a string, as in Jinja2.
    fn expect_string(&mut self, value: &TypedTerm, block: &FilterBlock) -> bool {
        if value.kind.is_open() || value.kind == Kind::Text {
            return true;
        }
        self.report(problem::block_result(&value.kind).at(block.value.span()));
        false
    }

    /// `{{ … }}`: literal strings in it are text of the template.
    pub(super) fn resolve_slot(&mut self, expr: &Expr, span: Span, out: &mut Vec<ResolvedNode>) {
        match expr {
            Expr::Literal(literal) => {
                let text = match &literal.value {
                    Literal::Str(text) => text.clone(),
                    Literal::Int(number) => number.to_string(),
                    Literal::Bool(true) => "True".to_owned(),
                    Literal::Bool(false) => "False".to_owned(),
                    Literal::None => "None".to_owned(),
                    Literal::Float(_) => {
                        let term = Term::Literal(literal.value.clone());
                        out.push(ResolvedNode::Other(JinjaPiece::Show(OutputTerm {
                            name: "literal".to_owned(),
                            term,
                            span,
                        })));
                        return;
                    }
                };
                if !text.is_empty() {
                    out.push(ResolvedNode::Text { text, span });
                }
            }
            Expr::Other(JinjaExpr::Concat(items)) => {
                for item in &items.value {
                    self.resolve_slot(item, self.source_span(item.span()), out);
                }
            }
            Expr::Other(JinjaExpr::If(conditional)) => {
                self.scopes.open_branch();
                let test = self.resolve_test(&conditional.condition, true);
                self.assume_case(&conditional.condition, true);
                let mut body = Vec::new();
                self.resolve_slot(&conditional.value, span, &mut body);
                let bound = self.scopes.close_scope();
                let mut otherwise = Vec::new();
                if let Some(expr) = &conditional.otherwise {
                    self.scopes.open_branch();
                    self.assume_case(&conditional.condition, false);
                    self.resolve_slot(expr, span, &mut otherwise);
                    self.scopes.close_scope();
                }
                if let Some(mut test) = test {
                    remove_unused_binding(&mut test, &bound);
                    let branches = vec![ResolvedBranch { test, body }];
                    out.push(ResolvedNode::If {
                        branches,
                        otherwise,
                    });
                }
            }
            Expr::Filter(filter) if self.with_default(filter, span, out) => {}
            _ => {
                if let Some(value) = self.resolve_expr(expr) {
                    self.push_value(value, expr, span, out);
                }
            }
        }
    }

    fn push_value(
        &mut self,
        value: TypedTerm,
        expr: &Expr,
        span: Span,
        out: &mut Vec<ResolvedNode>,
    ) {
        let name = match &value.term {
            Term::Place(place) => place.name.clone(),
            _ => expr_name(expr),
        };
        match (value.term, value.kind) {
            (Term::Place(place), Kind::Option(_)) => {
                let name = place.name.split('.').next().unwrap_or_default();
                // A syntax error may have hidden the condition around it.
                if !self.is_unparsed(name) {
                    self.report_at(
                        problem::option_outside_condition(Dialect::Jinja, &place.name).at(span),
                    );
                }
            }
            (Term::Place(place), Kind::Unordered) => {
                self.report_at(problem::unordered_value(Dialect::Jinja, &place.name, &[]).at(span));
            }
            (Term::Place(place), Kind::Media) => out.push(ResolvedNode::Media { place, span }),
            (Term::Place(place), Kind::Text | Kind::Int | Kind::Unknown) => {
                out.push(ResolvedNode::Slot(ResolvedSlot {
                    name,
                    value: SlotValue::Place(place),
                    fallback: None,
                    span,
                }));
            }
            (Term::Block(pieces), _) => out.extend(pieces),
            (term, _) => out.push(ResolvedNode::Other(JinjaPiece::Show(OutputTerm {
                name,
                term,
                span,
            }))),
        }
    }

    /// `{{ note | default("none") }}` for an `Option`: the default is text of the template.
    fn with_default(
        &mut self,
        filter: &crate::Filter,
        span: Span,
        out: &mut Vec<ResolvedNode>,
    ) -> bool {
        let ([name], [Expr::Literal(default)], []) =
            (&filter.name.value[..], &filter.args[..], &filter.named[..])
        else {
            return false;
        };
        if !matches!(name.as_str(), "default" | "d") || !matches!(default.value, Literal::Str(_)) {
            return false;
        }
        let Expr::Path(path) = &filter.value else {
            return false;
        };
        // Only a look ahead: an unknown name is reported later.
        let [first] = &path.segments[..] else {
            return false;
        };
        let is_field = self.scopes.find_name(&first.value).is_none();
        let Some(field) = self.find_field(&first.value).filter(|_| is_field) else {
            return false;
        };
        let Kind::Option(inner) = self.context.fields[field].kind.clone() else {
            return false;
        };
        if !matches!(*inner, Kind::Text | Kind::Int)
            || self.context.fields[field].excluded_by.is_some()
        {
            return false;
        }
        let option = self.field_place(field, first.value.clone(), self.source_span(path.span));
        let binding = self.fresh_for_place(&option);
        let value = PlaceExpr {
            root: Root::Local(binding.clone()),
            layers: Some(1),
            ..option.clone()
        };
        out.push(ResolvedNode::Slot(ResolvedSlot {
            name: first.value.clone(),
            value: SlotValue::Place(value),
            fallback: Some(SlotDefault {
                option,
                binding,
                default: SlotValue::Literal(default.value.clone()),
            }),
            span,
        }));
        true
    }

    fn resolve_condition(&mut self, block: &If, out: &mut Vec<ResolvedNode>) {
        self.declare_variables(block, out);
        // In the `else` of `{% if not x %}`, `x` has a value.
        if let ([branch], Some(otherwise)) = (&block.branches[..], &block.otherwise)
            && let Some(condition) = opposite_condition(&branch.condition)
        {
            self.resolve_branches(&[(&condition, otherwise)], Some(&branch.body), out);
            return;
        }
        let branches: Vec<(&Expr, &Vec<Node>)> = block
            .branches
            .iter()
            .map(|branch| (&branch.condition, &branch.body))
            .collect();
        self.resolve_branches(&branches, block.otherwise.as_ref(), out);
    }

    fn resolve_branches(
        &mut self,
        nodes: &[(&Expr, &Vec<Node>)],
        otherwise: Option<&Vec<Node>>,
        out: &mut Vec<ResolvedNode>,
    ) {
        let before = self.scopes.certain_names();
        let mut after: Option<Vec<bool>> = None;
        let (mut branches, mut good) = (Vec::new(), true);
        let mut failed = Vec::new();
        for (condition, body) in nodes {
            self.scopes.open_branch();
            self.assume_no_case(&failed);
            let test = self.resolve_test(condition, true);
            self.assume_case(condition, true);
            failed.push(*condition);
            let body = self.resolve_nodes(body);
            let bound = self.scopes.close_scope();
            self.merge_certain(&before, &mut after);
            match test {
                Some(mut test) => {
                    remove_unused_binding(&mut test, &bound);
                    branches.push(ResolvedBranch { test, body });
                }
                None => good = false,
            }
        }
        let mut rest = Vec::new();
        if let Some(otherwise) = otherwise {
            self.scopes.open_branch();
            self.assume_no_case(&failed);
            rest = self.resolve_nodes(otherwise);
            self.scopes.close_scope();
        }
        self.merge_certain(&before, &mut after);
        if let Some(after) = after {
            self.scopes.set_certain(&after);
        }
        if good {
            out.push(ResolvedNode::If {
                branches,
                otherwise: rest,
            });
        }
    }

    /// A variable has a value after a condition if each branch gives it one.
    fn merge_certain(&mut self, before: &[bool], after: &mut Option<Vec<bool>>) {
        let now = self.scopes.certain_names();
        *after = Some(match after.take() {
            Some(after) => after.iter().zip(&now).map(|(a, b)| *a && *b).collect(),
            None => now,
        });
        self.scopes.set_certain(before);
    }

    /// Declares the variables that a condition sets before it, since they are in scope after it.
    fn declare_variables(&mut self, block: &If, out: &mut Vec<ResolvedNode>) {
        if !self.scopes.is_block() {
            return;
        }
        let mut set = Vec::new();
        for branch in &block.branches {
            collect_set_names(&branch.body, &mut set);
        }
        collect_set_names(block.otherwise.as_deref().unwrap_or_default(), &mut set);
        for (name, span) in set {
            if self.own_variable(&name).is_some() {
                continue;
            }
            let is_outside = self.scopes.find_name(&name).is_some();
            let (value, kind, origins, certain) = self.value_before(&name, span);
            let ident = self.fresh_variable(&name);
            out.push(ResolvedNode::Other(JinjaPiece::Bind(Assignment {
                idents: vec![ident.clone()],
                how: AssignmentKind::Declare,
                value,
                span: self.source_span(span),
            })));
            let unused = self.unused_error(span, unread_variable(&name, is_outside));
            let meaning = Resolution::Other(JinjaMeaning::Variable {
                ident,
                kind,
                origins,
            });
            let name = Binding::new(name, meaning).with_required_use(unused);
            self.scopes.bind_in_block(Binding { certain, ..name });
        }
    }

    /// The value of a name before a condition assigns it.
    fn value_before(&mut self, name: &str, span: Span) -> (Term, Kind, Vec<usize>, bool) {
        let is_known = self.scopes.find_name(name).is_some_and(|name| {
            !matches!(
                name.meaning,
                Resolution::Other(JinjaMeaning::Macro(_)) | Resolution::Loop(_)
            )
        }) || self
            .find_field(name)
            .is_some_and(|field| self.context.fields[field].excluded_by.is_none());
        if is_known {
            let path = prompt_syntax::Path {
                span,
                segments: vec![prompt_syntax::Spanned {
                    value: name.to_owned(),
                    span,
                }],
                input: false,
            };
            if let Some(value) = self.resolve_name(&path, true)
                && !matches!(value.kind, Kind::Media | Kind::Unordered)
            {
                let origins = shown_fields(&value.term);
                return (
                    value.term,
                    value.kind.without_option().dynamic(),
                    origins,
                    true,
                );
            }
        }
        (Term::Absent, Kind::None, Vec::new(), false)
    }
}

/// The fields whose data a value may show.
pub(super) fn shown_fields(term: &Term) -> Vec<usize> {
    let mut origins = Vec::new();
    term.each_shown_place(&mut |place| {
        if !origins.contains(&place.origin) {
            origins.push(place.origin);
        }
    });
    origins
}
