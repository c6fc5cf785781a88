//! Values and filters of the angle and brace dialects in run-time templates: values are printed as Rust prints them.

use std::fmt;

use prompt_jinja_syntax::{Expr, Filter};
use prompt_syntax::analysis::slot_name;
use prompt_syntax::filters::{FilterInput, PlainFilter};
use prompt_syntax::problem::call::function_at_run_time;
use prompt_syntax::problem::value as problem;
use prompt_syntax::{Dialect, Kind, Literal};
use serde_core::ser::{SerializeMap, SerializeSeq};
use serde_core::{Serialize, Serializer};

use super::render::TemplateRenderer;
use crate::error::problem_error;
use crate::eval_error;
use crate::expr::{self, EvalError, Result, Value, fragment_text, iterate_value};
use prompt_core::filter::{self, Filtered};
use prompt_core::{List, Origin, Text, ToPrompt, Writer};

/// A value as Rust prints it.
pub(super) struct PlainValue<'s, 'v>(pub(super) &'s Value<'v>);

impl ToPrompt for PlainValue<'_, '_> {
    fn write(&self, out: &mut Writer) {
        match self.0 {
            Value::Text(text) => ToPrompt::write(text, out),
            Value::Bool(value) => value.write(out),
            Value::Int(value) => value.write(out),
            Value::Float(value) => value.write(out),
            other => {
                let fault = match expr::expect_defined(other) {
                    Err(fault) => fault,
                    Ok(_) => not_one_value(other),
                };
                out.fail(fault.into());
            }
        }
    }
}

impl<'s, 'v> PlainValue<'s, 'v> {
    /// The value of an expression in a slot.
    ///
    /// # Errors
    /// It has no text.
    pub(super) fn for_slot(value: &'s Value<'v>, expr: &Expr, dialect: Dialect) -> Result<Self> {
        let name = slot_name(expr);
        match expr::expect_defined(value)? {
            Value::None | Value::Absent => Err(problem_error(&problem::option_outside_condition(
                dialect, &name,
            ))),
            Value::List(_) | Value::Tuple(_) => Err(problem_error(&problem::list_as_text(
                dialect,
                &name,
                &Kind::Unknown,
            ))),
            Value::Dict(_) => Err(problem_error(&problem::struct_as_text(dialect, &name))),
            _ => Ok(PlainValue(value)),
        }
    }
}

fn not_one_value(value: &Value<'_>) -> EvalError {
    eval_error!(
        "a slot shows one value, and this is {}",
        expr::describe_kind(value)
    )
}

/// A value as JSON, as serde writes it.
struct AsJson<'s, 'v>(&'s Value<'v>);

impl Serialize for AsJson<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self.0 {
            Value::Undefined(_) | Value::Failed(_) | Value::None | Value::Absent => {
                serializer.serialize_none()
            }
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Int(value) => serializer.serialize_i128(*value),
            Value::Float(value) => serializer.serialize_f64(*value),
            Value::Text(text) => serializer.serialize_str(text),
            Value::List(items) | Value::Tuple(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for item in items.iter() {
                    list.serialize_element(&AsJson(item))?;
                }
                list.end()
            }
            Value::Dict(dict) => {
                let mut map = serializer.serialize_map(Some(dict.entries().len()))?;
                for (key, value) in dict.entries() {
                    map.serialize_entry(&AsJson(key), &AsJson(value))?;
                }
                map.end()
            }
        }
    }
}

/// A value as `Debug` prints the Rust value that it is made from.
struct AsDebug<'s, 'v>(&'s Value<'v>);

impl<'s, 'v> AsDebug<'s, 'v> {
    fn from_value(value: &'s Value<'v>) -> Result<AsDebug<'s, 'v>> {
        match expr::expect_defined(value)? {
            Value::List(items) | Value::Tuple(items) => items
                .iter()
                .try_for_each(|item| AsDebug::from_value(item).map(drop))?,
            Value::Text(_) | Value::Bool(_) | Value::Int(_) | Value::Float(_) => {}
            other => {
                return Err(eval_error!(
                    "the filter `debug` cannot print {}",
                    expr::describe_kind(other)
                )
                .with_help("fill a field with the text: `format!(\"{value:?}\")`"));
            }
        }
        Ok(AsDebug(value))
    }
}

impl fmt::Debug for AsDebug<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::Text(text) => fmt::Debug::fmt(&**text, f),
            Value::Bool(value) => value.fmt(f),
            Value::Int(value) => value.fmt(f),
            Value::Float(value) => value.fmt(f),
            Value::List(items) => f.debug_list().entries(items.iter().map(AsDebug)).finish(),
            Value::Tuple(items) => {
                let mut tuple = f.debug_tuple("");
                for item in items.iter() {
                    tuple.field(&AsDebug(item));
                }
                tuple.finish()
            }
            // `of` has refused them.
            _ => Ok(()),
        }
    }
}

/// A list in the order of its items, or the pairs of a map in the order of its keys.
fn sort_value<'v>(value: &Value<'v>) -> Result<Value<'v>> {
    let case_sensitive = Some(Value::Bool(true));
    match expr::expect_defined(value)? {
        Value::Dict(_) => expr::filters::dictsort(value, &[case_sensitive]),
        Value::List(_) => expr::filters::sort(value, &[None, case_sensitive]),
        other => Err(eval_error!(
            "the filter `sort` takes a list, and this is {}",
            expr::describe_kind(other)
        )
        .with_help("take the filter away")),
    }
}

impl<'v> TemplateRenderer<'v> {
    /// Applies a filter of the angle dialect.
    pub(super) fn apply_plain_filter(&mut self, node: &'v Filter) -> Result<Value<'v>> {
        let value = self.eval_operand(&node.value)?;
        let [name] = &node.name.value[..] else {
            return Err(problem_error(&function_at_run_time()));
        };
        let known = PlainFilter::by_name(name, false).map_err(|problem| problem_error(&problem))?;
        let text = match known.input() {
            FilterInput::Text => {
                PlainValue::for_slot(&value, &node.value, self.template.options.dialect)?
            }
            _ => PlainValue(expr::expect_defined(&value)?),
        };
        let filtered = match known {
            PlainFilter::Join => {
                let items = iterate_value(&value)?;
                if items.iter().any(|item| matches!(item, Value::Dict(_))) {
                    return Err(problem_error(&problem::items_with_fields(&slot_name(
                        &node.value,
                    ))));
                }
                let items: Vec<PlainValue<'_, '_>> = items.iter().map(PlainValue).collect();
                let between = self.eval_argument(node)?;
                let between = expr::printed_text(&between)?;
                filter::join(&items, &between)
            }
            PlainFilter::Sort => return sort_value(&value),
            PlainFilter::Display => return Ok(fragment_text(&text, Origin::Data(None))),
            PlainFilter::Debug => filter::debug(&AsDebug::from_value(&value)?),
            PlainFilter::Lines => return Ok(split_lines(&value)),
            PlainFilter::Json => filter::json(&AsJson(&value)),
            PlainFilter::Trim => filter::trim(&text),
            PlainFilter::Upper => filter::upper(&text),
            PlainFilter::Lower => filter::lower(&text),
            PlainFilter::Indent => filter::indent(&text, self.eval_count(node)?),
            PlainFilter::Truncate => filter::truncate(&text, self.eval_count(node)?),
        };
        Ok(filtered_value(&filtered))
    }

    /// The lines of a string as it was, for a slot of its own.
    pub(super) fn lines_shown(&mut self, expr: &'v Expr) -> Option<Result<Value<'v>>> {
        match expr {
            Expr::Filter(node) if matches!(&node.name.value[..], [name] if name == "lines") => {
                Some(self.eval_expr(&node.value).map(|value| match value {
                    Value::Text(_) => value,
                    other => match split_lines(&other) {
                        Value::List(items) => {
                            let items: Vec<PlainValue<'_, '_>> =
                                items.iter().map(PlainValue).collect();
                            filtered_value(&filter::join(&items, "\n"))
                        }
                        other => other,
                    },
                }))
            }
            _ => None,
        }
    }

    fn eval_argument(&mut self, node: &'v Filter) -> Result<Value<'v>> {
        match &node.args[..] {
            [Expr::Literal(literal)] => match &literal.value {
                Literal::Str(text) => {
                    Ok(Value::Text(crate::expr::Str::new(text, Origin::Template)))
                }
                Literal::Int(number) => Ok(Value::Int(i128::from(*number))),
                _ => Err(EvalError::new(
                    "this argument is neither text nor a whole number",
                )),
            },
            [arg] => self.eval_expr(arg),
            _ => Err(EvalError::new("a filter takes one argument")),
        }
    }

    fn eval_count(&mut self, node: &'v Filter) -> Result<usize> {
        let value = self.eval_argument(node)?;
        let number = expr::whole_number(&value).and_then(|number| usize::try_from(number).ok());
        number.ok_or_else(|| EvalError::new("the argument is a whole number, 0 or more"))
    }
}

fn split_lines<'v>(value: &Value<'v>) -> Value<'v> {
    match value {
        Value::Text(text) => {
            let lines = filter::lines(&expr::text_with_origins(text));
            let lines: Vec<Value<'v>> = lines
                .items()
                .map(|line: &Text| line.clone().into())
                .collect();
            crate::expr::list(lines)
        }
        other => other.clone(),
    }
}

fn filtered_value<'v>(filtered: &Filtered) -> Value<'v> {
    fragment_text(filtered, Origin::Data(None))
}
