//! Lists of the user's own type: filters use a field of each item, and the items remain Rust values.

use super::call::Given;
use crate::analysis::Analyzer;
use crate::analysis::piece::{Function, Items, Keyed, Place, Root, Term, Typed};
use crate::builtin::Builtin;
use crate::kind::Kind;
use crate::problem::call as problem;
use crate::{Expr, Filter, Literal};

impl Keyed {
    /// Whether the result is a list of items, not a value.
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
type Key = (String, Term);

impl Analyzer<'_> {
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

    pub(super) fn keyed_at(
        &mut self,
        list: Items,
        function: &'static str,
        key: Option<Key>,
        args: Vec<Term>,
        kind: Kind,
        span: crate::Span,
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
        Typed::new(Term::Keyed(Box::new(keyed)), kind, span)
    }

    /// A field of each item.
    pub(super) fn field_of_item(
        &mut self,
        list: &Items,
        attribute: &str,
        at: crate::Span,
    ) -> Option<(String, Place)> {
        let item = self.fresh("item");
        let base = list.base();
        let (origin, name) = (base.origin, format!("{}.{attribute}", base.name));
        let at = self.at(at);
        let rest: Vec<String> = attribute.split('.').map(str::to_owned).collect();
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

    /// The name of a field, which must be a literal.
    pub(super) fn attribute_name(&mut self, given: &Typed, what: &str) -> Option<String> {
        if let Term::Literal(Literal::Str(name)) = &given.term {
            return Some(name.clone());
        }
        self.refuse_at(problem::attribute_not_written_out(what).at(given.span))
    }

    /// `true` or `false`, which must be a literal; `false` by default.
    fn flag(&mut self, given: Option<&Typed>, what: &str) -> Option<Term> {
        match given.map(|given| &given.term) {
            None => Some(Term::Literal(Literal::Bool(false))),
            Some(Term::Literal(Literal::Bool(value))) => Some(Term::Literal(Literal::Bool(*value))),
            Some(_) => self.refuse_at(problem::flag_not_written_out(what).at(given?.span)),
        }
    }

    /// A filter that needs no value of each item, or uses a field. `None` if the items must be values.
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
        span: crate::Span,
    ) -> Option<Typed> {
        let of = |name: &str| {
            let index = signature
                .params
                .iter()
                .position(|param| param.name == name)?;
            given.get(index)?.as_ref()
        };
        let name = self.attribute_name(attribute, signature.name)?;
        let at = self.in_tree(attribute.span);
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
                self.refuse_at(problem::gives_an_item(name).at(attribute.span))
            }
            // The other filters use the values of the field.
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
}
