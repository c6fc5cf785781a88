//! Filters, methods and functions: whether they exist, and their arguments.

use super::expr::{all_given, args_of, expr_name, into_terms};
use crate::analysis::{Function, JinjaAnalyzer, JinjaMeaning, Resolution, Term, TypedTerm};
use crate::builtin::signature::{self, accepts_kind};
use crate::builtin::{self, Builtin, ExtraArgs, FILTERS, FUNCTIONS, METHODS, find};
use crate::problem::{call, value};
use crate::{BinaryOp, CallExpr, Expr, Filter, JinjaExpr, Named};
use prompt_base::Span;
use prompt_syntax::problem::Problem;
use prompt_syntax::problem::role::{BAML_METHODS, call_of_baml};
use prompt_syntax::{Dialect, Error, Kind, Literal, Role};

/// The letter of the first place for a value in a pattern of `format`: `%s`, `%.2f`. A space before the letter is left out: `5 % of`.
fn first_conversion(text: &str) -> Option<char> {
    let text = text.replace("%%", "");
    let mut places = text.split('%').skip(1).filter_map(|rest| {
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || "-+#.*".contains(c));
        rest.chars().next()
    });
    places.find(|letter| "acdeEfFgGirsxX".contains(*letter))
}

/// The argument of each parameter, in their order.
pub(super) type BoundArgs = Vec<Option<TypedTerm>>;

impl JinjaAnalyzer<'_, '_> {
    pub(super) fn resolve_filter(&mut self, filter: &Filter) -> Option<TypedTerm> {
        if filter.name.value.len() > 1 {
            return self.own_filter(filter);
        }
        let name = filter.name.value.join("::");
        let Some(signature) = find(FILTERS, &name) else {
            self.report(call::unknown_function("filter", &name, FILTERS).at(filter.name.span));
            // The input may have errors of its own.
            self.resolve_lenient(&filter.value);
            return None;
        };
        match signature.function {
            "default" => self.apply_default(filter, signature),
            "map" | "select" | "reject" | "selectattr" | "rejectattr" => {
                self.of_items(filter, signature)
            }
            _ => self.apply_filter(filter, signature),
        }
    }

    fn apply_filter(&mut self, filter: &Filter, signature: &'static Builtin) -> Option<TypedTerm> {
        let value = self.resolve_value(&filter.value);
        let given = self.given_to_filter(filter, signature);
        let (value, given) = (value?, given?);
        let is_escape = signature.function == "escape" && filter.name.value != ["forceescape"];
        if let Some(markup) = markup_filter(&filter.value)
            && is_escape
        {
            let name = filter.name.value.join("::");
            return self.report_as_none(call::escaped_again(&name, markup).at(filter.name.span));
        }
        if signature.function == "format"
            && let Some(problem) = self.swapped_pattern(filter, &value.kind)
        {
            return self.report_as_none(problem.at(filter.value.span()));
        }
        if !signature::accepts_receiver("filter", signature, &value.kind) {
            let of_text = signature::receiver_name("filter", signature) == "a string";
            let problem = match &value.kind {
                Kind::List(_) if self.in_list && of_text => {
                    let given = filter.args.iter().map(Expr::span).reduce(Span::to);
                    let given = given.map(|span| self.written_in(span));
                    call::text_filter_of_items(
                        signature,
                        self.written_in(filter.value.span()),
                        given,
                    )
                }
                kind => call::wrong_receiver("filter", signature, kind),
            };
            return self.report_as_none(problem.at(filter.value.span()));
        }
        if let Some(list) = self.as_rust_list(&value)
            && let Some(result) = self.filter_of_items(filter, signature, list, &given)
        {
            return result;
        }
        let given_to = |name: &str| given.get(signature.param(name)?)?.as_ref();
        if let (Some(attribute), None) = (given_to("attribute"), given_to("default")) {
            self.expect_attribute(&value, &filter.value, attribute)?;
        }
        let span = self.source_span(filter.span);
        let kind = signature::filter_result(signature, &value.kind, &argument_kinds(&given));
        let args = args_of(Some(value.term), given);
        Some(TypedTerm::call(
            Function::Filter(signature.function),
            args,
            kind,
            span,
        ))
    }

    /// The problem of `price | format('%.2f')`, whose pattern is the argument. Jinja2 reports it where it renders.
    fn swapped_pattern(&self, filter: &Filter, kind: &Kind) -> Option<Problem> {
        let (first, rest) = filter.args.split_first()?;
        let as_text = |expr: &Expr| match expr {
            Expr::Literal(literal) => match &literal.value {
                Literal::Str(text) => Some(text.clone()),
                _ => None,
            },
            _ => None,
        };
        let pattern = as_text(first).and_then(|text| first_conversion(&text));
        let is_wrong = match kind {
            Kind::Text => match as_text(&filter.value) {
                Some(text) => !text.contains('%'),
                None => pattern.is_some(),
            },
            Kind::List(_) => pattern.is_some(),
            kind => kind.is_number() || matches!(kind, Kind::Bool | Kind::None),
        };
        if !is_wrong {
            return None;
        }
        let value = self.written_in(filter.value.span());
        let right = pattern.map(|conversion| {
            let value = match (kind, conversion) {
                (Kind::Text, 'd' | 'i' | 'x' | 'X') => format!("{value} | int"),
                (Kind::Text, 'e' | 'E' | 'f' | 'F' | 'g' | 'G') => format!("{value} | float"),
                _ => value.to_owned(),
            };
            let mut values = vec![&*value];
            values.extend(rest.iter().map(|value| self.written_in(value.span())));
            let pattern = self.written_in(first.span());
            format!("{pattern} | format({})", values.join(", "))
        });
        Some(call::pattern_without_places(right.as_deref()))
    }

    /// A value that may be undefined, for `default` and `is defined`.
    pub(super) fn resolve_lenient(&mut self, expr: &Expr) -> Option<TypedTerm> {
        let value = match expr {
            Expr::Path(path) => self.resolve_name(path, true)?,
            other => self.resolve_expr(other)?,
        };
        let name = expr_name(expr);
        let problem = match &value.kind {
            Kind::Unordered => value::unordered_value(Dialect::Jinja, &name, &[]),
            Kind::Media => value::media_as_text(Dialect::Jinja, &name),
            _ => return Some(value),
        };
        self.report_as_none(problem.at(expr.span()))
    }

    fn apply_default(&mut self, filter: &Filter, signature: &'static Builtin) -> Option<TypedTerm> {
        let value = self.resolve_lenient(&filter.value);
        let given = self.given_to_filter(filter, signature);
        let (value, given) = (value?, given?);
        let span = self.source_span(filter.span);
        let boolean = given[1].is_some();
        if let Term::Place(place) = &value.term
            && !boolean
            // As at compile time, where rustc alone knows the kind of such a field.
            && place.rest.is_empty()
            && !value.kind.is_open()
            && !matches!(value.kind, Kind::Option(_))
            && !self.may_be_option(place)
        {
            let problem = value::always_there(Dialect::Jinja, &place.name, &value.kind, false);
            return self.report_as_none(problem.at(filter.value.span()));
        }
        let default = given[0]
            .as_ref()
            .map_or(Kind::Text, |given| given.kind.clone());
        let kind = match value.kind.clone().without_option() {
            Kind::Unknown => Kind::Dynamic,
            kind => kind.either(default),
        };
        let args = args_of(Some(value.term), given);
        Some(TypedTerm::call(
            Function::Filter("default"),
            args,
            kind,
            span,
        ))
    }

    fn given_to_filter(
        &mut self,
        filter: &Filter,
        signature: &'static Builtin,
    ) -> Option<BoundArgs> {
        self.bind_arguments(
            "filter",
            signature,
            filter.name.span,
            &filter.args,
            &filter.named,
        )
    }

    /// The arguments of a call. `None` if one is wrong, which is reported.
    pub(super) fn bind_arguments(
        &mut self,
        what: &str,
        signature: &'static Builtin,
        name: Span,
        args: &[Expr],
        named: &[Named],
    ) -> Option<BoundArgs> {
        let params: Vec<&str> = signature.params.iter().map(|param| param.name).collect();
        let is_too_many = args.len() > params.len() && signature.rest == ExtraArgs::None;
        if is_too_many {
            let count = args.len() + named.len();
            self.report(call::wrong_argument_count(what, signature, count).at(name));
        }
        let (given, mut good) = self.match_arguments(
            &params,
            args,
            named,
            |name| call::no_param(what, signature, name),
            |this, index, value, arg| this.check_argument(what, signature, index, value, arg),
        );
        good &= !is_too_many;
        let missing = signature
            .params
            .iter()
            .zip(&given)
            .any(|(param, given)| param.required && given.is_none());
        if missing && good {
            let count = args.len() + named.len();
            self.report(call::wrong_argument_count(what, signature, count).at(name));
            good = false;
        }
        good.then_some(given)
    }

    /// The argument of each parameter, given in order or by name, then those beyond the parameters; and whether all are right.
    pub(super) fn match_arguments(
        &mut self,
        params: &[&str],
        args: &[Expr],
        named: &[Named],
        no_param: impl Fn(&str) -> Problem,
        fits: impl Fn(&mut Self, usize, &TypedTerm, &Expr) -> bool,
    ) -> (BoundArgs, bool) {
        let mut given: BoundArgs = params.iter().map(|_| None).collect();
        let mut good = true;
        for (index, arg) in args.iter().enumerate() {
            match self.resolve_optional(arg) {
                Some(value) if index >= params.len() => given.push(Some(value)),
                Some(value) if fits(self, index, &value, arg) => given[index] = Some(value),
                _ => good = false,
            }
        }
        for arg in named {
            let (name, value) = (arg.name.as_str(), self.resolve_optional(&arg.value));
            let problem = match params.iter().position(|param| *param == name) {
                None => no_param(name),
                Some(index) if index < args.len() || given[index].is_some() => {
                    call::duplicate_argument(name)
                }
                Some(index) => {
                    given[index] = value.filter(|value| fits(self, index, value, &arg.value));
                    good &= given[index].is_some();
                    continue;
                }
            };
            self.report(problem.at(arg.name.span));
            good = false;
        }
        (given, good)
    }

    fn check_argument(
        &mut self,
        what: &str,
        signature: &'static Builtin,
        index: usize,
        value: &TypedTerm,
        expr: &Expr,
    ) -> bool {
        let param = &signature.params[index];
        let is_none = value.kind == Kind::None && !param.required;
        if accepts_kind(param.kind, &value.kind)
            || is_none
            || param.kind == builtin::BuiltinKind::Any
        {
            return true;
        }
        let problem = match &value.kind {
            Kind::Option(_) => value::option_outside_condition(Dialect::Jinja, &expr_name(expr)),
            kind => call::wrong_argument(what, signature, param, kind),
        };
        self.report(problem.at(expr.span()));
        false
    }

    /// A macro, a function or a method.
    pub(super) fn resolve_call(&mut self, call: &CallExpr) -> Option<TypedTerm> {
        let Some(receiver) = &call.receiver else {
            return self.resolve_callee(call);
        };
        if let Expr::Path(path) = receiver
            && path.names() == ["loop"]
            && let Some(result) = self.method_of_loop(call)
        {
            return result;
        }
        if let Some(role) = role_of_call(receiver, call) {
            let problem = call_of_baml(&call.name.value, role);
            return self.report_as_none(problem.at(call.name.span));
        }
        let value = self.resolve_value(receiver);
        let Some(signature) = find(METHODS, &call.name.value) else {
            return self.report_as_none(
                call::unknown_function("method", &call.name, METHODS).at(call.name.span),
            );
        };
        let given =
            self.bind_arguments("method", signature, call.name.span, &call.args, &call.named);
        let (value, given) = (value?, given?);
        if !signature::accepts_receiver("method", signature, &value.kind) {
            return self.report_as_none(
                call::wrong_receiver("method", signature, &value.kind).at(receiver.span()),
            );
        }
        let kind = signature::method_result(signature, &value.kind, &argument_kinds(&given));
        let span = self.source_span(call.span);
        let args = args_of(Some(value.term), given);
        Some(TypedTerm::call(
            Function::Method(signature.function),
            args,
            kind,
            span,
        ))
    }

    /// `loop.cycle` and `loop.changed`; `None` if `loop` is not a loop, or has no such method.
    fn method_of_loop(&mut self, call: &CallExpr) -> Option<Option<TypedTerm>> {
        let (name, _) = match call.name.as_str() {
            "cycle" => self.scopes.find_path(&["loop"])?,
            "changed" => self.scopes.find_path(&["loop", "changed"])?,
            _ => return None,
        };
        let meaning = name.meaning.clone();
        if matches!(
            meaning,
            Resolution::Loop(_) | Resolution::Other(JinjaMeaning::Changed(_))
        ) {
            name.used = true;
        }
        match meaning {
            Resolution::Loop(state) if call.name.value == "cycle" => {
                Some(self.loop_cycle(state, call))
            }
            Resolution::Other(JinjaMeaning::Changed(state)) => Some(self.loop_changed(state, call)),
            _ => None,
        }
    }

    fn resolve_callee(&mut self, call: &CallExpr) -> Option<TypedTerm> {
        let name = &call.name.value;
        let found = self.scopes.find_name(name).map(|name| {
            name.used = true;
            name.meaning.clone()
        });
        if let Some(Resolution::Other(JinjaMeaning::Macro(defined))) = found {
            let span = self.source_span(call.span);
            let pieces = self.macro_call(&defined, call)?;
            return Some(TypedTerm::new(Term::Block(pieces), Kind::Text, span));
        }
        let Some(signature) = find(FUNCTIONS, name).filter(|_| found.is_none()) else {
            let error = match found.is_some() || self.find_field(name).is_some() {
                true => call::value_called(name).at(call.name.span),
                false => self.unknown_call(call),
            };
            return self.report_as_none(error);
        };
        let given = self.bind_arguments(
            "function",
            signature,
            call.name.span,
            &call.args,
            &call.named,
        )?;
        let span = self.source_span(call.span);
        let args = args_of(None, given);
        Some(TypedTerm::call(
            Function::Global(signature.function),
            args,
            Kind::list(Kind::Int),
            span,
        ))
    }

    fn unknown_call(&self, call: &CallExpr) -> Error {
        let name = &call.name.value;
        let mut known = self.scopes.names_in_scope();
        for function in FUNCTIONS {
            known.push(function.name);
        }
        call::unknown_macro(name, &known).at(call.name.span)
    }

    /// `loop.changed(day, hour)`
    fn loop_changed(&mut self, state: String, call: &CallExpr) -> Option<TypedTerm> {
        let values = self.resolve_values(&call.args)?;
        if values.is_empty() || !call.named.is_empty() {
            return self.report_as_none(call::empty_changed().at(call.span));
        }
        let span = self.source_span(call.span);
        Some(TypedTerm::call(
            Function::Changed(state),
            all_given(into_terms(values)),
            Kind::Bool,
            span,
        ))
    }

    /// `loop.cycle("a", "b")`
    fn loop_cycle(&mut self, state: String, call: &CallExpr) -> Option<TypedTerm> {
        let items = self.resolve_values(&call.args)?;
        let span = self.source_span(call.span);
        if items.is_empty() {
            return self.report_as_none(call::empty_cycle().at(call.span));
        }
        let kind = items
            .iter()
            .map(|item| item.kind.clone())
            .reduce(Kind::either)?;
        let count = i64::try_from(items.len()).unwrap_or(i64::MAX);
        let at = Term::Call {
            function: Function::Operator("rem"),
            args: vec![
                Some(Term::Loop {
                    state,
                    part: "index0".to_owned(),
                }),
                Some(Term::Literal(Literal::Int(count))),
            ],
            span,
        };
        let list = Term::List(into_terms(items));
        Some(TypedTerm::call(
            Function::Operator("index"),
            vec![Some(list), Some(at)],
            kind,
            span,
        ))
    }
}

/// The kinds of arguments.
fn argument_kinds(given: &BoundArgs) -> Vec<Option<Kind>> {
    given
        .iter()
        .map(|given| given.as_ref().map(|given| given.kind.clone()))
        .collect()
}

/// The filter whose result Jinja2 does not escape, because it is markup, if the value is one.
pub(super) fn markup_filter(value: &Expr) -> Option<&str> {
    let filter = match value {
        Expr::Filter(filter) => filter,
        Expr::Other(JinjaExpr::Binary(sum)) if sum.op.value == BinaryOp::Add => {
            return markup_filter(&sum.left).or_else(|| markup_filter(&sum.right));
        }
        _ => return None,
    };
    let [name] = &filter.name.value[..] else {
        return None;
    };
    match name.as_str() {
        "tojson" | "e" | "escape" | "forceescape" | "safe" => Some(name),
        "upper" | "lower" | "capitalize" | "trim" | "indent" | "center" | "wordwrap" | "string" => {
            markup_filter(&filter.value)
        }
        _ => None,
    }
}

/// The role of `_.role("system")`, with which BAML begins a message.
fn role_of_call(receiver: &Expr, call: &CallExpr) -> Option<Role> {
    let is_baml = matches!(receiver, Expr::Path(path) if path.names() == ["_"]);
    let argument = call
        .args
        .first()
        .or(call.named.first().map(|arg| &arg.value))?;
    match argument {
        Expr::Literal(literal) if is_baml && BAML_METHODS.contains(&call.name.as_str()) => {
            match &literal.value {
                Literal::Str(name) => Role::from_any_case(name),
                _ => None,
            }
        }
        _ => None,
    }
}
