//! Loops: their lists and items.

use std::rc::Rc;

use prompt_jinja_syntax::{Expr, For, JinjaExpr};
use prompt_syntax::Dialect;
use prompt_syntax::analysis::slot_name;
use prompt_syntax::problem::value as problem;

use super::eval::kind_of;
use super::render::{BoundName, LoopIteration, RenderScope, TemplateRenderer};
use crate::error::problem_error;
use crate::expr::filters::items;
use crate::expr::{
    self, Changed, EvalError, Result, Value, enumerate_loop, iterate_value, unpack_targets,
};
use prompt_core::Writer;

impl<'v> TemplateRenderer<'v> {
    pub(super) fn write_loop(&mut self, block: &'v For, out: &mut Writer) -> Result<()> {
        let span = block.list.span();
        let marked = |fault: EvalError| fault.at(span.start, span.end);
        let list = self.eval_loop_items(block).map_err(marked)?;
        let bound = |item: Value<'v>| match &list {
            LoopItems::FieldParts(_) => BoundName::FieldPart(item),
            // Structs stay what they are; of all else a filter has made something new.
            LoopItems::SelectedParts(..) if matches!(item, Value::Dict(_)) => {
                BoundName::FieldPart(item)
            }
            LoopItems::SelectedParts(_, name) => BoundName::Value(expr::tag_slot(item, name)),
            LoopItems::Values(_) => BoundName::Value(item),
        };
        let (LoopItems::FieldParts(items)
        | LoopItems::SelectedParts(items, _)
        | LoopItems::Values(items)) = &list;
        let has_items = match items {
            Value::Text(_) => !matches!(block.list, Expr::Path(_)),
            Value::List(_) | Value::Tuple(_) | Value::Dict(_) => true,
            other => expr::expect_defined(other).is_err(),
        };
        if !has_items {
            let (name, target) = (slot_name(&block.list), block.targets[0].as_str());
            let dialect = self.template.options.dialect;
            return Err(marked(problem_error(&problem::no_list(
                dialect,
                &name,
                target,
                &kind_of(items),
            ))));
        }
        let targets: Vec<&'v str> = block.targets.iter().map(|name| name.as_str()).collect();
        let mut rounds = Vec::new();
        for item in iterate_value(items).map_err(marked)? {
            self.charge_step().map_err(marked)?;
            let names = match targets[..] {
                [target] => vec![(target, bound(item))],
                _ => {
                    if self.template.options.dialect != Dialect::Jinja
                        && !matches!(item, Value::List(_) | Value::Tuple(_))
                    {
                        let (first, second) = (targets[0], targets[targets.len() - 1]);
                        let name = slot_name(&block.list);
                        return Err(marked(problem_error(&problem::no_pairs(
                            self.template.options.dialect,
                            &name,
                            first,
                            second,
                        ))));
                    }
                    let parts = unpack_targets(&item, targets.len()).map_err(marked)?;
                    targets
                        .iter()
                        .copied()
                        .zip(parts.into_iter().map(bound))
                        .collect()
                }
            };
            let taken = match &block.condition {
                Some(condition) => {
                    let holds = |this: &mut Self| this.eval_expr(condition)?.is_true();
                    let span = condition.span();
                    self.with_scope(
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
            self.with_scope(RenderScope::default(), |this| {
                this.write_nodes(otherwise, out);
            });
        }
        let is_of_field = !matches!(list, LoopItems::Values(_));
        let (rounds, changed) = (Rc::<[_]>::from(rounds), Rc::new(Changed::default()));
        for (at, index) in enumerate_loop(0..rounds.len()) {
            if self.used.stopped.is_some() {
                break;
            }
            let mut names = rounds[index].clone();
            let round = LoopIteration {
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
            self.with_scope(RenderScope { names }, |this| {
                this.write_nodes(&block.body, out);
            });
        }
        Ok(())
    }

    /// The items of a loop.
    fn eval_loop_items(&mut self, block: &'v For) -> Result<LoopItems<'v>> {
        let expr = &block.list;
        if self.template.options.dialect != Dialect::Jinja {
            let list = self.eval_untagged(expr)?;
            let list = match (&list, &block.targets[..]) {
                (Value::Dict(_), [target]) => {
                    let name = slot_name(expr);
                    return Err(problem_error(&problem::map_in_loop(
                        Dialect::Angle,
                        &name,
                        target,
                    )));
                }
                (Value::Dict(_), _) => items(&list, &[])?,
                _ => list,
            };
            return Ok(LoopItems::FieldParts(list));
        }
        match expr {
            Expr::Path(path) if self.is_field_path(path) => {
                self.lookup_untagged(path).map(LoopItems::FieldParts)
            }
            Expr::Other(JinjaExpr::Call(call)) if call.name.value == "items" => {
                match &call.receiver {
                    Some(Expr::Path(path)) if self.is_field_path(path) => {
                        self.eval_untagged(expr).map(LoopItems::FieldParts)
                    }
                    _ => self.eval_expr(expr).map(LoopItems::Values),
                }
            }
            Expr::Filter(_) | Expr::Other(JinjaExpr::Slice(_)) => match chosen_from(expr) {
                Some(path) if self.is_field_path(path) => {
                    let name = self.template.path_name(&path.dotted()).unwrap_or_default();
                    Ok(LoopItems::SelectedParts(self.eval_untagged(expr)?, name))
                }
                _ => self.eval_expr(expr).map(LoopItems::Values),
            },
            _ => self.eval_expr(expr).map(LoopItems::Values),
        }
    }
}

/// The items of a loop.
enum LoopItems<'v> {
    /// Items of a field.
    FieldParts(Value<'v>),
    /// Some items of the field of that name.
    SelectedParts(Value<'v>, &'static str),
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
        Expr::Other(JinjaExpr::Slice(slice)) => chosen_from(&slice.value),
        _ => None,
    }
}
