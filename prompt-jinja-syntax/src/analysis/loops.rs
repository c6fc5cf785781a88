//! Loops: the list, and the names of an item.

use super::block::shown_fields;
use super::expr::expr_name;
use crate::analysis::{
    Binding, JinjaAnalyzer, JinjaMeaning, JinjaPiece, LoopSource, PlaceExpr, Resolution,
    ResolvedLoop, ResolvedNode, Root, RustList, RustListFilter, ScopeStack, Term, TypedTerm,
    names_set_in_conditions,
};
use crate::problem::{name, value};
use crate::{Expr, For, JinjaExpr, Node};
use prompt_syntax::{Dialect, Kind, Spanned};

impl JinjaAnalyzer<'_, '_> {
    pub(super) fn resolve_loop(&mut self, block: &For, out: &mut Vec<ResolvedNode>) {
        let outer = std::mem::replace(&mut self.in_list, true);
        let list = self.resolve_list(&block.list, &block.targets);
        self.in_list = outer;
        let found = list.and_then(|(over, item, origins)| {
            let kinds = match block.targets.len() {
                1 => vec![item],
                count => match (&over, &item) {
                    // Only rustc can determine the number of parts.
                    (LoopSource::Items(_), Kind::Unknown) => vec![Kind::Unknown; count],
                    (LoopSource::Entries(_), Kind::Tuple(kinds)) if kinds.len() == count => {
                        kinds.clone()
                    }
                    (LoopSource::Items(_), Kind::Tuple(kinds)) if kinds.len() == count => {
                        kinds.clone()
                    }
                    // Python would take the characters apart.
                    (LoopSource::Items(_), Kind::Text) if count == 2 => {
                        let (name, targets) = (expr_name(&block.list), &block.targets);
                        let problem =
                            value::no_pairs(Dialect::Jinja, &name, &targets[0], &targets[1]);
                        return self.report_as_none(problem.at(block.list.span()));
                    }
                    _ => self.taken_apart(&item, &block.targets, block.targets[0].span)?,
                },
            };
            Some((over, kinds, origins))
        });
        self.scopes.open_block(names_set_in_conditions(&block.body));
        let good = found.is_some();
        let (over, kinds, origins) = found.unwrap_or_else(|| {
            (
                LoopSource::Value(Term::Absent),
                vec![Kind::Dynamic; block.targets.len()],
                Vec::new(),
            )
        });
        let typed = !matches!(over, LoopSource::Value(_));
        let base = match &over {
            LoopSource::Items(items) => Some(items.base().clone()),
            LoopSource::Entries(place) => Some(place.clone()),
            LoopSource::Value(_) => None,
        };
        let layers = match &over {
            LoopSource::Items(RustList::Place(place)) if block.targets.len() == 1 => {
                place.layers_of_item()
            }
            _ => None,
        };
        let first = kinds.first().cloned().unwrap_or(Kind::Dynamic);
        let mut idents = Vec::new();
        for (index, (target, kind)) in block.targets.iter().zip(kinds).enumerate() {
            let name = &target.value;
            if self.find_field(name).is_some() {
                self.report(name::hides_field(name).at(target.span));
            }
            let ident = self.fresh_variable(name);
            idents.push(ident.clone());
            let is_value = matches!(&over, LoopSource::Items(RustList::Keyed(keyed)) if keyed.function == "group_by")
                && index == 0;
            let meaning = match &base {
                Some(base) if typed && !is_value => Resolution::Place {
                    place: PlaceExpr {
                        root: Root::Local(ident),
                        rest: Vec::new(),
                        layers,
                        ..base.clone()
                    },
                    kind,
                },
                _ => Resolution::Other(JinjaMeaning::Variable {
                    ident,
                    kind: kind.dynamic(),
                    origins: origins.clone(),
                }),
            };
            let problem = name::unused_loop_variable(Dialect::Jinja, name);
            let unused = self.unused_error(target.span, problem);
            self.scopes
                .bind_in_block(Binding::new(name, meaning).with_required_use(unused));
        }
        let condition = block
            .condition
            .as_ref()
            .map(|condition| self.resolve_test(condition, false));
        if let Some(condition) = &block.condition {
            self.assume_case(condition, true);
        }
        let state = self.fresh_variable("loop_state");
        self.scopes
            .bind_in_block(Binding::new("loop", Resolution::Loop(state.clone())));
        let beside = ["previtem", "nextitem"].map(|part| {
            let ident = self.fresh_variable(&format!("loop_{part}"));
            let meaning = match (&block.targets[..], &base) {
                ([_], Some(base)) if typed => Resolution::Place {
                    place: PlaceExpr {
                        root: Root::Local(ident.clone()),
                        rest: Vec::new(),
                        layers: None,
                        ..base.clone()
                    },
                    kind: Kind::Option(Box::new(first.clone())),
                },
                ([_], _) => {
                    Resolution::Other(JinjaMeaning::Neighbour(ident.clone(), origins.clone()))
                }
                _ => Resolution::Other(JinjaMeaning::NoNeighbour),
            };
            self.scopes
                .bind_in_block(Binding::new(format!("loop.{part}"), meaning));
            ident
        });
        let changed = self.fresh_variable("loop_changed");
        self.scopes.bind_in_block(Binding::new(
            "loop.changed",
            Resolution::Other(JinjaMeaning::Changed(changed.clone())),
        ));
        let body = self.resolve_nodes(&block.body);
        let mut used = self.scopes.find_name("loop").is_some_and(|name| name.used);
        let is_used = |names: &mut ScopeStack<Binding>, part: &str| {
            let found = names.find_path(&["loop", part]);
            found.is_some_and(|(name, length)| length == 2 && name.used)
        };
        let [before, behind] = beside;
        let beside = [("previtem", before), ("nextitem", behind)]
            .map(|(part, ident)| is_used(&mut self.scopes, part).then_some(ident));
        let changed = is_used(&mut self.scopes, "changed").then_some(changed);
        used |= beside.iter().any(Option::is_some);
        self.close_block();
        let otherwise = block
            .otherwise
            .as_deref()
            .map(|nodes: &[Node]| self.resolve_block(nodes));
        let condition = match condition {
            Some(None) => return,
            Some(Some(condition)) => Some(condition),
            None => None,
        };
        if good {
            out.push(ResolvedNode::Other(JinjaPiece::Loop(Box::new(
                ResolvedLoop {
                    idents,
                    over,
                    condition,
                    state: used.then_some(state),
                    beside,
                    changed,
                    body,
                    otherwise,
                    span: self.source_span(block.span),
                },
            ))));
        }
    }

    /// The list of a loop, the kind of an item, and the fields that items come from.
    fn resolve_list(
        &mut self,
        expr: &Expr,
        targets: &[Spanned<String>],
    ) -> Option<(LoopSource, Kind, Vec<usize>)> {
        if let Some(entries) = self.map_entries(expr) {
            return entries;
        }
        let list = self.resolve_expr(expr)?;
        let name = expr_name(expr);
        match &list.kind {
            Kind::Unordered => {
                return self.report_as_none(
                    value::unordered_value(Dialect::Jinja, &name, &[]).at(expr.span()),
                );
            }
            // The two characters of each key.
            Kind::Dict(_) if targets.len() == 2 && matches!(list.term, Term::Place(_)) => {
                return self.report_as_none(value::keys_alone(&name).at(expr.span()));
            }
            Kind::Text if !matches!(list.term, Term::Place(_)) => {
                return Some(self.loop_source(list));
            }
            Kind::Option(_)
            | Kind::Text
            | Kind::Int
            | Kind::Float
            | Kind::Number
            | Kind::Bool
            | Kind::None
            | Kind::Media => {}
            _ => return Some(self.loop_source(list)),
        }
        let target = targets.first().map_or("item", |name| name.as_str());
        self.report_as_none(
            value::no_list(Dialect::Jinja, &name, target, &list.kind).at(expr.span()),
        )
    }

    fn loop_source(&mut self, list: TypedTerm) -> (LoopSource, Kind, Vec<usize>) {
        let origins = shown_fields(&list.term);
        if let Some(items) = self.as_rust_list(&list) {
            return (LoopSource::Items(items), Kind::Unknown, origins);
        }
        let item = list.kind.item();
        match (list.term, &list.kind) {
            (Term::Keyed(keyed), _) if keyed.function == "group_by" => {
                (LoopSource::Items(RustList::Keyed(keyed)), item, origins)
            }
            (Term::Place(place), Kind::List(_)) => {
                (LoopSource::Items(RustList::Place(place)), item, origins)
            }
            (Term::Place(place), Kind::Unknown) => (
                LoopSource::Items(RustList::Place(place)),
                Kind::Unknown,
                origins,
            ),
            (term, _) => (LoopSource::Value(term), item.dynamic(), origins),
        }
    }

    /// `map.items()` of a map that is a field: its values remain Rust values.
    fn map_entries(&mut self, expr: &Expr) -> Option<Option<(LoopSource, Kind, Vec<usize>)>> {
        let map = match expr {
            Expr::Other(JinjaExpr::Call(call))
                if call.name.value == "items" && call.args.is_empty() && call.named.is_empty() =>
            {
                call.receiver.as_ref()?
            }
            Expr::Filter(filter)
                if filter.name.value == ["items"]
                    && filter.args.is_empty()
                    && filter.named.is_empty() =>
            {
                &filter.value
            }
            _ => return None,
        };
        let Expr::Path(path) = map else {
            return None;
        };
        let value = self.resolve_path(path);
        let Some(TypedTerm {
            term: Term::Place(place),
            kind: Kind::Dict(value),
            ..
        }) = value
        else {
            // Analyzed again as an expression; errors are reported once.
            return value.is_none().then_some(None);
        };
        let origin = place.origin;
        let pair = Kind::Tuple(vec![Kind::Unknown, *value]);
        Some(Some((LoopSource::Entries(place), pair, vec![origin])))
    }
}

impl RustListFilter {
    /// The place that its list begins with.
    pub fn base(&self) -> &PlaceExpr {
        self.list.base()
    }
}
