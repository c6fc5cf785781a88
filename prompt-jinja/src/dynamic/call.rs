//! Filters, tests, methods, functions and macros that an expression calls.

use prompt_syntax::builtin::{
    Builtin, BuiltinKind, BuiltinParam, ExtraArgs, FILTERS, FUNCTIONS, METHODS, TESTS, find,
};
use prompt_syntax::problem::call as problem;
use prompt_syntax::{CallExpr, Expr, Filter, Macro, Named};

use super::render::{BoundName, RenderScope, TemplateRenderer};
use crate::expr::{self, EvalError, Result, Value, filters};

/// More macros that call each other than anyone writes.
const CALLS: usize = 32;

/// A test and its function.
pub(super) fn test_named(name: &str) -> Result<(&'static Builtin, expr::Test)> {
    let known = find(TESTS, name);
    let run = known.and_then(|known| expr::test(known.function));
    known
        .zip(run)
        .ok_or_else(|| eval_error!("unknown test `{name}`"))
}

impl<'v> TemplateRenderer<'v> {
    pub(super) fn filter(&mut self, node: &'v Filter) -> Result<Value<'v>> {
        let name = node.name.value.join("::");
        let Some(known) = find(FILTERS, &name) else {
            return Err(problem::unknown_function("filter", &name, FILTERS).into());
        };
        let value = self.value(&node.value)?;
        if !matches!(known.rest, ExtraArgs::None | ExtraArgs::Values) {
            self.passed_as(known.takes, &value)?;
        }
        match known.rest {
            ExtraArgs::None | ExtraArgs::Values => {
                let args = self.ordered(known.params, &node.args, &node.named)?;
                self.run_filter(known, &value, &args)
            }
            ExtraArgs::Filter => match self.named_arg(&node.named, "attribute")? {
                Some(attribute) => {
                    let default = self.named_arg(&node.named, "default")?;
                    self.attributes(node, &value, attribute, default)
                }
                None => {
                    let (called, args) = self.called(&node.args)?;
                    let Some(inner) = find(FILTERS, &called) else {
                        return Err(problem::unknown_function("filter", &called, FILTERS).into());
                    };
                    let mut args: Vec<_> = args.into_iter().map(Some).collect();
                    for named in &node.named {
                        let index = inner
                            .params
                            .iter()
                            .position(|param| param.name == named.name.value);
                        let index = index.ok_or_else(|| no_param(&called, &named.name.value))?;
                        args.resize(args.len().max(index + 1), None);
                        args[index] = Some(self.value(&named.value)?);
                    }
                    filters::map(&value, |item| {
                        let made = self.run_filter(inner, item, &args)?;
                        self.shown(&made)?;
                        Ok(made)
                    })
                }
            },
            ExtraArgs::Test => {
                let rejects = known.function == "reject";
                self.select(&value, None, &node.args, rejects)
            }
            ExtraArgs::AttributeTest => {
                let [attribute, args @ ..] = &node.args[..] else {
                    return Err(eval_error!(
                        "filter `{name}` takes the name of an attribute"
                    ));
                };
                let attribute = self.value(attribute)?;
                let rejects = known.function == "rejectattr";
                self.select(&value, Some(&attribute), args, rejects)
            }
        }
    }

    /// `map(attribute="name")`: values from the structs of a field are named as a part of it.
    pub(super) fn attributes(
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
        self.attribute_read(&attribute, items)?;
        // Names are kept for as long as the program runs: those of the template, not those of data.
        let is_written = |named: &Named| {
            named.name.value != "attribute" || matches!(named.value, Expr::Literal(_))
        };
        let (Expr::Path(path), Value::Text(part), true) =
            (&node.value, &attribute, node.named.iter().all(is_written))
        else {
            return filters::map_attribute(value, &[Some(attribute), default]);
        };
        let name = super::template::interned(&format!("{}.{}", path.dotted(), &**part));
        let list = self.nameless(&node.value)?;
        let mapped = filters::map_attribute(&list, &[Some(attribute), default])?;
        Ok(if self.names {
            mapped.named(name)
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
        let Some(run) = expr::filter(known.function) else {
            let name = known.name;
            return Err(eval_error!("the filter `{name}` cannot be called here"));
        };
        self.passed(known, value, args)?;
        run(value, args)
    }

    pub(super) fn select(
        &mut self,
        value: &Value<'v>,
        attribute: Option<&Value<'v>>,
        args: &'v [Expr],
        rejects: bool,
    ) -> Result<Value<'v>> {
        let test = if args.is_empty() {
            None
        } else {
            Some(self.called(args)?)
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
                    self.attribute_read(attribute, 1)?;
                    expr::path(item, attribute, None)?
                }
                None => item.clone(),
            };
            let holds = match &test {
                Some((known, test, args)) => {
                    self.passed(known, &looked, args)?;
                    test(&looked, args)?
                }
                None => looked.is_true()?,
            };
            Ok(holds != rejects)
        })
    }

    /// The name of a filter or test that another filter calls, and its arguments.
    pub(super) fn called(&mut self, args: &'v [Expr]) -> Result<(String, Vec<Value<'v>>)> {
        let [name, rest @ ..] = args else {
            return Err(EvalError::new(
                "the name of what is called for each item is missing",
            ));
        };
        match self.value(name)? {
            Value::Text(name) => Ok((name.to_string(), self.values(rest)?)),
            other => Err(eval_error!(
                "a name is needed here, and this is {}",
                other.kind()
            )),
        }
    }

    pub(super) fn named_arg(
        &mut self,
        named: &'v [Named],
        name: &str,
    ) -> Result<Option<Value<'v>>> {
        let found = named.iter().find(|named| named.name.value == name);
        found.map(|named| self.value(&named.value)).transpose()
    }

    /// Arguments in the order of the parameters.
    pub(super) fn ordered(
        &mut self,
        params: &'static [BuiltinParam],
        args: &'v [Expr],
        named: &'v [Named],
    ) -> Result<Vec<Option<Value<'v>>>> {
        let mut bound: Vec<_> = self.values(args)?.into_iter().map(Some).collect();
        for named in named {
            let Some(index) = params
                .iter()
                .position(|param| param.name == named.name.value)
            else {
                return Err(eval_error!("there is no parameter `{}`", named.name.value));
            };
            bound.resize(bound.len().max(index + 1), None);
            bound[index] = Some(self.value(&named.value)?);
        }
        Ok(bound)
    }

    pub(super) fn call(&mut self, call: &'v CallExpr) -> Result<Value<'v>> {
        let name = call.name.as_str();
        if let Some(receiver) = &call.receiver {
            if let Expr::Path(path) = receiver
                && path.segments.len() == 1
                && let Some(BoundName::Loop(round)) = self.find(&path.segments[0].value).cloned()
            {
                let values = self.values(&call.args)?;
                for value in &values {
                    self.passed_as(BuiltinKind::Any, value)?;
                }
                return match name {
                    "changed" => round.changed.changed(&values).map(Value::Bool),
                    "cycle" if !values.is_empty() => {
                        let count = Value::Int(i128::try_from(values.len()).unwrap_or(i128::MAX));
                        let at = expr::rem(&round.at.index0(), &count)?;
                        expr::index(&expr::list(values), &at)
                    }
                    _ => Err(eval_error!("`loop` has no method `{name}`")),
                };
            }
            let value = self.value(receiver)?;
            let known = find(METHODS, name);
            let run = known.and_then(|known| expr::method(known.function));
            let (Some(known), Some(run)) = (known, run) else {
                return Err(eval_error!("unknown method `{name}`"));
            };
            let args = self.ordered(known.params, &call.args, &call.named)?;
            self.passed(known, &value, &args)?;
            return run(&value, &args);
        }
        if let Some(BoundName::Macro(node, source, scopes)) = self.find(name).cloned() {
            return self.call_macro(call, node, source, scopes);
        }
        let known = find(FUNCTIONS, name);
        let run = known.and_then(|known| expr::function(known.function));
        let (Some(known), Some(run)) = (known, run) else {
            return Err(eval_error!("`{name}` is neither a macro nor a function"));
        };
        let args = self.ordered(known.params, &call.args, &call.named)?;
        run(&Value::None, &args)
    }

    pub(super) fn call_macro(
        &mut self,
        call: &'v CallExpr,
        node: &'v Macro,
        source: usize,
        scopes: usize,
    ) -> Result<Value<'v>> {
        if self.calls == CALLS {
            return Err(problem::macro_calls_itself(&node.name, &[]).into());
        }
        let mut names: Vec<(&'v str, BoundName<'v>)> = Vec::new();
        for (param, arg) in node.params.iter().zip(&call.args) {
            names.push((param.name.as_str(), self.bound(arg)?));
        }
        for named in &call.named {
            names.push((named.name.as_str(), self.bound(&named.value)?));
        }
        // The macro sees the scope of its definition.
        let hidden = self.scopes.split_off(scopes.min(self.scopes.len()));
        let outer = std::mem::replace(&mut self.source, source);
        self.calls += 1;
        let result = self.scoped(RenderScope { names }, |this| {
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
                        return Err(
                            problem::missing_argument(&node.name, &params, &param.name).into()
                        );
                    };
                    let bound = this.bound(default)?;
                    if let Some(scope) = this.scopes.last_mut() {
                        scope.names.push((param.name.as_str(), bound));
                    }
                }
            }
            Ok(expr::block(|out| this.nodes(&node.body, out)))
        });
        self.calls -= 1;
        self.source = outer;
        self.scopes.extend(hidden);
        result
    }
}

fn no_param(filter: &str, name: &str) -> EvalError {
    eval_error!("filter `{filter}` has no parameter `{name}`")
}
