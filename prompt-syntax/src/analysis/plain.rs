//! The analysis of the angle, brace and f-string dialects.

use super::Analyzer;
use super::binding::{Binding, Resolution};
use super::narrow::remove_unused_binding;
use super::piece::{
    Condition, PlaceExpr, ResolvedBranch, ResolvedNode, ResolvedSlot, Root, SlotDefault, SlotValue,
    slot_name,
};
use crate::filters::{self, FilterOutput};
use crate::language::Language;
use crate::name::LOOP_PARTS;
use crate::problem::expr::path_in_condition;
use crate::problem::slot::{condition_as_value, default_inside, unsupported_here};
use crate::problem::{call, compare as problem, name, value};
use crate::{
    Compare, CompareOp, Error, Expr, Filter, For, If, Kind, Literal, Node, Path, Slot, Spanned,
};
use prompt_base::Span;

fn is_text_or_number<L: Language>(expr: &Expr<L>) -> bool {
    let Expr::Literal(literal) = expr else {
        return false;
    };
    matches!(
        literal.value,
        Literal::Str(_) | Literal::Int(_) | Literal::Float(_)
    )
}

impl<L: Language> Analyzer<'_, L> {
    pub(super) fn plain_node(&mut self, node: &Node<L>, out: &mut Vec<ResolvedNode<L>>) {
        match node {
            Node::Text(text) => out.push(ResolvedNode::Text {
                text: text.text.clone(),
                span: text.span,
            }),
            Node::Slot(slot) => out.extend(self.plain_slot(slot)),
            Node::If(block) => self.plain_if(block, out),
            Node::For(block) => out.extend(self.plain_for(block)),
            // Reported by the parser.
            Node::Role(_) | Node::Error(_) => {}
            Node::Other(_) => self.report(unsupported_here("this block").at(node.span())),
        }
    }

    fn plain_slot(&mut self, slot: &Slot<L>) -> Option<ResolvedNode<L>> {
        let (expr, default) = match &slot.expr {
            Expr::Default(coalesce) => (&coalesce.value, Some(&coalesce.default)),
            other => (other, None),
        };
        let (value, kind) = self.plain_value(expr)?;
        let name = slot_name(expr);
        if let (SlotValue::Place(place), Kind::Media) = (&value, &kind) {
            if let Some(default) = default {
                return self.report_as_none(value::media_default(&place.name).at(default.span()));
            }
            return Some(ResolvedNode::Media {
                place: place.clone(),
                span: slot.span,
            });
        }
        let Some(default) = default else {
            self.expect_text(&value, &kind, expr, slot.span)?;
            return Some(ResolvedNode::Slot(ResolvedSlot {
                name,
                value,
                fallback: None,
                span: slot.span,
            }));
        };
        let (default_value, default_kind) = self.plain_text(default)?;
        if self.context.run_time {
            self.expect_text(&default_value, &default_kind, default, default.span())?;
        }
        let option = first_place(&value)?.clone();
        self.expect_option(&option, &kind)?;
        let binding = self.fresh_for_place(&option);
        let value = with_root(value, &binding);
        Some(ResolvedNode::Slot(ResolvedSlot {
            name,
            value,
            fallback: Some(SlotDefault {
                option,
                binding,
                default: default_value,
            }),
            span: slot.span,
        }))
    }

    fn plain_if(&mut self, block: &If<L>, out: &mut Vec<ResolvedNode<L>>) {
        let (mut branches, mut failed) = (Vec::new(), Vec::new());
        for branch in &block.branches {
            self.scopes.open_branch();
            self.assume_none(&failed);
            self.in_condition = true;
            let test = self.plain_test(&branch.condition, true);
            self.in_condition = false;
            self.assume_condition(&branch.condition, true);
            let body = self.resolve_nodes(&branch.body);
            let names = self.scopes.close_scope();
            failed.push(&branch.condition);
            if let Some(mut test) = test {
                remove_unused_binding(&mut test, &names);
                branches.push(ResolvedBranch { test, body });
            }
        }
        self.scopes.open_branch();
        self.assume_none(&failed);
        let otherwise = self.resolve_nodes(block.otherwise.as_deref().unwrap_or_default());
        self.scopes.close_scope();
        out.push(ResolvedNode::If {
            branches,
            otherwise,
        });
    }

    /// The error of a text or a number as a condition, alone or beside `and` or `or`, and the expression beside it. Such a condition is always true or always false.
    pub fn constant_operand<'e>(
        &self,
        condition: &'e Expr<L>,
    ) -> Option<(Error, Option<&'e Expr<L>>)> {
        let (operand, other) = match condition {
            Expr::And(sides) | Expr::Or(sides) => match is_text_or_number(&sides.1) {
                true => (&sides.1, Some(&sides.0)),
                false => (&sides.0, Some(&sides.1)),
            },
            Expr::Not(inner) => (&inner.value, None),
            other => (other, None),
        };
        if !is_text_or_number(operand) {
            return None;
        }
        let constant = self.written_in(operand.span());
        // Of `a == 'x' or b == 'y' or 'z'`, the nearest one.
        let nearest = match other {
            Some(Expr::And(sides) | Expr::Or(sides)) => Some(&sides.1),
            other => other,
        };
        let compared = match nearest {
            Some(Expr::Compare(compare)) => compare.rest.first().map(|(op, _)| {
                let value = self.written_in(compare.first.span());
                format!("{value} {} {constant}", op.value.sign())
            }),
            Some(name @ Expr::Path(_)) => {
                Some(format!("{} == {constant}", self.written_in(name.span())))
            }
            _ => None,
        };
        let right = compared.unwrap_or_else(|| format!("name == {constant}"));
        let error = problem::constant_condition(&right).at(operand.span());
        Some((error, other))
    }

    /// A condition. The value inside an `Option` is bound where the condition must hold for its block to be reached.
    fn plain_test(&mut self, condition: &Expr<L>, binds: bool) -> Option<Condition<L>> {
        if let Some((error, other)) = self.constant_operand(condition) {
            // A mistake beside it is the first one.
            if let Some(other) = other {
                self.plain_test(other, false)?;
            }
            return self.report_as_none(error);
        }
        match condition {
            Expr::Not(inner) => Some(Condition::Not(Box::new(self.plain_test(inner, false)?))),
            // A value that a side has found is known in the next one, also where the whole need not hold.
            Expr::And(_) if !binds => {
                self.scopes.open_branch();
                let test = self.plain_test(condition, true);
                let names = self.scopes.close_scope();
                let mut test = test?;
                remove_unused_binding(&mut test, &names);
                Some(test)
            }
            Expr::And(sides) => {
                let left = self.plain_test(&sides.0, true);
                let right = self.plain_test(&sides.1, true);
                Some(Condition::And(Box::new((left?, right?))))
            }
            Expr::Or(sides) => {
                let left = self.plain_test(&sides.0, false);
                let right = self.plain_test(&sides.1, false);
                Some(Condition::Or(Box::new((left?, right?))))
            }
            Expr::Compare(compare) => self.plain_comparison(compare),
            other => {
                let (value, kind) = self.plain_value(other)?;
                let binding = match &value {
                    SlotValue::Place(place) => {
                        if matches!(&kind, Kind::Option(inner) if matches!(**inner, Kind::Option(_)))
                        {
                            self.report(value::nested_option(&place.name).at(place.span));
                        }
                        let may_be_option = matches!(place.root, Root::Field(_))
                            || !place.rest.is_empty()
                            || matches!(kind, Kind::Option(_));
                        (binds && may_be_option).then(|| self.bind_found(place, &kind))
                    }
                    _ => None,
                };
                Some(Condition::Present { value, binding })
            }
        }
    }

    /// A comparison of one value with constants: `count > 3`, `0 < count <= 9`.
    fn plain_comparison(&mut self, compare: &Compare<L>) -> Option<Condition<L>> {
        let mut left = &compare.first;
        let mut tests = Vec::new();
        for (op, right) in &compare.rest {
            tests.push(self.plain_pair(left, op, right));
            left = right;
        }
        let tests: Option<Vec<Condition<L>>> = tests.into_iter().collect();
        let and = |left, right| Condition::And(Box::new((left, right)));
        tests?.into_iter().reduce(and)
    }

    fn plain_pair(
        &mut self,
        left: &Expr<L>,
        op: &Spanned<CompareOp>,
        right: &Expr<L>,
    ) -> Option<Condition<L>> {
        let (expr, literal, mirrored) = match (left, right) {
            (Expr::Literal(_), Expr::Literal(_)) => {
                return self
                    .report_as_none(problem::two_constants().at(left.span().to(right.span())));
            }
            (expr, Expr::Literal(literal)) => (expr, literal, op.value),
            (Expr::Literal(literal), expr) => (expr, literal, op.value.mirrored()),
            _ => {
                if let Some(error) = self.path_of_variant(left, op, right) {
                    self.plain_text(left);
                    return self.report_as_none(error);
                }
                // Names that are not in scope are the first mistake.
                let both = (self.plain_text(left), self.plain_text(right));
                let (Some(_), Some(_)) = both else {
                    return None;
                };
                return self
                    .report_as_none(problem::no_constant().at(left.span().to(right.span())));
            }
        };
        let (value, kind) = self.plain_text(expr)?;
        let name = slot_name(expr);
        let is_order = !matches!(op.value, CompareOp::Eq | CompareOp::Ne);
        let is_number = matches!(literal.value, Literal::Int(_) | Literal::Float(_));
        if is_order && !is_number {
            return self.report_as_none(problem::no_order(op.sign()).at(literal.span));
        }
        if let Kind::Option(_) = kind {
            let written = self.written_in(left.span().to(right.span()));
            let error = problem::compared_option(&name, written).at(expr.span());
            if !self.is_unparsed(&name) {
                self.report(error);
            }
            return None;
        }
        let is_text = matches!(literal.value, Literal::Str(_));
        let fits = match &kind {
            Kind::Text => is_text,
            Kind::Number => !is_text,
            Kind::List(_) | Kind::Dict(_) | Kind::Unordered | Kind::Struct(_) => false,
            _ => true,
        };
        if !fits {
            return self.report_as_none(
                problem::other_kind(&name, &kind, &literal.value).at(literal.span),
            );
        }
        let span = left.span().to(right.span());
        if let (SlotValue::Place(place), Literal::Str(text)) = (&value, &literal.value) {
            self.compare_text(place, text, self.source_span(span));
        }
        Some(Condition::Compare {
            value,
            op: mirrored,
            literal: literal.value.clone(),
            span,
        })
    }

    /// The error of a variant's path as another language writes it, behind a comparison: `plan == Plan.Pro`.
    pub fn path_of_variant(
        &mut self,
        left: &Expr<L>,
        op: &Spanned<CompareOp>,
        right: &Expr<L>,
    ) -> Option<Error> {
        let Expr::Path(path) = right else {
            return None;
        };
        let [first, .., variant] = &path.segments[..] else {
            return None;
        };
        let is_type = first.value.starts_with(|c: char| c.is_uppercase())
            && matches!(op.value, CompareOp::Eq | CompareOp::Ne)
            && self.find_field(first).is_none()
            && self.scopes.find_name(first).is_none();
        let value = self.written_in(left.span());
        let right = format!("{value} {} '{}'", op.value.sign(), variant.value);
        is_type.then(|| path_in_condition(&right).at(path.span))
    }

    /// The text of a span of the tree. That of an included file is not at hand.
    pub fn written_in(&self, span: Span) -> &str {
        self.text.get(self.source_span(span).range()).unwrap_or("…")
    }

    /// Binds the value that a condition has found, or an item of a list. Its type is known to rustc alone.
    fn bind_found(&mut self, place: &PlaceExpr, kind: &Kind) -> String {
        let ident = self.fresh_for_place(place);
        let place = PlaceExpr {
            root: Root::Local(ident.clone()),
            rest: Vec::new(),
            layers: place.layers_of_found(kind),
            ..place.clone()
        };
        let name = place.name.clone();
        self.scopes
            .bind_name(Binding::place(name, place, found_kind(kind)));
        ident
    }

    fn plain_for(&mut self, block: &For<L>) -> Option<ResolvedNode<L>> {
        if let Some(condition) = &block.condition {
            return self
                .report_as_none(unsupported_here("the condition of a loop").at(condition.span()));
        }
        let mut list = match (self.filter_of_no_list(block), &block.list) {
            (Some(filter), _) => self.reject_filter(block, filter),
            (None, Expr::Literal(constant)) => {
                let error = value::constant_in_loop(&block.targets[0]).at(constant.span);
                self.report_as_none(error)
            }
            (None, list) => self.plain_value(list),
        };
        if let Some((value, kind)) = &list
            && self.expect_items(block, value, kind).is_none()
        {
            list = None;
        }
        let otherwise = block
            .otherwise
            .as_deref()
            .map(|nodes| self.resolve_block(nodes));
        let item = list.as_ref().and_then(|(value, _)| first_place(value));
        let origin = item.map_or(usize::MAX, |place| place.origin);
        let is_pair = block.targets.len() > 1;
        let layers = match &list {
            Some((SlotValue::Place(place), _)) if !is_pair => place.layers_of_item(),
            _ => None,
        };
        // The items of a list that a filter makes have a type of their own.
        let is_made = matches!(&list, Some((SlotValue::Filter { name, .. }, _)) if filters::output_of(name) != Some(FilterOutput::Items));
        let mut bound = Vec::new();
        for target in &block.targets {
            let name = &target.value;
            // A block that is never closed may contain the next one.
            if list.is_none() && !self.parsed {
            } else if self.find_field(name).is_some() {
                self.report(name::hides_field(name).at(target.span));
            } else if self.scopes.find_name(name).is_some() {
                self.report(name::hides_loop(name).at(target.span));
            }
            let place = PlaceExpr {
                root: Root::Local(self.fresh_variable(name)),
                rest: Vec::new(),
                name: name.clone(),
                origin,
                span: target.span,
                open: is_pair || is_made,
                layers,
            };
            let kind = match &list {
                Some((_, Kind::List(item))) if !is_pair => match **item {
                    Kind::Option(_) => (**item).clone(),
                    _ => found_kind(item),
                },
                Some((_, kind)) if !is_pair => part_kind(kind),
                _ => Kind::Unknown,
            };
            bound.push((target, place, kind));
        }
        let state = self.fresh_variable("loop_state");
        self.scopes.open_block(Vec::new());
        // A field of that name remains what it is.
        if self.find_field("loop").is_none() {
            self.scopes
                .bind_name(Binding::new("loop", Resolution::Loop(state.clone())));
        }
        let mut bindings = Vec::new();
        for (target, place, kind) in bound {
            if let Root::Local(ident) = &place.root {
                bindings.push(ident.clone());
            }
            let problem = name::unused_loop_variable(self.context.dialect, &target.value);
            let unused = self.unused_error(target.span, problem);
            self.scopes.bind_name(Binding {
                unused,
                ..Binding::place(target.value.clone(), place, kind)
            });
        }
        let body = self.resolve_nodes(&block.body);
        let state = self
            .scopes
            .find_name("loop")
            .is_some_and(|name| name.used)
            .then_some(state);
        self.close_block();
        let (list, _) = list?;
        Some(ResolvedNode::For {
            bindings,
            state,
            list,
            body,
            otherwise,
        })
    }

    /// The filter after which a loop has no list: the first one that is unknown or makes a text of its value, where no later one makes a list of that.
    fn filter_of_no_list<'e>(&self, block: &'e For<L>) -> Option<&'e Filter<L>> {
        let mut found = None;
        let mut list = &block.list;
        while let Expr::Filter(filter) = list {
            let name = &filter.name.value;
            match filters::output_of(name) {
                // Only rustc knows what a function returns.
                None if name.len() > 1 => return found,
                Some(FilterOutput::Texts) => return found,
                Some(FilterOutput::Items) => {}
                Some(FilterOutput::Text) | None => found = Some(&**filter),
            }
            list = &filter.value;
        }
        found
    }

    /// Reports such a filter, unless its value has an error of its own.
    fn reject_filter(&mut self, block: &For<L>, filter: &Filter<L>) -> Option<(SlotValue, Kind)> {
        let (_, kind) = self.plain_value(&filter.value)?;
        let at = filter.name.span;
        let name = filter.name.value.join("::");
        let written = self.written_in(Span::new(at.start, filter.span.end));
        let written = written.to_owned();
        let list = self.written_in(filter.value.span());
        let targets: Vec<&str> = block.targets.iter().map(|name| name.as_str()).collect();
        let head = format!("for {} in {list}", targets.join(", "));
        let tag = self.context.dialect.tag(&head);
        let problem = match filters::output_of(&filter.name.value).is_some() {
            false if kind == Kind::Text => {
                call::unknown_of_text_in_loop(&name, &format!("{list} | lines"))
            }
            false => call::unknown_in_loop(&name, &tag, !self.context.run_time),
            true if kind == Kind::Text => call::text_in_loop(&name, &format!("{list} | lines")),
            true => call::filtered_list(&name, &written, &tag, targets[0]),
        };
        self.report_as_none(problem.at(at))
    }

    /// Whether a loop can iterate over a value, as far as is known before rustc.
    fn expect_items(&mut self, block: &For<L>, value: &SlotValue, kind: &Kind) -> Option<()> {
        let SlotValue::Place(place) = value else {
            return Some(());
        };
        let (dialect, name) = (self.context.dialect, &place.name);
        let problem = match (&block.targets[..], kind) {
            ([_, _], Kind::Dict(_)) => return Some(()),
            ([target], Kind::Dict(_)) => value::map_in_loop(dialect, name, target),
            ([first, second], Kind::List(item))
                if matches!(
                    **item,
                    Kind::Text | Kind::Number | Kind::Media | Kind::Struct(_)
                ) =>
            {
                value::no_pairs(dialect, name, first, second)
            }
            (targets, Kind::Unordered) => {
                let targets: Vec<&str> = targets.iter().map(|name| name.as_str()).collect();
                value::unordered_value(dialect, name, &targets)
            }
            // The key `media` may mark a list.
            (_, Kind::Media) if !self.context.run_time => return Some(()),
            (
                [target, ..],
                Kind::Media | Kind::Number | Kind::Text | Kind::Option(_) | Kind::Struct(_),
            ) => value::no_list(dialect, name, target, kind),
            _ => return Some(()),
        };
        self.report_as_none(problem.at(place.span))
    }

    /// A part of the state of a loop: `loop.index`.
    fn plain_loop(&mut self, state: &str, path: &Path) -> Option<(SlotValue, Kind)> {
        let [_, part] = &path.segments[..] else {
            let problem = match path.segments.get(2) {
                Some(_) => name::no_part_of_loop(&path.dotted()["loop.".len()..], &LOOP_PARTS),
                None => name::whole_loop(),
            };
            return self.report_as_none(problem.at(path.span));
        };
        if !LOOP_PARTS.contains(&part.as_str()) {
            return self.report_as_none(name::no_part_of_loop(part, &LOOP_PARTS).at(part.span));
        }
        let place = PlaceExpr {
            root: Root::Local(state.to_owned()),
            rest: vec![part.value.clone()],
            name: path.dotted(),
            origin: usize::MAX,
            span: path.span,
            open: false,
            layers: None,
        };
        Some((SlotValue::Place(place), Kind::Number))
    }

    /// A value that is not media.
    fn plain_text(&mut self, expr: &Expr<L>) -> Option<(SlotValue, Kind)> {
        let (value, kind) = self.plain_value(expr)?;
        if let (SlotValue::Place(place), Kind::Media) = (&value, &kind) {
            return self.report_as_none(
                value::media_as_text(self.context.dialect, &place.name).at(expr.span()),
            );
        }
        Some((value, kind))
    }

    /// A value and its kind. `None` if it has an error, which is reported.
    fn plain_value(&mut self, expr: &Expr<L>) -> Option<(SlotValue, Kind)> {
        let problem = match expr {
            Expr::Path(path) => return self.plain_path(path),
            Expr::Literal(literal) => {
                return Some((SlotValue::Literal(literal.value.clone()), Kind::Unknown));
            }
            Expr::Filter(filter) => return self.plain_filter(filter),
            Expr::Default(coalesce) => {
                return self.report_as_none(default_inside().at(coalesce.default.span()));
            }
            Expr::Not(_) | Expr::And(_) | Expr::Or(_) => condition_as_value(),
            _ => unsupported_here("this expression"),
        };
        self.report_as_none(problem.at(expr.span()))
    }

    fn plain_filter(&mut self, filter: &Filter<L>) -> Option<(SlotValue, Kind)> {
        if let Some(named) = filter.named.first() {
            return self
                .report_as_none(unsupported_here("an argument with a name").at(named.name.span));
        }
        let value = self.plain_value(&filter.value);
        let args: Vec<_> = filter.args.iter().map(|arg| self.plain_text(arg)).collect();
        // The filter may have an error of its own.
        if let Err(mut error) = self.expect_filter(filter, value.as_ref()) {
            if value.is_none()
                && let Some(tag) = self.tag_around(filter.name.span)
            {
                let names = self
                    .slot_names()
                    .into_iter()
                    .chain(filters::NAMES.iter().copied());
                error = error.in_tag(tag, &names);
            }
            return self.report_as_none(error);
        }
        let (value, kind) = value?;
        let args = args.into_iter().map(|arg| Some(arg?.0));
        let args: Vec<SlotValue> = args.collect::<Option<_>>()?;
        let value = SlotValue::Filter {
            name: filter.name.value.clone(),
            value: Box::new(value),
            args,
            span: filter.span,
        };
        // A filter of an `Option` has no value where the `Option` has none.
        let kind = match kind {
            Kind::Option(_) => kind,
            _ => Kind::Unknown,
        };
        Some((value, kind))
    }

    /// Whether a filter exists, is given what it takes, and can take the value, as far as is known before rustc.
    fn expect_filter(
        &self,
        filter: &Filter<L>,
        value: Option<&(SlotValue, Kind)>,
    ) -> Result<(), Error> {
        use filters::FilterInput::{Any, List, OrderedList, Text};
        let (compiled, at) = (!self.context.run_time, filter.name.span);
        if filter.name.value == ["default"] {
            let default = filter
                .args
                .first()
                .map_or("'none'", |arg| arg.span().of(self.text));
            let right = format!("{} ?? {default}", filter.value.span().of(self.text));
            return Err(call::default_of_jinja(&right).at(at));
        }
        let (name, input) = match &filter.name.value[..] {
            [name] => (
                &name[..],
                Some(filters::check(name, &filter.args, at, compiled)?),
            ),
            _ if compiled => ("", None),
            _ => return Err(call::function_at_run_time().at(at)),
        };
        let (place, kind) = match value {
            Some((SlotValue::Place(place), kind)) => (place, kind),
            Some((SlotValue::Filter { name: inner, .. }, _)) => {
                let is_list = matches!(
                    filters::output_of(inner),
                    Some(FilterOutput::Texts | FilterOutput::Items)
                );
                let problem = match input {
                    Some(Text) if is_list => call::takes_a_text(name),
                    Some(Any) if is_list && name == "lines" => call::takes_a_text(name),
                    _ => return Ok(()),
                };
                return Err(problem.at(filter.value.span()));
            }
            _ => return Ok(()),
        };
        let problem = match (input, kind) {
            (_, Kind::Media) => value::filtered_media(&place.name),
            (Some(List | OrderedList), Kind::Text | Kind::Number | Kind::Struct(_)) => {
                call::takes_a_list(name)
            }
            (Some(Text), Kind::List(_)) => call::takes_a_text(name),
            (Some(Text), Kind::Struct(_)) => {
                value::struct_as_text(self.context.dialect, &place.name)
            }
            (Some(OrderedList), Kind::List(item)) if matches!(**item, Kind::Struct(_)) => {
                value::items_with_fields(&place.name)
            }
            (Some(OrderedList), Kind::List(item)) if matches!(**item, Kind::Tuple(_)) => {
                call::joins_pairs(&place.name)
            }
            (Some(OrderedList | Any), Kind::Unordered) => call::shows_unordered(name),
            _ => return Ok(()),
        };
        Err(problem.at(filter.value.span()))
    }

    fn plain_path(&mut self, path: &Path) -> Option<(SlotValue, Kind)> {
        let segments = path.names();
        let (place, length, kind) = match self.scopes.find_path(&segments) {
            Some((name, length)) => {
                name.used = true;
                match &name.meaning {
                    Resolution::Place { place, kind } => (place.clone(), length, kind.clone()),
                    Resolution::Loop(state) => {
                        let state = state.clone();
                        return self.plain_loop(&state, path);
                    }
                    Resolution::Other(_) => return None,
                }
            }
            None => {
                let first = &path.segments[0];
                let Some(field) = self.find_field(&first.value) else {
                    self.report_unknown_name(first);
                    return None;
                };
                let known = &self.context.fields[field];
                if let Some(key) = known.excluded_by {
                    return self.report_as_none(name::field_without_slot(first, key).at(path.span));
                }
                let kind = known.kind.clone();
                (self.field_place(field, String::new(), path.span), 1, kind)
            }
        };
        let kind = self.kind_of_parts(kind, &place.root, path, length)?;
        let rest = path.segments[length..].iter();
        let place = PlaceExpr {
            rest: rest.map(|name| name.value.clone()).collect(),
            name: path.dotted(),
            span: path.span,
            ..place
        };
        Some((SlotValue::Place(place), kind))
    }

    /// The kind of the last part of a path; the segments from `from` are fields. It is unknown behind a type whose fields only rustc or
    /// the value knows.
    fn kind_of_parts(
        &mut self,
        mut kind: Kind,
        root: &Root,
        path: &Path,
        from: usize,
    ) -> Option<Kind> {
        for (at, part) in path.segments.iter().enumerate().skip(from) {
            let (segments, dialect) = (path.names(), self.context.dialect);
            let (whole, rest) = (segments[..at].join("."), segments[at..].join("."));
            let problem = match &kind {
                Kind::Struct(_) => match kind.field_kind(part) {
                    Some(found) => {
                        kind = found.in_plain_dialects();
                        continue;
                    }
                    None => {
                        let problem = value::no_field(&whole, part, &kind.field_names());
                        return self.report_as_none(problem.at(part.span));
                    }
                },
                // An `Option` has no fields, whatever its value has.
                Kind::Option(inner) if matches!(**inner, Kind::Struct(_) | Kind::Unknown) => {
                    value::field_of_option(dialect, &whole, &path.dotted())
                }
                kind => match kind.clone().without_option() {
                    Kind::List(_) => {
                        let item = match root {
                            Root::Field(field) => self.scopes.item_of(*field),
                            Root::Local(_) => None,
                        };
                        value::part_of_list(dialect, &whole, &rest, item, self.in_condition)
                    }
                    kind if kind.is_number() || kind == Kind::Text => {
                        let before = &self.text[..path.span.start];
                        value::part_of_text(dialect, &whole, &rest, &kind, before)
                    }
                    _ => return Some(Kind::Unknown),
                },
            };
            return self.report_as_none(problem.at(path.span));
        }
        Some(kind)
    }

    /// Reports an `Option` outside of a condition, unless a syntax error may have hidden the condition.
    fn report_option(&mut self, place: &PlaceExpr, inner: &Kind, span: Span) {
        let name = place.name.split('.').next().unwrap_or_default();
        if !self.is_unparsed(name) {
            let problem = match inner {
                Kind::Media => value::option_of_media,
                _ => value::option_outside_condition,
            };
            self.report(problem(self.context.dialect, &place.name).at(span));
        }
    }

    /// A slot takes one value: not an `Option`, nor a list.
    fn expect_text(
        &mut self,
        value: &SlotValue,
        kind: &Kind,
        expr: &Expr<L>,
        span: Span,
    ) -> Option<()> {
        let dialect = self.context.dialect;
        let SlotValue::Place(place) = value else {
            if let SlotValue::Filter { name, span, .. } = value
                && filters::output_of(name) == Some(FilterOutput::Items)
            {
                let sorted = format!("{} | sort", slot_name(expr));
                return self.report_as_none(
                    value::list_as_text(dialect, &sorted, &Kind::Unknown).at(*span),
                );
            }
            if let (Some(place), Kind::Option(inner)) = (first_place(value), kind) {
                self.report_option(place, inner, expr.span());
                return None;
            }
            return Some(());
        };
        let problem = match kind {
            Kind::Option(inner) => {
                self.report_option(place, inner, span);
                return None;
            }
            Kind::Unordered => value::unordered_value(dialect, &place.name, &[]),
            Kind::List(item) => value::list_as_text(dialect, &place.name, item),
            Kind::Dict(_) => value::map_as_text(&place.name),
            Kind::Struct(_) => value::struct_as_text(dialect, &place.name),
            _ => return Some(()),
        };
        self.report_as_none(problem.at(span))
    }

    /// `??` is for an `Option`.
    fn expect_option(&mut self, place: &PlaceExpr, kind: &Kind) -> Option<()> {
        let may_be_option = self.may_be_option(place);
        let is_field = matches!(place.root, Root::Field(_));
        if !place.rest.is_empty() || matches!(kind, Kind::Option(_)) || may_be_option && is_field {
            return Some(());
        }
        let problem = value::always_there(self.context.dialect, &place.name, kind, may_be_option);
        self.report_as_none(problem.at(place.span))
    }

    /// Whether a place is a field whose type may be an `Option`, also where a condition has shown that it has a value.
    pub fn may_be_option(&self, place: &PlaceExpr) -> bool {
        let field = self.context.fields.get(place.origin);
        place.rest.is_empty()
            && field.is_some_and(|field| {
                field.name == place.name && matches!(field.kind, Kind::Option(_) | Kind::Unknown)
            })
    }
}

/// The place that a value begins with.
fn first_place(value: &SlotValue) -> Option<&PlaceExpr> {
    match value {
        SlotValue::Place(place) => Some(place),
        SlotValue::Filter { value, .. } => first_place(value),
        SlotValue::Literal(_) => None,
    }
}

/// The same value, computed from a variable.
fn with_root(value: SlotValue, variable: &str) -> SlotValue {
    match value {
        SlotValue::Place(place) => SlotValue::Place(PlaceExpr {
            root: Root::Local(variable.to_owned()),
            rest: Vec::new(),
            layers: None,
            ..place
        }),
        SlotValue::Filter {
            name,
            value,
            args,
            span,
        } => SlotValue::Filter {
            name,
            value: Box::new(with_root(*value, variable)),
            args,
            span,
        },
        literal @ SlotValue::Literal(_) => literal,
    }
}

/// The kind of a value inside a condition, or of an item: text, a number, a list, a struct or media.
fn found_kind(kind: &Kind) -> Kind {
    match kind.clone().without_option() {
        kind @ (Kind::Text | Kind::Number | Kind::List(_) | Kind::Struct(_)) => kind,
        kind => part_kind(&kind),
    }
}

/// Whether a part of a value is media.
fn part_kind(kind: &Kind) -> Kind {
    match kind {
        Kind::Media => Kind::Media,
        Kind::List(inner) | Kind::Option(inner) => part_kind(inner),
        _ => Kind::Unknown,
    }
}
