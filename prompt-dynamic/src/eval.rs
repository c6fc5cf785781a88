//! Expressions of slots, conditions and arguments.

use prompt_base::Span;
use prompt_jinja_syntax::{BinaryOp, Compare, Expr, JinjaExpr};
use prompt_syntax::analysis::slot_name;
use prompt_syntax::problem::{compare, value as problem};
use prompt_syntax::{CompareOp, Dialect, Kind, Literal, Path};

use super::call::test_named;
use super::fields::FieldValue;
use super::render::{BoundName, TemplateRenderer};
use crate::error::problem_error;
use crate::eval_error;
use crate::expr::{self, EvalError, Result, Str, Value};
use prompt_core::Origin;

/// A value that is written out.
pub(super) fn literal_value(literal: &Literal) -> Value<'_> {
    match literal {
        Literal::Str(text) => Value::Text(Str::new(text, Origin::Template)),
        Literal::Int(number) => Value::Int(i128::from(*number)),
        Literal::Float(number) => Value::Float(*number),
        Literal::Bool(value) => Value::Bool(*value),
        Literal::None => Value::None,
    }
}

fn with_span(span: Span) -> impl Fn(EvalError) -> EvalError {
    move |fault| fault.at(span.start, span.end)
}

/// In the angle dialect, only values of one kind are compared.
fn check_comparable(
    left: (&Value<'_>, &Expr),
    sign: &str,
    right: (&Value<'_>, &Expr),
) -> Result<()> {
    match (
        expr::expect_defined(left.0)?,
        expr::expect_defined(right.0)?,
    ) {
        (Value::Text(_), Value::Text(_))
        | (Value::Int(_) | Value::Float(_), Value::Int(_) | Value::Float(_))
        | (Value::Bool(_), Value::Bool(_)) => Ok(()),
        (Value::Absent | Value::None, _) => {
            let name = slot_name(left.1);
            Err(problem_error(&compare::compared_option(
                &name,
                &format!("{name} {sign} …"),
            )))
        }
        (_, Value::Absent | Value::None) => {
            let name = slot_name(right.1);
            Err(problem_error(&compare::compared_option(
                &name,
                &format!("… {sign} {name}"),
            )))
        }
        (left, right) => {
            let error = eval_error!(
                "{} cannot be compared with {}",
                expr::describe_kind(left),
                expr::describe_kind(right)
            )
            .with_help("compare text with a quoted string, a number with a number");
            Err(expr::label_error(error, "compared here"))
        }
    }
}

/// The kind of a value, for the messages of the compiler.
pub(super) fn kind_of(value: &Value<'_>) -> Kind {
    match value {
        Value::None | Value::Absent => Kind::Option(Box::new(Kind::Unknown)),
        Value::Bool(_) => Kind::Bool,
        Value::Int(_) => Kind::Int,
        Value::Float(_) => Kind::Float,
        Value::Text(_) => Kind::Text,
        Value::List(_) | Value::Tuple(_) => Kind::list(Kind::Unknown),
        Value::Dict(_) => Kind::Dict(Box::new(Kind::Unknown)),
        Value::Undefined(_) | Value::Failed(_) => Kind::Dynamic,
    }
}

impl<'v> TemplateRenderer<'v> {
    /// The value of an expression, within the limits.
    pub(super) fn eval_expr(&mut self, expr: &'v Expr) -> Result<Value<'v>> {
        let at = with_span(expr.span());
        self.charge_step().map_err(&at)?;
        let value = self.eval_unmetered(expr)?;
        self.charge_computed(expr, &value).map_err(at)?;
        Ok(value)
    }

    /// The value of an expression that an operation goes through as a whole.
    pub(super) fn eval_operand(&mut self, expr: &'v Expr) -> Result<Value<'v>> {
        let value = self.eval_expr(expr)?;
        self.charge_compared(&value)
            .map_err(with_span(expr.span()))?;
        Ok(value)
    }

    fn eval_unmetered(&mut self, expr: &'v Expr) -> Result<Value<'v>> {
        let at = with_span(expr.span());
        match expr {
            Expr::Path(path) => self.eval_path(path).map_err(at),
            Expr::Literal(written) => Ok(literal_value(&written.value)),
            Expr::Filter(filter) if self.template.options.dialect == Dialect::Jinja => {
                self.apply_filter(filter).map_err(at)
            }
            Expr::Filter(filter) => self.apply_plain_filter(filter).map_err(at),
            Expr::Default(coalesce) => match self.eval_expr(&coalesce.value)? {
                Value::Absent => self.eval_expr(&coalesce.default),
                value => Ok(value),
            },
            Expr::Not(inner) => Ok(Value::Bool(!self.holds(&inner.value).map_err(at)?)),
            Expr::And(sides) => {
                let left = self.eval_expr(&sides.0)?;
                if left.is_true().map_err(at)? {
                    self.eval_expr(&sides.1)
                } else {
                    Ok(left)
                }
            }
            Expr::Or(sides) => {
                let left = self.eval_expr(&sides.0)?;
                if left.is_true().map_err(at)? {
                    Ok(left)
                } else {
                    self.eval_expr(&sides.1)
                }
            }
            Expr::Other(JinjaExpr::Neg(inner)) => {
                expr::neg(&self.eval_expr(&inner.value)?).map_err(at)
            }
            Expr::Other(JinjaExpr::Binary(binary)) => {
                let (left, right) = (
                    self.eval_operand(&binary.left)?,
                    self.eval_operand(&binary.right)?,
                );
                let run = match binary.op.value {
                    BinaryOp::Add => expr::add,
                    BinaryOp::Sub => expr::sub,
                    BinaryOp::Mul => expr::mul,
                    BinaryOp::Div => expr::div,
                    BinaryOp::FloorDiv => expr::floor_div,
                    BinaryOp::Mod => expr::rem,
                    BinaryOp::Pow => expr::pow,
                };
                run(&left, &right).map_err(at)
            }
            Expr::Other(JinjaExpr::Concat(items)) => {
                let items = self.eval_all(&items.value)?;
                for item in &items {
                    self.charge_shown(item).map_err(&at)?;
                }
                expr::concat(&items).map_err(at)
            }
            Expr::Compare(compare) => self.eval_compare(compare).map(Value::Bool).map_err(at),
            Expr::Other(JinjaExpr::Test(test)) => {
                let value = self.eval_expr(&test.value)?;
                let args = self.eval_all(&test.args)?;
                let args: Vec<_> = args.into_iter().map(Some).collect();
                let (known, run) = test_named(&test.name.value).map_err(&at)?;
                self.charge_call(known, &value, &args).map_err(&at)?;
                let holds = run(&value, &args).map_err(at)?;
                Ok(Value::Bool(holds != test.negated))
            }
            Expr::Other(JinjaExpr::If(conditional)) => {
                if self
                    .eval_expr(&conditional.condition)?
                    .is_true()
                    .map_err(at)?
                {
                    self.eval_expr(&conditional.value)
                } else {
                    let otherwise = conditional.otherwise.as_ref();
                    otherwise.map_or(Ok(expr::template_str("")), |otherwise| {
                        self.eval_expr(otherwise)
                    })
                }
            }
            Expr::Other(JinjaExpr::Attribute(attribute)) => {
                let value = self.eval_expr(&attribute.value)?;
                self.charge_lookup(&value).map_err(&at)?;
                expr::attribute(&value, &attribute.name.value).map_err(at)
            }
            Expr::Other(JinjaExpr::Index(index)) => {
                let (value, key) = (self.eval_expr(&index.value)?, self.eval_expr(&index.index)?);
                self.charge_lookup(&value).map_err(&at)?;
                self.charge_compared(&key).map_err(&at)?;
                expr::index(&value, &key).map_err(at)
            }
            Expr::Other(JinjaExpr::Slice(slice)) => {
                let value = self.eval_expr(&slice.value)?;
                let mut bound = |bound: &'v Option<Expr>| match bound {
                    Some(bound) => self.eval_expr(bound),
                    None => Ok(Value::None),
                };
                let (start, stop, step) = (
                    bound(&slice.start)?,
                    bound(&slice.stop)?,
                    bound(&slice.step)?,
                );
                self.charge_lookup(&value).map_err(&at)?;
                expr::slice(&value, &start, &stop, &step).map_err(at)
            }
            Expr::Other(JinjaExpr::Call(call)) => self.eval_call(call).map_err(at),
            Expr::Other(JinjaExpr::List(items)) => self.eval_all(&items.value).map(expr::list),
            Expr::Other(JinjaExpr::Tuple(items)) => self.eval_all(&items.value).map(expr::tuple),
            Expr::Other(JinjaExpr::Dict(entries)) => {
                let entries: Result<Vec<_>> = entries
                    .value
                    .iter()
                    .map(|(key, value)| Ok((self.eval_expr(key)?, self.eval_expr(value)?)))
                    .collect();
                expr::dict(entries?).map_err(at)
            }
            Expr::Other(JinjaExpr::Body(_)) => {
                Ok(self.body.clone().unwrap_or_else(|| expr::template_str("")))
            }
        }
    }

    pub(super) fn eval_all(&mut self, exprs: &'v [Expr]) -> Result<Vec<Value<'v>>> {
        exprs.iter().map(|expr| self.eval_expr(expr)).collect()
    }

    pub(super) fn eval_compare(&mut self, compare: &'v Compare) -> Result<bool> {
        let mut left_expr = &compare.first;
        let mut left = self.eval_operand(left_expr)?;
        for (op, right_expr) in &compare.rest {
            let right = self.eval_operand(right_expr)?;
            if self.template.options.dialect != Dialect::Jinja {
                check_comparable((&left, left_expr), op.value.sign(), (&right, right_expr))?;
            }
            let holds = match op.value {
                CompareOp::Eq => expr::eq(&left, &right),
                CompareOp::Ne => expr::ne(&left, &right),
                CompareOp::Lt => expr::lt(&left, &right),
                CompareOp::Le => expr::le(&left, &right),
                CompareOp::Gt => expr::gt(&left, &right),
                CompareOp::Ge => expr::ge(&left, &right),
                CompareOp::In => expr::contains(&left, &right),
                CompareOp::NotIn => expr::contains(&left, &right).map(|inside| !inside),
            };
            if !holds? {
                return Ok(false);
            }
            (left, left_expr) = (right, right_expr);
        }
        Ok(true)
    }

    /// Whether a condition is true. In the angle dialect, an `Option` in a field is true if it is `Some`, whatever its value is.
    pub(super) fn holds(&mut self, condition: &'v Expr) -> Result<bool> {
        if self.template.options.dialect == Dialect::Jinja {
            return self.eval_expr(condition)?.is_true();
        }
        match condition {
            Expr::And(sides) => Ok(self.holds(&sides.0)? && self.holds(&sides.1)?),
            Expr::Or(sides) => Ok(self.holds(&sides.0)? || self.holds(&sides.1)?),
            _ => {
                let value = self.eval_expr(condition)?;
                match self.option_of(condition) {
                    Some(_) => Ok(!matches!(value, Value::None | Value::Absent)),
                    None => value.is_true(),
                }
            }
        }
    }

    /// The field of a condition, if it is an `Option` that is not known to be `Some`.
    fn option_of(&self, condition: &Expr) -> Option<usize> {
        let (field, _) = self.field_of(condition)?;
        let kind = self.template.contract.fields[field].kind.value_kind();
        let is_optional = matches!(kind, Kind::Option(_));
        (is_optional && !self.given.contains(&field)).then_some(field)
    }

    /// Inside of a condition's block, its `Option`s are the values that they contain.
    pub(super) fn assume_given(&mut self, condition: &Expr) {
        if let Expr::And(sides) = condition {
            self.assume_given(&sides.0);
            self.assume_given(&sides.1);
        }
        self.given.extend(self.option_of(condition));
    }

    /// The field that a slot names as a whole, and the name of its data.
    pub(super) fn field_of(&self, expr: &Expr) -> Option<(usize, &'static str)> {
        let Expr::Path(path) = expr else { return None };
        let [name] = &path.segments[..] else {
            return None;
        };
        let is_bound = self
            .scopes
            .iter()
            .any(|scope| scope.names.iter().any(|(bound, _)| *bound == name.value));
        let field = self
            .template
            .contract
            .fields
            .iter()
            .position(|field| field.name == name.value)?;
        (!is_bound).then_some((field, self.template.contract.fields[field].name))
    }

    pub(super) fn is_field(&self, name: &str) -> bool {
        let mut fields = self.template.contract.fields.iter();
        fields.any(|field| field.name == name)
    }

    pub(super) fn find_name(&self, name: &str) -> Option<&BoundName<'v>> {
        let scopes = self.scopes.iter().rev();
        scopes
            .flat_map(|scope| scope.names.iter().rev())
            .find(|(bound, _)| *bound == name)
            .map(|(_, bound)| bound)
    }

    pub(super) fn eval_path(&mut self, path: &'v Path) -> Result<Value<'v>> {
        let name = self
            .template
            .path_name(&path.dotted())
            .filter(|_| self.names);
        let Some(name) = name else {
            return self.lookup_untagged(path);
        };
        let is_field =
            matches!(&path.segments[..], [field] if self.find_name(&field.value).is_none());
        if is_field && let Some(value) = self.named.get(name) {
            return Ok(value.clone());
        }
        let value = self.lookup_untagged(path)?;
        // Naming the strings of a list goes through all of them.
        self.charge_compared(&value)?;
        let value = expr::tag_slot(value, name);
        if is_field {
            self.named.insert(name, value.clone());
        }
        Ok(value)
    }

    /// The value of a path; its strings are not yet annotated with its name.
    pub(super) fn lookup_untagged(&mut self, path: &'v Path) -> Result<Value<'v>> {
        let [first, rest @ ..] = &path.segments[..] else {
            return Err(EvalError::new("a path without names"));
        };
        let mut value = match self.find_name(&first.value).cloned() {
            Some(BoundName::FieldPart(value) | BoundName::Value(value)) => value,
            Some(BoundName::Loop(round)) => {
                let (part, state) = (rest.first().map_or("", |part| part.as_str()), round.at);
                return match part {
                    "previtem" | "nextitem" => {
                        let item = round.neighbour_item(part);
                        let mut parts = rest[1..].iter();
                        parts.try_fold(item, |value, part| expr::attribute(&value, &part.value))
                    }
                    "index" => Ok(state.index()),
                    "index0" => Ok(state.index0()),
                    "revindex" => Ok(state.revindex()),
                    "revindex0" => Ok(state.revindex0()),
                    "first" => Ok(state.first()),
                    "last" => Ok(state.last()),
                    "length" => Ok(state.length()),
                    // How deep a loop has called itself, which none here does.
                    "depth" => Ok(Value::Int(1)),
                    "depth0" => Ok(Value::Int(0)),
                    other => Err(eval_error!("`loop` has no `{other}`")),
                };
            }
            Some(BoundName::Macro(..)) => {
                return Err(eval_error!("`{}` is a macro", first.value)
                    .with_help(format!("write `{}(…)`", first.value)));
            }
            None => {
                let fields = self.template.contract.fields;
                match fields
                    .iter()
                    .position(|field| field.name == first.value)
                    .map(|field| &self.fields[field])
                {
                    Some(FieldValue::Value(value)) => value.clone(),
                    Some(FieldValue::Media(_)) => Value::Bool(true),
                    _ => {
                        return Ok(expr::undefined_value(format!(
                            "`{}` has no value here",
                            first.value
                        )));
                    }
                }
            }
        };
        for (index, part) in path.segments.iter().enumerate().skip(1) {
            self.charge_lookup(&value)?;
            value = match self.template.options.dialect {
                Dialect::Jinja => expr::attribute(&value, &part.value)?,
                dialect => get_field(&value, dialect, path, index)?,
            };
        }
        Ok(value)
    }
}

/// A field of a value of a dialect without undefined values. The segment at `index` is its name.
fn get_field<'v>(
    value: &Value<'v>,
    dialect: Dialect,
    path: &Path,
    index: usize,
) -> Result<Value<'v>> {
    let part = &path.segments[index];
    let whole = path.names()[..index].join(".");
    let error = match expr::expect_defined(value)? {
        Value::Dict(dict) => {
            if let Some(value) = expr::entry_named(dict, &part.value) {
                return Ok(value.clone());
            }
            let names = dict.entries().iter().filter_map(|(name, _)| match name {
                Value::Text(name) => Some(&**name),
                _ => None,
            });
            problem::no_field(&whole, &part.value, &names.collect::<Vec<_>>())
        }
        Value::None | Value::Absent => problem::field_of_none(&whole, &path.dotted()),
        Value::List(_) | Value::Tuple(_) => {
            problem::part_of_list(dialect, &whole, &part.value, None, false)
        }
        other => problem::part_of_text(dialect, &whole, &part.value, &kind_of(other), ""),
    };
    Err(problem_error(&error).at(path.span.start, path.span.end))
}
