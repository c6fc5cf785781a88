//! Lists of the user's own type: filters use a field of each item, and the items remain Rust values.

use super::call::BoundArgs;
use crate::Filter;
use crate::analysis::{
    Function, JinjaAnalyzer, PlaceExpr, Root, RustList, RustListFilter, Term, TypedTerm,
};
use crate::builtin::Builtin;
use crate::problem::call as problem;
use prompt_base::Span;
use prompt_syntax::dialect::name_len;
use prompt_syntax::{Kind, Literal};

impl RustListFilter {
    /// Whether the result is a list of items, not a value.
    pub(super) fn gives_items(&self) -> bool {
        !matches!(self.function, "map_by" | "count" | "first" | "last")
    }
}

impl RustList {
    /// Whether the items are the groups of `groupby`.
    pub(super) fn is_of_groups(&self) -> bool {
        matches!(self, RustList::Keyed(keyed) if keyed.function == "group_by")
    }

    /// The place that the list begins with.
    pub(super) fn base(&self) -> &PlaceExpr {
        match self {
            RustList::Place(place) => place,
            RustList::Keyed(keyed) => keyed.list.base(),
        }
    }
}

/// A closure over one item: its parameter, and what is computed.
type ItemClosure = (String, Term);

impl JinjaAnalyzer<'_, '_> {
    pub(super) fn apply_keyed_filter(
        &mut self,
        list: RustList,
        function: &'static str,
        key: Option<ItemClosure>,
        args: Vec<Term>,
        kind: Kind,
        span: Span,
    ) -> TypedTerm {
        let (item, key) = match key {
            Some((item, key)) => (item, Some(key)),
            None => (self.fresh_variable("item"), None),
        };
        let keyed = RustListFilter {
            list,
            function,
            item,
            key,
            args,
            span,
        };
        TypedTerm::new(Term::Keyed(Box::new(keyed)), kind, span)
    }

    /// A field of each item.
    pub(super) fn field_of_item(
        &mut self,
        list: &RustList,
        attribute: &str,
        at: Span,
    ) -> Option<(String, PlaceExpr)> {
        let is_name = |part: &str| !part.is_empty() && name_len(part) == part.len();
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if !attribute
            .split('.')
            .all(|part| is_name(part) || !part.is_empty() && is_number(part))
        {
            return self.report_as_none(problem::no_attribute(attribute).at(at));
        }
        let item = self.fresh_variable("item");
        let base = list.base();
        let (origin, name) = (base.origin, format!("{}.{attribute}", base.name));
        let at = self.source_span(at);
        let rest: Vec<String> = attribute.split('.').map(str::to_owned).collect();
        let place = PlaceExpr {
            root: Root::Local(item.clone()),
            rest,
            name,
            origin,
            span: at,
            open: true,
            layers: None,
        };
        Some((item, place))
    }

    /// The name of a field, which must be a literal.
    pub(super) fn attribute_name(&mut self, given: &TypedTerm, what: &str) -> Option<String> {
        if let Term::Literal(Literal::Str(name)) = &given.term {
            return Some(name.clone());
        }
        self.report_at_as_none(problem::attribute_not_written_out(what).at(given.span))
    }

    /// `true` or `false`, which must be a literal; `false` by default.
    fn literal_flag(&mut self, given: Option<&TypedTerm>, what: &str) -> Option<Term> {
        match given.map(|given| &given.term) {
            None => Some(Term::Literal(Literal::Bool(false))),
            Some(Term::Literal(Literal::Bool(value))) => Some(Term::Literal(Literal::Bool(*value))),
            Some(_) => self.report_at_as_none(problem::flag_not_written_out(what).at(given?.span)),
        }
    }

    /// A filter that needs no value of each item, or uses a field. `None` if the items must be values.
    pub(super) fn filter_of_items(
        &mut self,
        filter: &Filter,
        signature: &'static Builtin,
        list: RustList,
        given: &BoundArgs,
    ) -> Option<Option<TypedTerm>> {
        let span = self.source_span(filter.span);
        let same = Kind::list(Kind::Unknown);
        let (function, args, kind) = match signature.name {
            "length" | "count" => ("count", Vec::new(), Kind::Int),
            "reverse" => ("reversed", Vec::new(), same),
            "list" => ("sliced", vec![Term::Literal(Literal::None); 3], same),
            _ => {
                let attribute = given.get(signature.param("attribute")?)?.as_ref()?;
                return Some(self.by_field(signature, list, attribute, given, span));
            }
        };
        Some(Some(
            self.apply_keyed_filter(list, function, None, args, kind, span),
        ))
    }

    fn by_field(
        &mut self,
        signature: &'static Builtin,
        list: RustList,
        attribute: &TypedTerm,
        given: &BoundArgs,
        span: Span,
    ) -> Option<TypedTerm> {
        let of = |name: &str| given.get(signature.param(name)?)?.as_ref();
        let name = self.attribute_name(attribute, signature.name)?;
        if list.is_of_groups() {
            return self.report_at_as_none(problem::of_groups(signature.name).at(span));
        }
        let at = self.in_tree(attribute.span);
        // The sort is stable, so the last name of several is sorted by first.
        let (list, name) = match name.rsplit_once(',') {
            Some(_) if signature.name == "sort" => {
                let reverse = self.literal_flag(of("reverse"), "sort")?;
                let sensitive = self.literal_flag(of("case_sensitive"), "sort")?;
                let mut names: Vec<&str> = name.split(',').collect();
                let first = names.remove(0).to_owned();
                let mut sorted = list;
                for name in names.into_iter().rev() {
                    let (item, place) = self.field_of_item(&sorted, name, at)?;
                    let key = Some((item, Term::Place(place)));
                    let args = vec![reverse.clone(), sensitive.clone()];
                    let kind = Kind::list(Kind::Unknown);
                    let one = self.apply_keyed_filter(sorted, "sort_by", key, args, kind, span);
                    let Term::Keyed(keyed) = one.term else {
                        return None;
                    };
                    sorted = RustList::Keyed(keyed);
                }
                (sorted, first)
            }
            _ => (list, name),
        };
        let (item, place) = self.field_of_item(&list, &name, at)?;
        let key = Some((item, Term::Place(place)));
        let same = Kind::list(Kind::Unknown);
        let sensitive = self.literal_flag(of("case_sensitive"), signature.name)?;
        let (function, args, kind) = match signature.name {
            "sort" => {
                let reverse = self.literal_flag(of("reverse"), "sort")?;
                ("sort_by", vec![reverse, sensitive], same)
            }
            "unique" => ("unique_by", vec![sensitive], same),
            "groupby" => {
                let pair = Kind::Tuple(vec![Kind::Dynamic, same]);
                ("group_by", vec![sensitive], Kind::list(pair))
            }
            "min" | "max" => {
                return self.report_at_as_none(
                    problem::returns_an_item(signature.name).at(attribute.span),
                );
            }
            // The other filters use the values of the field.
            _ => {
                let kind = Kind::list(Kind::Dynamic);
                let values = self.apply_keyed_filter(list, "map_by", key, Vec::new(), kind, span);
                let rest = signature.params.iter().zip(given).map(|(param, given)| {
                    let given = given.as_ref().filter(|_| param.name != "attribute");
                    given.map(|given| given.term.clone())
                });
                let args = std::iter::once(Some(values.term)).chain(rest).collect();
                let kind = match signature.function {
                    "join" => Kind::Text,
                    _ => Kind::Dynamic,
                };
                return Some(TypedTerm::call(
                    Function::Filter(signature.function),
                    args,
                    kind,
                    span,
                ));
            }
        };
        Some(self.apply_keyed_filter(list, function, key, args, kind, span))
    }
}
