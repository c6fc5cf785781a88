//! Lists whose items are of a type of the user's: filters go by a field of each, and the items stay what they are in Rust.

use proc_macro2::{Ident, Span as TokenSpan};
use prompt_syntax::builtin::{Builtin, FILTERS, TESTS, find};
use prompt_syntax::problem::call as problem;
use prompt_syntax::{Attribute, Expr, Filter, Literal};

use super::call::Given;
use super::expr::items;
use super::lowerer::Lowerer;
use super::term::{Function, Items, Keyed, Mapped, Term, Typed, Variable};
use crate::model::{Place, Root};
use crate::place::identifier;
use prompt_syntax::builtin::signature;
use prompt_syntax::kind::Kind;

impl Keyed {
    /// Whether what comes out are items, and no value.
    pub(super) fn gives_items(&self) -> bool {
        !matches!(self.function, "map_by" | "count" | "first" | "last")
    }
}

impl Items {
    /// The place that the list begins with.
    pub(super) fn base(&self) -> &Place {
        match self {
            Items::Place(place) => place,
            Items::Keyed(keyed) => keyed.list.base(),
        }
    }
}

/// A closure over one item: its parameter, and what is computed.
type Key = (Ident, Term);

impl Lowerer<'_, '_> {
    pub(super) fn keyed(
        &mut self,
        list: Items,
        function: &'static str,
        key: Option<Key>,
        args: Vec<Term>,
        kind: &Kind,
        expr: &Expr,
    ) -> Typed {
        let span = self.at(expr.span());
        self.keyed_at(list, function, key, args, kind.clone(), span)
    }

    fn keyed_at(
        &mut self,
        list: Items,
        function: &'static str,
        key: Option<Key>,
        args: Vec<Term>,
        kind: Kind,
        span: prompt_syntax::Span,
    ) -> Typed {
        let (item, key) = match key {
            Some((item, key)) => (item, Some(key)),
            None => (self.fresh("item"), None),
        };
        let keyed = Keyed {
            list,
            function,
            item,
            key,
            args,
            span,
        };
        Typed {
            term: Term::Keyed(Box::new(keyed)),
            kind,
            span,
        }
    }

    /// A field of each item.
    fn field_of_item(
        &mut self,
        list: &Items,
        attribute: &str,
        at: prompt_syntax::Span,
    ) -> Option<(Ident, Place)> {
        let item = self.fresh("item");
        let base = list.base();
        let (origin, name) = (base.origin, format!("{}.{attribute}", base.name));
        let at = self.at(at);
        let tokens = TokenSpan::call_site().located_at(self.source.span(at));
        let rest: Vec<Ident> = attribute
            .split('.')
            .map(|name| identifier(name, tokens))
            .collect();
        let place = Place {
            root: Root::Local(item.clone()),
            rest,
            name,
            origin,
            span: at,
            open: true,
        };
        Some((item, place))
    }

    /// The name of a field, which has to be written out.
    fn attribute_name(&mut self, given: &Typed, what: &str) -> Option<String> {
        if let Term::Literal(Literal::Str(name)) = &given.term {
            return Some(name.clone());
        }
        let error = problem::attribute_not_written_out(what).at(given.span);
        self.report_at(&error);
        None
    }

    /// `true` or `false`, which has to be written out; `false` if it is not given.
    fn flag(&mut self, given: Option<&Typed>, what: &str) -> Option<Term> {
        match given.map(|given| &given.term) {
            None => Some(Term::Literal(Literal::Bool(false))),
            Some(Term::Literal(Literal::Bool(value))) => Some(Term::Literal(Literal::Bool(*value))),
            Some(_) => {
                let error = problem::flag_not_written_out(what).at(given?.span);
                self.report_at(&error);
                None
            }
        }
    }

    /// A filter that needs no value of each item, or goes by a field. `None` where the items have to be values.
    pub(super) fn filter_of_items(
        &mut self,
        filter: &Filter,
        signature: &'static Builtin,
        list: Items,
        given: &Given,
    ) -> Option<Option<Typed>> {
        let span = self.at(filter.span);
        let of = |name: &str| {
            let index = signature
                .params
                .iter()
                .position(|param| param.name == name)?;
            given.get(index)?.as_ref()
        };
        let same = Kind::list(Kind::Unknown);
        match signature.name {
            "length" | "count" => {
                return Some(Some(self.keyed_at(
                    list,
                    "count",
                    None,
                    Vec::new(),
                    Kind::Int,
                    span,
                )));
            }
            "reverse" => {
                return Some(Some(self.keyed_at(
                    list,
                    "reversed",
                    None,
                    Vec::new(),
                    same,
                    span,
                )));
            }
            "list" => {
                let none = || Term::Literal(Literal::None);
                return Some(Some(self.keyed_at(
                    list,
                    "sliced",
                    None,
                    vec![none(), none(), none()],
                    same,
                    span,
                )));
            }
            _ => {}
        }
        let attribute = of("attribute")?;
        Some(self.by_field(signature, list, attribute, given, span))
    }

    fn by_field(
        &mut self,
        signature: &'static Builtin,
        list: Items,
        attribute: &Typed,
        given: &Given,
        span: prompt_syntax::Span,
    ) -> Option<Typed> {
        let of = |name: &str| {
            let index = signature
                .params
                .iter()
                .position(|param| param.name == name)?;
            given.get(index)?.as_ref()
        };
        let name = self.attribute_name(attribute, signature.name)?;
        let at = self.out_of(attribute.span);
        let (item, place) = self.field_of_item(&list, &name, at)?;
        let key = Some((item, Term::Place(place)));
        let same = Kind::list(Kind::Unknown);
        let sensitive = self.flag(of("case_sensitive"), signature.name)?;
        match signature.name {
            "sort" => {
                let reverse = self.flag(of("reverse"), "sort")?;
                Some(self.keyed_at(list, "sort_by", key, vec![reverse, sensitive], same, span))
            }
            "unique" => Some(self.keyed_at(list, "unique_by", key, vec![sensitive], same, span)),
            "groupby" => {
                let pair = Kind::Tuple(vec![Kind::Dynamic, Kind::list(Kind::Unknown)]);
                Some(self.keyed_at(
                    list,
                    "group_by",
                    key,
                    vec![sensitive],
                    Kind::list(pair),
                    span,
                ))
            }
            "min" | "max" => {
                let name = signature.name;
                let error = problem::gives_an_item(name).at(attribute.span);
                self.report_at(&error);
                None
            }
            // The rest is done with the values of the field.
            _ => {
                let name = signature.function;
                let values = self.keyed_at(
                    list,
                    "map_by",
                    key,
                    Vec::new(),
                    Kind::list(Kind::Dynamic),
                    span,
                );
                let mut args = vec![Some(values.term)];
                args.extend(signature.params.iter().zip(given).map(|(param, given)| {
                    given
                        .as_ref()
                        .filter(|_| param.name != "attribute")
                        .map(|given| given.term.clone())
                }));
                let term = Term::Call {
                    function: Function::Filter(name),
                    args,
                    span,
                };
                let kind = if name == "join" {
                    Kind::Text
                } else {
                    Kind::Dynamic
                };
                Some(Typed { term, kind, span })
            }
        }
    }

    /// A place of the source as one of the tree.
    fn out_of(&self, span: prompt_syntax::Span) -> prompt_syntax::Span {
        prompt_syntax::Span::new(span.start - self.offset, span.end - self.offset)
    }

    /// `map`, `select`, `reject`, `selectattr`, `rejectattr`: what they do to each item is the name of a filter or test.
    pub(super) fn of_items(
        &mut self,
        filter: &Filter,
        signature: &'static Builtin,
    ) -> Option<Typed> {
        let value = self.value(&filter.value);
        let name = signature.name;
        let span = self.at(filter.span);
        let args: Vec<Option<Typed>> = filter.args.iter().map(|arg| self.maybe(arg)).collect();
        let named: Vec<Option<Typed>> = filter
            .named
            .iter()
            .map(|arg| self.maybe(&arg.value))
            .collect();
        let value = value?;
        let args = args.into_iter().collect::<Option<Vec<_>>>()?;
        let named = named.into_iter().collect::<Option<Vec<_>>>()?;
        if !signature::takes("filter", signature, &value.kind) {
            let error = problem::takes("filter", signature, &value.kind).at(filter.value.span());
            self.report(error);
            return None;
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
            let error = problem::no_param("filter", signature, &arg.name).at(arg.name.span);
            self.report(error);
            return None;
        }
        let needed = usize::from(name == "map" || name.ends_with("attr"));
        if args.len() < needed {
            let problem = problem::count("filter", signature, args.len());
            self.report(problem.at(filter.name.span));
            return None;
        }
        let by_attribute = name.ends_with("attr");
        let (attribute, rest) = if by_attribute {
            (Some(&args[0]), &args[1..])
        } else {
            (None, &args[..])
        };
        let attribute = match attribute {
            Some(attribute) => Some(self.attribute_name(attribute, name)?),
            None => None,
        };
        let inner = match rest.first() {
            Some(inner) => Some((self.inner_name(inner, name)?, inner.span)),
            None => None,
        };
        let inner_args = rest.get(1..).unwrap_or_default();
        let inner = match &inner {
            Some((inner, at)) => {
                Some(self.inner(name, inner, *at, &value.kind, by_attribute, inner_args)?)
            }
            None => None,
        };
        let list = items(&value);
        if let (Some(list), Some(attribute)) = (list, &attribute) {
            let at = self.out_of(args[0].span);
            let (item, place) = self.field_of_item(&list, attribute, at)?;
            let key = chosen(Term::Place(place), inner, inner_args, span);
            let function = if name == "selectattr" {
                "select_by"
            } else {
                "reject_by"
            };
            let kind = value.kind.clone();
            return Some(self.keyed_at(list, function, Some((item, key)), Vec::new(), kind, span));
        }
        let item = self.fresh("item");
        let one = Term::Variable(Variable {
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
                let kind = signature::filtered(filter, &value.kind.item(), &[]);
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
        let mapped = Mapped {
            value: value.term,
            function,
            item,
            key,
            span,
        };
        Some(Typed {
            term: Term::Mapped(Box::new(mapped)),
            kind: Kind::list(kind),
            span,
        })
    }

    /// The name of the filter or test, which has to be written out.
    fn inner_name(&mut self, given: &Typed, name: &str) -> Option<String> {
        if let Term::Literal(Literal::Str(inner)) = &given.term {
            return Some(inner.clone());
        }
        let error = problem::name_not_written_out(name).at(given.span);
        self.report_at(&error);
        None
    }

    /// The filter or test that is called for each item.
    fn inner(
        &mut self,
        name: &str,
        inner: &str,
        at: prompt_syntax::Span,
        list: &Kind,
        by_attribute: bool,
        args: &[Typed],
    ) -> Option<&'static Builtin> {
        let (what, table) = if name == "map" {
            ("filter", FILTERS)
        } else {
            ("test", TESTS)
        };
        let Some(signature) = find(table, inner) else {
            let error = problem::unknown(what, inner, table).at(at);
            self.report_at(&error);
            return None;
        };
        let item = list.item();
        if !by_attribute && !signature::takes(what, signature, &item) && item != Kind::None {
            let error = problem::takes(what, signature, &item).at(at);
            self.report_at(&error);
            return None;
        }
        let needed = signature
            .params
            .iter()
            .filter(|param| param.required)
            .count();
        if args.len() < needed || args.len() > signature.params.len() {
            let error = problem::count(what, signature, args.len()).at(at);
            self.report_at(&error);
            return None;
        }
        Some(signature)
    }

    fn map_attribute(
        &mut self,
        filter: &Filter,
        signature: &'static Builtin,
        value: &Typed,
        args: &[Typed],
        named: &[Typed],
    ) -> Option<Typed> {
        let span = self.at(filter.span);
        if let Some(arg) = args.first() {
            let error = problem::map_of_both().at(arg.span);
            self.report_at(&error);
            return None;
        }
        let find = |name: &str| filter.named.iter().position(|arg| arg.name.value == name);
        let unknown = filter
            .named
            .iter()
            .find(|arg| arg.name.value != "attribute" && arg.name.value != "default");
        if let Some(arg) = unknown {
            let error = problem::no_param_of_map(&arg.name).at(arg.name.span);
            self.report(error);
            return None;
        }
        let Some(attribute) = find("attribute") else {
            self.report(problem::count("filter", signature, 0).at(filter.name.span));
            return None;
        };
        let attribute = &named[attribute];
        let default = find("default").map(|index| &named[index]);
        if let Some(list) = items(value) {
            let name = self.attribute_name(attribute, "map")?;
            let at = self.out_of(attribute.span);
            let (item, place) = self.field_of_item(&list, &name, at)?;
            let key = match default {
                Some(default) => Term::Call {
                    function: Function::Filter("default"),
                    args: vec![Some(Term::Place(place)), Some(default.term.clone()), None],
                    span,
                },
                None => Term::Place(place),
            };
            return Some(self.keyed_at(
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
        let term = Term::Call {
            function: Function::Filter("map_attribute"),
            args,
            span,
        };
        Some(Typed {
            term,
            kind: Kind::list(Kind::Dynamic),
            span,
        })
    }

    /// `(people | first).name`, `people[0].name`: a field of an item of the user's type.
    pub(super) fn part_of_item(&mut self, _attribute: &Attribute) -> Option<Option<Typed>> {
        None
    }
}

/// Whether an item is taken: by a test, or by what it counts as.
fn chosen(
    item: Term,
    test: Option<&'static Builtin>,
    args: &[Typed],
    span: prompt_syntax::Span,
) -> Term {
    match test {
        Some(test) => with_args(Function::Test(test.function), item, args, span),
        None => item,
    }
}

fn with_args(function: Function, item: Term, args: &[Typed], span: prompt_syntax::Span) -> Term {
    let mut all = vec![Some(item)];
    all.extend(args.iter().map(|arg| Some(arg.term.clone())));
    Term::Call {
        function,
        args: all,
        span,
    }
}
