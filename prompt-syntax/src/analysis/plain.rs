//! The angle and brace dialects: slots, conditions and loops with their names resolved.

use super::Analyzer;
use super::piece::{Branch, Fallback, Piece, Place, Root, Slot, Test, Value};
use crate::analysis::analyzer::{Meaning, Name, forget_unused};
use crate::kind::Kind;
use crate::problem::slot::{condition, default_inside, unsupported};
use crate::problem::{call, name, value};
use crate::{CompareOp, Error, Expr, Filter, For, If, Literal, Node, Path, Span, filters};

impl Analyzer<'_> {
    pub(super) fn plain_node(&mut self, node: &Node, out: &mut Vec<Piece>) {
        match node {
            Node::Text(text) => out.push(Piece::Text {
                text: text.text.clone(),
                span: text.span,
            }),
            Node::Slot(slot) => out.extend(self.plain_slot(slot)),
            Node::If(block) => self.plain_if(block, out),
            Node::For(block) => out.extend(self.plain_for(block)),
            Node::Set(_) | Node::With(_) | Node::Macro(_) | Node::Include(_) | Node::Filter(_) => {
                self.report(unsupported("this block").at(node.span()));
            }
            // Reported by the parser.
            Node::Role(_) | Node::Error(_) => {}
        }
    }

    fn plain_slot(&mut self, slot: &crate::Slot) -> Option<Piece> {
        let (expr, default) = match &slot.expr {
            Expr::Default(coalesce) => (&coalesce.value, Some(&coalesce.default)),
            other => (other, None),
        };
        let (value, kind) = self.plain_value(expr)?;
        let name = slot_name(expr);
        if let (Value::Place(place), Kind::Media) = (&value, &kind) {
            if let Some(default) = default {
                return self.refuse(value::media_default(&place.name).at(default.span()));
            }
            return Some(Piece::Media {
                place: place.clone(),
                span: slot.span,
            });
        }
        let Some(default) = default else {
            self.expect_text(&value, &kind, expr, slot.span)?;
            return Some(Piece::Slot(Slot {
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
        let option = base(&value)?.clone();
        self.expect_option(&option)?;
        let binding = self.fresh_of(&option);
        let value = rebased(value, &binding);
        Some(Piece::Slot(Slot {
            name,
            value,
            fallback: Some(Fallback {
                option,
                binding,
                default: default_value,
            }),
            span: slot.span,
        }))
    }

    fn plain_if(&mut self, block: &If, out: &mut Vec<Piece>) {
        let (mut branches, mut failed) = (Vec::new(), Vec::new());
        for branch in &block.branches {
            self.scopes.open_branch();
            self.assume_all(&failed);
            let test = self.plain_test(&branch.condition, true);
            self.assume(&branch.condition, true);
            let body = self.pieces(&branch.body);
            let names = self.scopes.close();
            failed.push(&branch.condition);
            if let Some(mut test) = test {
                forget_unused(&mut test, &names);
                branches.push(Branch { test, body });
            }
        }
        self.scopes.open_branch();
        self.assume_all(&failed);
        let otherwise = self.pieces(block.otherwise.as_deref().unwrap_or_default());
        self.scopes.close();
        out.push(Piece::If {
            branches,
            otherwise,
        });
    }

    /// A condition. The value inside an `Option` is bound where the condition must hold for its block to be reached.
    fn plain_test(&mut self, condition: &Expr, binds: bool) -> Option<Test> {
        match condition {
            Expr::Not(inner) => Some(Test::Not(Box::new(self.plain_test(inner, false)?))),
            Expr::And(sides) => {
                let left = self.plain_test(&sides.0, binds);
                let right = self.plain_test(&sides.1, binds);
                Some(Test::And(Box::new((left?, right?))))
            }
            Expr::Or(sides) => {
                let left = self.plain_test(&sides.0, false);
                let right = self.plain_test(&sides.1, false);
                Some(Test::Or(Box::new((left?, right?))))
            }
            other => {
                let (value, kind) = self.plain_value(other)?;
                let binding = match &value {
                    Value::Place(place) => {
                        if matches!(&kind, Kind::Option(inner) if matches!(**inner, Kind::Option(_)))
                        {
                            self.report(value::nested_option(&place.name).at(place.span));
                        }
                        let may_be_option =
                            matches!(place.root, Root::Field(_)) || !place.rest.is_empty();
                        (binds && may_be_option).then(|| self.bind_found(place, &kind))
                    }
                    _ => None,
                };
                Some(Test::Present { value, binding })
            }
        }
    }

    /// Binds the value that a condition has found, or an item of a list. Its type is known to rustc alone.
    fn bind_found(&mut self, place: &Place, kind: &Kind) -> String {
        let ident = self.fresh_of(place);
        let place = Place {
            root: Root::Local(ident.clone()),
            rest: Vec::new(),
            ..place.clone()
        };
        let name = place.name.clone();
        self.scopes.bind(Name::place(name, place, part_kind(kind)));
        ident
    }

    fn plain_for(&mut self, block: &For) -> Option<Piece> {
        let [target] = &block.targets[..] else {
            let span = block.targets.last().map_or(block.span, |name| name.span);
            return self.refuse(unsupported("a second name of an item").at(span));
        };
        if let Some(condition) = &block.condition {
            return self.refuse(unsupported("the condition of a loop").at(condition.span()));
        }
        let mut list = self.plain_value(&block.list);
        if let Some((Value::Place(place), kind)) = &list
            && self.expect_list(place, kind).is_none()
        {
            list = None;
        }
        let otherwise = block.otherwise.as_deref().map(|nodes| self.block(nodes));
        let name = &target.value;
        if self.field(name).is_some() {
            self.report(name::hides_field(name).at(target.span));
        } else if self.scopes.find(name).is_some() {
            self.report(name::hides_loop(name).at(target.span));
        }
        let ident = self.fresh(name);
        let item = list.as_ref().and_then(|(value, _)| base(value));
        let kind = list
            .as_ref()
            .map_or(Kind::Unknown, |(_, kind)| part_kind(kind));
        let place = Place {
            root: Root::Local(ident.clone()),
            rest: Vec::new(),
            name: name.clone(),
            origin: item.map_or(usize::MAX, |place| place.origin),
            span: target.span,
            open: false,
        };
        self.scopes.open(Vec::new());
        let written = self.written(target.span, name::Bound::Loop);
        self.scopes.bind(Name {
            written,
            ..Name::place(name.clone(), place, kind)
        });
        let body = self.pieces(&block.body);
        self.close();
        let (list, _) = list?;
        Some(Piece::For {
            binding: ident,
            list,
            body,
            otherwise,
        })
    }

    /// A value that is not media.
    fn plain_text(&mut self, expr: &Expr) -> Option<(Value, Kind)> {
        let (value, kind) = self.plain_value(expr)?;
        if let (Value::Place(place), Kind::Media) = (&value, &kind) {
            return self.refuse(value::media(self.context.dialect, &place.name).at(expr.span()));
        }
        Some((value, kind))
    }

    /// A value and its kind. `None` if it has an error, which is reported.
    fn plain_value(&mut self, expr: &Expr) -> Option<(Value, Kind)> {
        let problem = match expr {
            Expr::Path(path) => return self.plain_path(path),
            Expr::Literal(literal) => {
                return Some((Value::Literal(literal.value.clone()), Kind::Unknown));
            }
            Expr::Filter(filter) => return self.plain_filter(filter),
            Expr::Default(coalesce) => {
                return self.refuse(default_inside().at(coalesce.default.span()));
            }
            Expr::Not(_) | Expr::And(_) | Expr::Or(_) => condition(),
            _ => unsupported("this expression"),
        };
        self.refuse(problem.at(expr.span()))
    }

    fn plain_filter(&mut self, filter: &Filter) -> Option<(Value, Kind)> {
        if let Some(named) = filter.named.first() {
            return self.refuse(unsupported("an argument with a name").at(named.name.span));
        }
        let value = self.plain_value(&filter.value);
        let args: Vec<_> = filter.args.iter().map(|arg| self.plain_text(arg)).collect();
        // The filter may have an error of its own.
        if let Err(error) = self.expect_filter(filter, value.as_ref()) {
            return self.refuse(error);
        }
        let (value, _) = value?;
        let args = args.into_iter().map(|arg| Some(arg?.0));
        let args: Vec<Value> = args.collect::<Option<_>>()?;
        let value = Value::Filter {
            name: filter.name.value.clone(),
            value: Box::new(value),
            args,
            span: filter.span,
        };
        Some((value, Kind::Unknown))
    }

    /// Whether a filter exists, is given what it takes, and can take the value, as far as is known before rustc.
    fn expect_filter(&self, filter: &Filter, value: Option<&(Value, Kind)>) -> Result<(), Error> {
        let (compiled, at) = (!self.context.run_time, filter.name.span);
        let name = match &filter.name.value[..] {
            [name] => {
                filters::check(name, &filter.args, at, compiled)?;
                name.as_str()
            }
            _ if compiled => "",
            _ => return Err(call::function_at_run_time().at(at)),
        };
        let Some((Value::Place(place), kind)) = value else {
            return Ok(());
        };
        let problem = match (name, kind) {
            (_, Kind::Media) => value::filtered_media(&place.name),
            ("join", Kind::Text | Kind::Number) => call::takes_a_list(name),
            ("trim" | "upper" | "lower" | "indent" | "truncate", Kind::List(_)) => {
                call::takes_a_text(name)
            }
            ("json" | "join" | "lines", Kind::Unordered) => call::shows_unordered(name),
            _ => return Ok(()),
        };
        Err(problem.at(filter.value.span()))
    }

    fn plain_path(&mut self, path: &Path) -> Option<(Value, Kind)> {
        let segments: Vec<&str> = path.segments.iter().map(|name| name.as_str()).collect();
        let (place, length, kind) = match self.scopes.find_path(&segments) {
            Some((name, length)) => {
                let Meaning::Place { place, kind } = &name.meaning else {
                    return None;
                };
                let found = (place.clone(), length, kind.clone());
                name.used = true;
                found
            }
            None => {
                let first = &path.segments[0];
                let Some(field) = self.field(&first.value) else {
                    self.unknown(first);
                    return None;
                };
                let known = &self.context.fields[field];
                if let Some(key) = known.apart {
                    return self.refuse(name::stands_apart(first, key).at(path.span));
                }
                let kind = known.kind.clone();
                (self.place_of(field, String::new(), path.span), 1, kind)
            }
        };
        let rest = path.segments[length..].iter();
        let place = Place {
            rest: rest.map(|name| name.value.clone()).collect(),
            name: path.dotted(),
            span: path.span,
            ..place
        };
        let kind = if place.rest.is_empty() {
            kind
        } else {
            Kind::Unknown
        };
        Some((Value::Place(place), kind))
    }

    /// Reports an `Option` outside of a condition, unless a syntax error may have hidden the condition.
    fn report_option(&mut self, place: &Place, span: Span) {
        let name = place.name.split('.').next().unwrap_or_default();
        if !self.is_lost(name) {
            self.report(value::option(self.context.dialect, &place.name).at(span));
        }
    }

    /// A slot takes one value: not an `Option`, nor a list.
    fn expect_text(&mut self, value: &Value, kind: &Kind, expr: &Expr, span: Span) -> Option<()> {
        let dialect = self.context.dialect;
        let Value::Place(place) = value else {
            // A filter of an `Option` has no value where the `Option` has none.
            let is_option = |place: &&Place| match place.root {
                Root::Field(field) if place.rest.is_empty() => {
                    matches!(self.context.fields[field].kind, Kind::Option(_))
                }
                _ => false,
            };
            let Some(place) = base(value).filter(is_option) else {
                return Some(());
            };
            self.report_option(place, expr.span());
            return None;
        };
        let problem = match kind {
            Kind::Option(_) => {
                self.report_option(place, span);
                return None;
            }
            Kind::Unordered => value::unordered(dialect, &place.name),
            Kind::List(_) => value::list(dialect, &place.name),
            _ => return Some(()),
        };
        self.refuse(problem.at(span))
    }

    /// `??` is for an `Option`.
    fn expect_option(&mut self, place: &Place) -> Option<()> {
        let may_be_option = match place.root {
            _ if !place.rest.is_empty() => true,
            Root::Field(field) => {
                let kind = &self.context.fields[field].kind;
                matches!(kind, Kind::Option(_) | Kind::Unknown)
            }
            Root::Local(_) => false,
        };
        if may_be_option {
            return Some(());
        }
        self.refuse(value::always_there(self.context.dialect, &place.name).at(place.span))
    }

    fn expect_list(&mut self, place: &Place, kind: &Kind) -> Option<()> {
        let (dialect, name) = (self.context.dialect, &place.name);
        let problem = match kind {
            Kind::Unordered => value::unordered(dialect, name),
            // The key `media` may mark a list.
            Kind::Media if !self.context.run_time => return Some(()),
            Kind::Media | Kind::Number | Kind::Text | Kind::Option(_) => {
                value::no_list(dialect, name, kind)
            }
            _ => return Some(()),
        };
        self.refuse(problem.at(place.span))
    }
}

/// The name that marks a slot's data.
fn slot_name(expr: &Expr) -> String {
    match expr {
        Expr::Path(path) => path.dotted(),
        Expr::Filter(filter) => slot_name(&filter.value),
        Expr::Default(coalesce) => slot_name(&coalesce.value),
        _ => "literal".into(),
    }
}

/// The place that a value begins with.
fn base(value: &Value) -> Option<&Place> {
    match value {
        Value::Place(place) => Some(place),
        Value::Filter { value, .. } => base(value),
        Value::Literal(_) => None,
    }
}

/// The same value, computed from a variable.
fn rebased(value: Value, variable: &str) -> Value {
    match value {
        Value::Place(place) => Value::Place(Place {
            root: Root::Local(variable.to_owned()),
            rest: Vec::new(),
            ..place
        }),
        Value::Filter {
            name,
            value,
            args,
            span,
        } => Value::Filter {
            name,
            value: Box::new(rebased(*value, variable)),
            args,
            span,
        },
        literal @ Value::Literal(_) => literal,
    }
}

/// What is known of a part of a value: whether it is media.
fn part_kind(kind: &Kind) -> Kind {
    match kind {
        Kind::Media => Kind::Media,
        Kind::List(inner) | Kind::Option(inner) => part_kind(inner),
        _ => Kind::Unknown,
    }
}

impl Analyzer<'_> {
    /// Narrows what follows in this scope to the case that the condition holds, or does not.
    pub(super) fn assume(&mut self, condition: &Expr, holds: bool) {
        if !self.context.run_time {
            return;
        }
        let mut found = Vec::new();
        finds(condition, holds, &mut found);
        for path in found {
            self.narrow(path);
        }
    }

    /// Narrows what follows in this scope to the case that none of the conditions holds.
    pub(super) fn assume_all(&mut self, failed: &[&Expr]) {
        for condition in failed {
            self.assume(condition, false);
        }
    }

    fn narrow(&mut self, path: &Path) {
        let segments: Vec<&str> = path.segments.iter().map(|name| name.as_str()).collect();
        let (place, kind) = match self.scopes.find_path(&segments) {
            Some((name, length)) if length == segments.len() => match &name.meaning {
                Meaning::Place { place, kind } => (place.clone(), kind.clone()),
                _ => return,
            },
            None if segments.len() == 1 => match self.field(segments[0]) {
                Some(field) => {
                    let kind = self.context.fields[field].kind.clone();
                    (self.place_of(field, path.dotted(), path.span), kind)
                }
                None => return,
            },
            _ => return,
        };
        if let Kind::Option(inner) = kind {
            self.scopes.bind(Name::place(path.dotted(), place, *inner));
        }
    }
}

/// The paths that have a value if the condition holds, or if it does not.
fn finds<'t>(condition: &'t Expr, holds: bool, out: &mut Vec<&'t Path>) {
    match condition {
        Expr::Path(path) if holds => out.push(path),
        Expr::Not(inner) => finds(&inner.value, !holds, out),
        Expr::And(sides) if holds => {
            finds(&sides.0, true, out);
            finds(&sides.1, true, out);
        }
        Expr::Or(sides) if !holds => {
            finds(&sides.0, false, out);
            finds(&sides.1, false, out);
        }
        Expr::Test(test) => {
            let found = match test.name.as_str() {
                "defined" => holds != test.negated,
                "none" | "undefined" => holds == test.negated,
                _ => holds && !test.negated,
            };
            if found {
                finds(&test.value, true, out);
            }
        }
        Expr::Compare(compare) => {
            if let [(op, Expr::Literal(literal))] = &compare.rest[..]
                && literal.value == Literal::None
            {
                let differs = op.value == CompareOp::Ne;
                let is_equality = differs || op.value == CompareOp::Eq;
                if is_equality && differs == holds {
                    finds(&compare.first, true, out);
                }
            }
        }
        _ => {}
    }
}
