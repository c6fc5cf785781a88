//! Slots: their text and its origin.

use prompt_jinja_syntax::{Expr, JinjaExpr};
use prompt_syntax::Dialect;
use prompt_syntax::analysis::slot_name;
use prompt_syntax::problem::value;

use super::fields::{FieldKind, FieldValue};
use super::plain::PlainValue;
use super::render::TemplateRenderer;
use crate::error::problem_error;
use crate::expr::{self, Result, Str, Value};
use prompt_core::{Origin, ToPrompt, Writer};

impl<'v> TemplateRenderer<'v> {
    /// Fills a slot.
    pub(super) fn write_slot(&mut self, expr: &'v Expr, out: &mut Writer) -> Result<()> {
        if let Some((field, name)) = self.field_of(expr) {
            match &self.fields[field] {
                FieldValue::Media(media) => {
                    out.media(name, *media);
                    return Ok(());
                }
                FieldValue::Examples(_, text) => {
                    out.slot(name, *text);
                    return Ok(());
                }
                _ => {}
            }
        }
        if self.is_masked(expr) && out.mask() {
            return Ok(());
        }
        match self.template.options.dialect {
            Dialect::Jinja => self.write_jinja_slot(expr, out),
            _ => self.write_plain_slot(expr, out),
        }
    }

    /// Whether a slot shows the answer.
    pub(super) fn is_masked(&self, expr: &Expr) -> bool {
        let mut masked = false;
        expr.walk(&mut |expr| {
            if let Expr::Path(path) = expr {
                masked |= self.template.contract.fields.iter().any(|field| {
                    matches!(field.kind, FieldKind::Solution(_))
                        && field.name == path.segments[0].value
                });
            }
        });
        masked
    }

    pub(super) fn write_plain_slot(&mut self, expr: &'v Expr, out: &mut Writer) -> Result<()> {
        let (expr, default) = match expr {
            Expr::Default(coalesce) => (&coalesce.value, Some(&coalesce.default)),
            expr => (expr, None),
        };
        let name = self.slot_name_of(expr);
        let value = match self.lines_shown(expr) {
            Some(lines) => lines,
            None if default.is_some() && self.base_is_absent(expr)? => Ok(Value::Absent),
            None => self.eval_expr(expr),
        }?;
        match (value, default) {
            (Value::Absent, Some(Expr::Literal(literal))) => {
                let value = super::eval::literal_value(&literal.value);
                write_template_text(&PlainValue(&value), out);
                Ok(())
            }
            (Value::Absent, Some(default)) => {
                let value = self.eval_expr(default)?;
                let dialect = self.template.options.dialect;
                out.slot(
                    self.slot_name_of(default).unwrap_or(""),
                    &PlainValue::for_slot(&value, default, dialect)?,
                );
                Ok(())
            }
            (value, _) => {
                self.charge_shown(&value)?;
                let dialect = self.template.options.dialect;
                out.slot(
                    name.unwrap_or(""),
                    &PlainValue::for_slot(&value, expr, dialect)?,
                );
                Ok(())
            }
        }
    }

    /// Whether a value depends on an `Option` that is `None`.
    pub(super) fn base_is_absent(&mut self, expr: &'v Expr) -> Result<bool> {
        match expr {
            Expr::Filter(filter) => self.base_is_absent(&filter.value),
            expr => Ok(matches!(self.eval_expr(expr)?, Value::Absent)),
        }
    }

    pub(super) fn write_jinja_slot(&mut self, expr: &'v Expr, out: &mut Writer) -> Result<()> {
        match expr {
            Expr::Other(JinjaExpr::Concat(items)) => items
                .value
                .iter()
                .try_for_each(|item| self.write_jinja_slot(item, out)),
            Expr::Other(JinjaExpr::If(conditional)) => {
                if self.eval_expr(&conditional.condition)?.is_true()? {
                    self.write_jinja_slot(&conditional.value, out)
                } else {
                    let otherwise = conditional.otherwise.as_ref();
                    otherwise.map_or(Ok(()), |otherwise| self.write_jinja_slot(otherwise, out))
                }
            }
            Expr::Path(_) => {
                let shown = self.eval_expr(expr)?;
                if let Value::Absent = shown {
                    return Err(problem_error(&value::option_outside_condition(
                        Dialect::Jinja,
                        &slot_name(expr),
                    )));
                }
                self.charge_shown(&shown)?;
                write_value(&shown, self.slot_name_of(expr), out)
            }
            expr => {
                let value = self.eval_expr(expr)?;
                write_value(&value, None, out)
            }
        }
    }

    /// The name that data of a slot is marked with: of the path that its value begins with.
    pub(super) fn slot_name_of(&self, expr: &Expr) -> Option<&'static str> {
        match expr {
            // In the Jinja dialect, a variable of the template's own is a value without a name.
            Expr::Path(path)
                if self.template.options.dialect == Dialect::Jinja && !self.is_field_path(path) =>
            {
                None
            }
            Expr::Path(path) => self.template.path_name(&path.dotted()),
            Expr::Filter(filter) => self.slot_name_of(&filter.value),
            _ => None,
        }
    }
}

/// Words of the template that are put together here.
fn write_template_text(value: &dyn ToPrompt, out: &mut Writer) {
    let mut apart = Writer::new();
    value.write(&mut apart);
    match apart.finish_text() {
        Ok(text) => out.text_from(Origin::Template, text.as_str()),
        Err(error) => out.fail(error),
    }
}

/// Text and whole numbers of a path are data of that slot; of all else, the strings in it are.
pub(super) fn write_value(
    value: &Value<'_>,
    slot: Option<&'static str>,
    out: &mut Writer,
) -> Result<()> {
    let text = expr::printed_text(value)?;
    match (value, slot) {
        (Value::Text(_), Some(slot)) => out.slot(slot, &text),
        (Value::Int(_), Some(slot)) => out.slot(slot, &Str::new(&text, Origin::Data(None))),
        (Value::Text(_), None) => ToPrompt::write(&text, out),
        _ => match expr::origin_of(&text) {
            Origin::Data(None) => out.text_from(Origin::Template, &text),
            source => out.text_from(source, &text),
        },
    }
    Ok(())
}
