//! Loops: their lists and items.

use std::rc::Rc;

use prompt_syntax::analysis::slot_name;
use prompt_syntax::problem::value as problem;
use prompt_syntax::{Dialect, Expr, For};

use super::eval::kind_of;
use super::render::{BoundName, RenderScope, Round, TemplateRenderer};
use crate::expr::filters::items;
use crate::expr::{Changed, EvalError, Result, Value, iterate, looped, parts};
use prompt_core::Writer;

impl<'v> TemplateRenderer<'v> {
    pub(super) fn repeated(&mut self, block: &'v For, out: &mut Writer) -> Result<()> {
        let span = block.list.span();
        let marked = |fault: EvalError| fault.at(span.start, span.end);
        let list = self.list(block).map_err(marked)?;
        let bound = |item: Value<'v>| match &list {
            Walked::Places(_) => BoundName::Place(item),
            // Structs stay what they are; of all else a filter has made something new.
            Walked::Chosen(..) if matches!(item, Value::Dict(_)) => BoundName::Place(item),
            Walked::Chosen(_, name) => BoundName::Value(item.named(name)),
            Walked::Values(_) => BoundName::Value(item),
        };
        let (Walked::Places(items) | Walked::Chosen(items, _) | Walked::Values(items)) = &list;
        let has_items = match items {
            Value::Text(_) => !matches!(block.list, Expr::Path(_)),
            Value::List(_) | Value::Tuple(_) | Value::Dict(_) => true,
            other => other.defined().is_err(),
        };
        if !has_items {
            let (name, target) = (slot_name(&block.list), block.targets[0].as_str());
            let dialect = self.template.options.dialect;
            return Err(marked(
                problem::no_list(dialect, &name, target, &kind_of(items)).into(),
            ));
        }
        let targets: Vec<&'v str> = block.targets.iter().map(|name| name.as_str()).collect();
        let mut rounds = Vec::new();
        for item in iterate(items).map_err(marked)? {
            self.step().map_err(marked)?;
            let names = match targets[..] {
                [target] => vec![(target, bound(item))],
                _ => {
                    if self.template.options.dialect != Dialect::Jinja
                        && !matches!(item, Value::List(_) | Value::Tuple(_))
                    {
                        let (first, second) = (targets[0], targets[targets.len() - 1]);
                        let name = slot_name(&block.list);
                        return Err(marked(problem::no_pairs(&name, first, second).into()));
                    }
                    let parts = parts(&item, targets.len()).map_err(marked)?;
                    targets
                        .iter()
                        .copied()
                        .zip(parts.into_iter().map(bound))
                        .collect()
                }
            };
            let taken = match &block.condition {
                Some(condition) => {
                    let holds = |this: &mut Self| this.value(condition)?.is_true();
                    let span = condition.span();
                    self.scoped(
                        RenderScope {
                            names: names.clone(),
                        },
                        holds,
                    )
                    .map_err(|fault| fault.at(span.start, span.end))?
                }
                None => true,
            };
            if taken {
                rounds.push(names);
            }
        }
        if rounds.is_empty() {
            let otherwise = block.otherwise.as_deref().unwrap_or_default();
            self.scoped(RenderScope::default(), |this| this.nodes(otherwise, out));
        }
        let is_of_field = !matches!(list, Walked::Values(_));
        let (rounds, changed) = (Rc::<[_]>::from(rounds), Rc::new(Changed::default()));
        for (at, index) in looped(0..rounds.len()) {
            if self.used.stopped.is_some() {
                break;
            }
            let mut names = rounds[index].clone();
            let round = Round {
                at,
                rounds: rounds.clone(),
                index,
                is_of_field,
                changed: changed.clone(),
            };
            // In the angle dialect, a field of that name remains what it is.
            if self.template.options.dialect == Dialect::Jinja || !self.is_field("loop") {
                names.push(("loop", BoundName::Loop(Rc::new(round))));
            }
            self.scoped(RenderScope { names }, |this| this.nodes(&block.body, out));
        }
        Ok(())
    }

    /// The items of a loop.
    fn list(&mut self, block: &'v For) -> Result<Walked<'v>> {
        let expr = &block.list;
        if self.template.options.dialect != Dialect::Jinja {
            let list = self.nameless(expr)?;
            let list = match (&list, &block.targets[..]) {
                (Value::Dict(_), [target]) => {
                    let name = slot_name(expr);
                    return Err(problem::map_in_loop(Dialect::Angle, &name, target).into());
                }
                (Value::Dict(_), _) => items(&list, &[])?,
                _ => list,
            };
            return Ok(Walked::Places(list));
        }
        match expr {
            Expr::Path(path) if self.is_field_path(path) => self.unnamed(path).map(Walked::Places),
            Expr::Call(call) if call.name.value == "items" => match &call.receiver {
                Some(Expr::Path(path)) if self.is_field_path(path) => {
                    self.nameless(expr).map(Walked::Places)
                }
                _ => self.value(expr).map(Walked::Values),
            },
            Expr::Filter(_) | Expr::Slice(_) => match chosen_from(expr) {
                Some(path) if self.is_field_path(path) => {
                    let name = self.template.name(&path.dotted()).unwrap_or_default();
                    Ok(Walked::Chosen(self.nameless(expr)?, name))
                }
                _ => self.value(expr).map(Walked::Values),
            },
            _ => self.value(expr).map(Walked::Values),
        }
    }
}

/// The items of a loop.
enum Walked<'v> {
    /// Items of a field.
    Places(Value<'v>),
    /// Some items of the field of that name.
    Chosen(Value<'v>, &'static str),
    /// The result of an expression.
    Values(Value<'v>),
}

/// The path whose items are chosen or ordered, and stay what they are.
fn chosen_from(expr: &Expr) -> Option<&prompt_syntax::Path> {
    const CHOOSE: [&str; 8] = [
        "list",
        "reject",
        "rejectattr",
        "reverse",
        "select",
        "selectattr",
        "sort",
        "unique",
    ];
    match expr {
        Expr::Path(path) => Some(path),
        Expr::Filter(filter) if matches!(&filter.name.value[..], [name] if CHOOSE.contains(&name.as_str())) => {
            chosen_from(&filter.value)
        }
        Expr::Slice(slice) => chosen_from(&slice.value),
        _ => None,
    }
}
