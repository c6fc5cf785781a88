//! `map`, `select`, `reject` and similar filters, which take the name of a filter or test for each item.

use crate::Filter;
use crate::analysis::{Function, JinjaAnalyzer, LocalVariable, MappedList, Term, TypedTerm};
use crate::builtin::{Builtin, FILTERS, TESTS, find, signature};
use crate::problem::call as problem;
use prompt_syntax::{Kind, Literal};

impl JinjaAnalyzer<'_, '_> {
    /// `map`, `select`, `reject`, `selectattr`, `rejectattr`.
    pub(super) fn of_items(
        &mut self,
        filter: &Filter,
        signature: &'static Builtin,
    ) -> Option<TypedTerm> {
        let value = self.resolve_value(&filter.value);
        let name = signature.name;
        let span = self.source_span(filter.span);
        let args = self.resolve_items(&filter.args);
        let named = self.resolve_all(&filter.named, |this, arg| this.resolve_optional(&arg.value));
        let (value, args, named) = (value?, args?, named?);
        if !signature::accepts_receiver("filter", signature, &value.kind) {
            return self.report_as_none(
                problem::wrong_receiver("filter", signature, &value.kind).at(filter.value.span()),
            );
        }
        if self
            .as_rust_list(&value)
            .is_some_and(|list| list.is_of_groups())
        {
            return self.report_as_none(problem::of_groups(name).at(filter.name.span));
        }
        if name == "map"
            && filter
                .named
                .first()
                .is_some_and(|arg| arg.name.value == "attribute" || arg.name.value == "default")
        {
            return self.map_attribute(filter, signature, &value, &args, &named);
        }
        if let Some(arg) = filter.named.first() {
            return self.report_as_none(
                problem::no_param("filter", signature, &arg.name).at(arg.name.span),
            );
        }
        let needed = usize::from(name == "map" || name.ends_with("attr"));
        if args.len() < needed {
            return self.report_as_none(
                problem::wrong_argument_count("filter", signature, args.len()).at(filter.name.span),
            );
        }
        let by_attribute = name.ends_with("attr");
        let (attribute, rest) = if by_attribute {
            (Some(&args[0]), &args[1..])
        } else {
            (None, &args[..])
        };
        let attribute = match attribute {
            Some(attribute) => {
                self.expect_attribute(&value, &filter.value, attribute)?;
                Some(self.attribute_name(attribute, name)?)
            }
            None => None,
        };
        let inner_args = rest.get(1..).unwrap_or_default();
        let inner = match rest.first() {
            Some(inner) => {
                let (called, at) = (self.inner_name(inner, name)?, inner.span);
                Some(self.item_function(
                    name,
                    &called,
                    at,
                    &value.kind,
                    by_attribute,
                    inner_args,
                )?)
            }
            None => None,
        };
        let list = self.as_rust_list(&value);
        if let (Some(list), Some(attribute)) = (list, &attribute) {
            let at = self.in_tree(args[0].span);
            let (item, place) = self.field_of_item(&list, attribute, at)?;
            let key = chosen(Term::Place(place), inner, inner_args, span);
            let function = if name == "selectattr" {
                "select_by"
            } else {
                "reject_by"
            };
            let kind = value.kind.clone();
            return Some(self.apply_keyed_filter(
                list,
                function,
                Some((item, key)),
                Vec::new(),
                kind,
                span,
            ));
        }
        let item = self.fresh_variable("item");
        let one = Term::Variable(LocalVariable {
            ident: item.clone(),
            sources: Vec::new(),
            uncertain: false,
        });
        let one = match attribute {
            Some(attribute) => Term::Call {
                function: Function::Path,
                args: vec![Some(one), Some(Term::Literal(Literal::Str(attribute)))],
                span,
            },
            None => one,
        };
        let (function, key, kind) = match (name, inner) {
            ("map", Some(filter)) => {
                let kind = signature::filter_result(filter, &value.kind.item(), &[]);
                let key = with_args(Function::Filter(filter.function), one, inner_args, span);
                ("map", key, kind)
            }
            _ => {
                let function = if name.starts_with("select") {
                    "select"
                } else {
                    "reject"
                };
                (
                    function,
                    chosen(one, inner, inner_args, span),
                    value.kind.item(),
                )
            }
        };
        let mapped = MappedList {
            value: value.term,
            function,
            item,
            key,
            span,
        };
        Some(TypedTerm::new(
            Term::Mapped(Box::new(mapped)),
            Kind::list(kind),
            span,
        ))
    }

    /// The name of the filter or test, which must be a literal.
    fn inner_name(&mut self, given: &TypedTerm, name: &str) -> Option<String> {
        if let Term::Literal(Literal::Str(inner)) = &given.term {
            return Some(inner.clone());
        }
        self.report_at_as_none(problem::name_not_written_out(name).at(given.span))
    }

    /// The filter or test that is called for each item.
    fn item_function(
        &mut self,
        name: &str,
        inner: &str,
        at: prompt_base::Span,
        list: &Kind,
        by_attribute: bool,
        args: &[TypedTerm],
    ) -> Option<&'static Builtin> {
        let (what, table) = if name == "map" {
            ("filter", FILTERS)
        } else {
            ("test", TESTS)
        };
        let Some(signature) = find(table, inner) else {
            return self.report_at_as_none(problem::unknown_function(what, inner, table).at(at));
        };
        let item = list.item();
        if !by_attribute
            && !signature::accepts_receiver(what, signature, &item)
            && item != Kind::None
        {
            return self.report_at_as_none(problem::wrong_receiver(what, signature, &item).at(at));
        }
        let needed = signature
            .params
            .iter()
            .filter(|param| param.required)
            .count();
        if args.len() < needed || args.len() > signature.params.len() {
            return self.report_at_as_none(
                problem::wrong_argument_count(what, signature, args.len()).at(at),
            );
        }
        Some(signature)
    }

    fn map_attribute(
        &mut self,
        filter: &Filter,
        signature: &'static Builtin,
        value: &TypedTerm,
        args: &[TypedTerm],
        named: &[TypedTerm],
    ) -> Option<TypedTerm> {
        let span = self.source_span(filter.span);
        if let Some(arg) = args.first() {
            return self.report_at_as_none(problem::map_of_both().at(arg.span));
        }
        let find = |name: &str| filter.named.iter().position(|arg| arg.name.value == name);
        let unknown = filter
            .named
            .iter()
            .find(|arg| arg.name.value != "attribute" && arg.name.value != "default");
        if let Some(arg) = unknown {
            return self.report_as_none(problem::no_param_of_map(&arg.name).at(arg.name.span));
        }
        let Some(attribute) = find("attribute") else {
            return self.report_as_none(
                problem::wrong_argument_count("filter", signature, 0).at(filter.name.span),
            );
        };
        let attribute = &named[attribute];
        let default = find("default").map(|index| &named[index]);
        if default.is_none() {
            self.expect_attribute(value, &filter.value, attribute)?;
        }
        if let Some(list) = self.as_rust_list(value) {
            let name = self.attribute_name(attribute, "map")?;
            let at = self.in_tree(attribute.span);
            let (item, place) = self.field_of_item(&list, &name, at)?;
            let key = match default {
                Some(default) => Term::Call {
                    function: Function::Filter("default"),
                    args: vec![Some(Term::Place(place)), Some(default.term.clone()), None],
                    span,
                },
                None => Term::Place(place),
            };
            return Some(self.apply_keyed_filter(
                list,
                "map_by",
                Some((item, key)),
                Vec::new(),
                Kind::list(Kind::Dynamic),
                span,
            ));
        }
        let args = vec![
            Some(value.term.clone()),
            Some(attribute.term.clone()),
            default.map(|default| default.term.clone()),
        ];
        Some(TypedTerm::call(
            Function::Filter("map_attribute"),
            args,
            Kind::list(Kind::Dynamic),
            span,
        ))
    }
}

/// Whether an item is selected: by a test, or by its truthiness.
fn chosen(
    item: Term,
    test: Option<&'static Builtin>,
    args: &[TypedTerm],
    span: prompt_base::Span,
) -> Term {
    match test {
        Some(test) => with_args(Function::Test(test.function), item, args, span),
        None => item,
    }
}

fn with_args(function: Function, item: Term, args: &[TypedTerm], span: prompt_base::Span) -> Term {
    let mut all = vec![Some(item)];
    all.extend(args.iter().map(|arg| Some(arg.term.clone())));
    Term::Call {
        function,
        args: all,
        span,
    }
}
