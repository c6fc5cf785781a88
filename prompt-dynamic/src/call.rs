//! Filters, tests, methods, functions and macros that an expression calls.

use prompt_jinja_syntax::builtin::{
    Builtin, BuiltinKind, BuiltinParam, ExtraArgs, FILTERS, FUNCTIONS, METHODS, TESTS, find,
};
use prompt_jinja_syntax::problem::call as problem;
use prompt_jinja_syntax::{CallExpr, Expr, Filter, Macro, Named};

use super::render::{BoundName, RenderScope, TemplateRenderer};
use crate::error::problem_error;
use crate::eval_error;
use crate::expr::{self, EvalError, Result, Value, filters};

/// More macros that call each other than anyone writes.
const MAX_MACRO_CALLS: usize = 32;

/// A test and its function.
pub(super) fn test_named(name: &str) -> Result<(&'static Builtin, expr::Test)> {
    let known = find(TESTS, name);
    let run = known.and_then(|known| expr::find_test(known.function));
    known
        .zip(run)
        .ok_or_else(|| eval_error!("unknown test `{name}`"))
}

impl<'v> TemplateRenderer<'v> {
    pub(super) fn apply_filter(&mut self, node: &'v Filter) -> Result<Value<'v>> {
        let name = node.name.value.join("::");
        let Some(known) = find(FILTERS, &name) else {
            return Err(problem_error(&problem::unknown_function(
                "filter", &name, FILTERS,
            )));
        };
        let value = self.eval_expr(&node.value)?;
        if !matches!(known.rest, ExtraArgs::None | ExtraArgs::Values) {
            self.charge_argument(known.takes, &value)?;
        }
        match known.rest {
            ExtraArgs::None | ExtraArgs::Values => {
                let args = self.bind_arguments(known.params, &node.args, &node.named)?;
                self.run_filter(known, &value, &args)
            }
            ExtraArgs::Filter => match self.eval_named_argument(&node.named, "attribute")? {
                Some(attribute) => {
                    let default = self.eval_named_argument(&node.named, "default")?;
                    self.map_attributes(node, &value, attribute, default)
                }
                None => {
                    let (called, args) = self.eval_called_name(&node.args)?;
                    let Some(inner) = find(FILTERS, &called) else {
                        return Err(problem_error(&problem::unknown_function(
                            "filter", &called, FILTERS,
                        )));
                    };
                    let mut args: Vec<_> = args.into_iter().map(Some).collect();
                    for named in &node.named {
                        let index = inner
                            .params
                            .iter()
                            .position(|param| param.name == named.name.value);
                        let index =
                            index.ok_or_else(|| unknown_parameter(&called, &named.name.value))?;
                        args.resize(args.len().max(index + 1), None);
                        args[index] = Some(self.eval_expr(&named.value)?);
                    }
                    filters::map(&value, |item| {
                        let made = self.run_filter(inner, item, &args)?;
                        self.charge_shown(&made)?;
                        Ok(made)
                    })
                }
            },
            ExtraArgs::Test => {
                let rejects = known.function == "reject";
                self.select_items(&value, None, &node.args, rejects)
            }
            ExtraArgs::AttributeTest => {
                let [attribute, args @ ..] = &node.args[..] else {
                    return Err(eval_error!(
                        "filter `{name}` takes the name of an attribute"
                    ));
                };
                let attribute = self.eval_expr(attribute)?;
                let rejects = known.function == "rejectattr";
                self.select_items(&value, Some(&attribute), args, rejects)
            }
        }
    }

    /// `map(attribute="name")`: values from the structs of a field are named as a part of it.
    pub(super) fn map_attributes(
        &mut self,
        node: &'v Filter,
        value: &Value<'v>,
        attribute: Value<'v>,
        default: Option<Value<'v>>,
    ) -> Result<Value<'v>> {
        let items = match value {
            Value::List(items) | Value::Tuple(items) => items.len(),
            _ => 1,
        };
        self.charge_attribute(&attribute, items)?;
        // Names are kept for as long as the program runs: those of the template, not those of data.
        let is_written = |named: &Named| {
            named.name.value != "attribute" || matches!(named.value, Expr::Literal(_))
        };
        let (Expr::Path(path), Value::Text(part), true) =
            (&node.value, &attribute, node.named.iter().all(is_written))
        else {
            return filters::map_attribute(value, &[Some(attribute), default]);
        };
        let name = super::template::intern_name(&format!("{}.{}", path.dotted(), &**part));
        let list = self.eval_untagged(&node.value)?;
        let mapped = filters::map_attribute(&list, &[Some(attribute), default])?;
        Ok(if self.names {
            expr::tag_slot(mapped, name)
        } else {
            mapped
        })
    }

    pub(super) fn run_filter(
        &mut self,
        known: &Builtin,
        value: &Value<'v>,
        args: &[Option<Value<'v>>],
    ) -> Result<Value<'v>> {
        let Some(run) = expr::find_filter(known.function) else {
            let name = known.name;
            return Err(eval_error!("the filter `{name}` cannot be called here"));
        };
        self.charge_call(known, value, args)?;
        run(value, args)
    }

    pub(super) fn select_items(
        &mut self,
        value: &Value<'v>,
        attribute: Option<&Value<'v>>,
        args: &'v [Expr],
        rejects: bool,
    ) -> Result<Value<'v>> {
        let test = if args.is_empty() {
            None
        } else {
            Some(self.eval_called_name(args)?)
        };
        let test = match test {
            Some((name, args)) => {
                let (known, run) = test_named(&name)?;
                Some((known, run, args.into_iter().map(Some).collect::<Vec<_>>()))
            }
            None => None,
        };
        filters::select(value, |item| {
            let looked = match attribute {
                Some(attribute) => {
                    self.charge_attribute(attribute, 1)?;
                    expr::attribute_path(item, attribute, None)?
                }
                None => item.clone(),
            };
            let holds = match &test {
                Some((known, test, args)) => {
                    self.charge_call(known, &looked, args)?;
                    test(&looked, args)?
                }
                None => looked.is_true()?,
            };
            Ok(holds != rejects)
        })
    }

    /// The name of a filter or test that another filter calls, and its arguments.
    pub(super) fn eval_called_name(
        &mut self,
        args: &'v [Expr],
    ) -> Result<(String, Vec<Value<'v>>)> {
        let [name, rest @ ..] = args else {
            return Err(EvalError::new(
                "the name of what is called for each item is missing",
            ));
        };
        match self.eval_expr(name)? {
            Value::Text(name) => Ok((name.to_string(), self.eval_all(rest)?)),
            other => Err(eval_error!(
                "a name is needed here, and this is {}",
                expr::describe_kind(&other)
            )),
        }
    }

    pub(super) fn eval_named_argument(
        &mut self,
        named: &'v [Named],
        name: &str,
    ) -> Result<Option<Value<'v>>> {
        let found = named.iter().find(|named| named.name.value == name);
        found.map(|named| self.eval_expr(&named.value)).transpose()
    }

    /// Arguments in the order of the parameters.
    pub(super) fn bind_arguments(
        &mut self,
        params: &'static [BuiltinParam],
        args: &'v [Expr],
        named: &'v [Named],
    ) -> Result<Vec<Option<Value<'v>>>> {
        let mut bound: Vec<_> = self.eval_all(args)?.into_iter().map(Some).collect();
        for named in named {
            let Some(index) = params
                .iter()
                .position(|param| param.name == named.name.value)
            else {
                return Err(eval_error!("there is no parameter `{}`", named.name.value));
            };
            bound.resize(bound.len().max(index + 1), None);
            bound[index] = Some(self.eval_expr(&named.value)?);
        }
        Ok(bound)
    }

    pub(super) fn eval_call(&mut self, call: &'v CallExpr) -> Result<Value<'v>> {
        let name = call.name.as_str();
        if let Some(receiver) = &call.receiver {
            if let Expr::Path(path) = receiver
                && path.segments.len() == 1
                && let Some(BoundName::Loop(round)) =
                    self.find_name(&path.segments[0].value).cloned()
            {
                let values = self.eval_all(&call.args)?;
                for value in &values {
                    self.charge_argument(BuiltinKind::Any, value)?;
                }
                return match name {
                    "changed" => round.changed.has_changed(&values).map(Value::Bool),
                    "cycle" if !values.is_empty() => {
                        let count = Value::Int(i128::try_from(values.len()).unwrap_or(i128::MAX));
                        let at = expr::rem(&round.at.index0(), &count)?;
                        expr::index(&expr::list(values), &at)
                    }
                    _ => Err(eval_error!("`loop` has no method `{name}`")),
                };
            }
            let value = self.eval_expr(receiver)?;
            let known = find(METHODS, name);
            let run = known.and_then(|known| expr::find_method(known.function));
            let (Some(known), Some(run)) = (known, run) else {
                return Err(eval_error!("unknown method `{name}`"));
            };
            let args = self.bind_arguments(known.params, &call.args, &call.named)?;
            self.charge_call(known, &value, &args)?;
            return run(&value, &args);
        }
        if let Some(BoundName::Macro(node, source, scopes)) = self.find_name(name).cloned() {
            return self.call_macro(call, node, source, scopes);
        }
        let known = find(FUNCTIONS, name);
        let run = known.and_then(|known| expr::find_function(known.function));
        let (Some(known), Some(run)) = (known, run) else {
            return Err(eval_error!("`{name}` is neither a macro nor a function"));
        };
        let args = self.bind_arguments(known.params, &call.args, &call.named)?;
        run(&Value::None, &args)
    }

    pub(super) fn call_macro(
        &mut self,
        call: &'v CallExpr,
        node: &'v Macro,
        source: usize,
        scopes: usize,
    ) -> Result<Value<'v>> {
        if self.calls == MAX_MACRO_CALLS {
            return Err(problem_error(&problem::macro_calls_itself(&node.name, &[])));
        }
        let mut names: Vec<(&'v str, BoundName<'v>)> = Vec::new();
        for (param, arg) in node.params.iter().zip(&call.args) {
            names.push((param.name.as_str(), self.eval_binding(arg)?));
        }
        for named in &call.named {
            names.push((named.name.as_str(), self.eval_binding(&named.value)?));
        }
        // The macro sees the scope of its definition.
        let hidden = self.scopes.split_off(scopes.min(self.scopes.len()));
        let outer = std::mem::replace(&mut self.source, source);
        self.calls += 1;
        let result = self.with_scope(RenderScope { names }, |this| {
            for param in &node.params {
                let is_given = this.scopes.last().is_some_and(|scope| {
                    scope
                        .names
                        .iter()
                        .any(|(name, _)| *name == param.name.value)
                });
                if !is_given {
                    let Some(default) = &param.default else {
                        let params = node.params.iter().map(|param| param.name.as_str());
                        let params: Vec<&str> = params.collect();
                        return Err(problem_error(&problem::missing_argument(
                            &node.name,
                            &params,
                            &param.name,
                        )));
                    };
                    let bound = this.eval_binding(default)?;
                    if let Some(scope) = this.scopes.last_mut() {
                        scope.names.push((param.name.as_str(), bound));
                    }
                }
            }
            Ok(expr::block_text(|out| this.write_nodes(&node.body, out)))
        });
        self.calls -= 1;
        self.source = outer;
        self.scopes.extend(hidden);
        result
    }
}

fn unknown_parameter(filter: &str, name: &str) -> EvalError {
    eval_error!("filter `{filter}` has no parameter `{name}`")
}
