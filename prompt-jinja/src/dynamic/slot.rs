//! Slots: their text and its origin.

use prompt_syntax::analysis::slot_name;
use prompt_syntax::problem::value;
use prompt_syntax::{Dialect, Expr};

use super::fields::{FieldKind, FieldValue};
use super::plain::PlainValue;
use super::render::TemplateRenderer;
use crate::expr::{Result, Str, Value};
use prompt_core::{Origin, ToPrompt, Writer};

impl<'v> TemplateRenderer<'v> {
    /// Fills a slot.
    pub(super) fn slot(&mut self, expr: &'v Expr, out: &mut Writer) -> Result<()> {
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
            Dialect::Jinja => self.jinja_slot(expr, out),
            _ => self.plain_slot(expr, out),
        }
    }

    /// Whether a slot shows the answer.
    pub(super) fn is_masked(&self, expr: &Expr) -> bool {
        let mut masked = false;
        expr.walk(&mut |expr| {
            if let Expr::Path(path) = expr {
                masked |= self.template.contract.fields.iter().any(|field| {
                    field.kind == FieldKind::Solution && field.name == path.segments[0].value
                });
            }
        });
        masked
    }

    pub(super) fn plain_slot(&mut self, expr: &'v Expr, out: &mut Writer) -> Result<()> {
        let (expr, default) = match expr {
            Expr::Default(coalesce) => (&coalesce.value, Some(&coalesce.default)),
            expr => (expr, None),
        };
        let name = self.name_of(expr);
        let value = match self.lines_shown(expr) {
            Some(lines) => lines,
            None if default.is_some() && self.base_is_absent(expr)? => Ok(Value::Absent),
            None => self.value(expr),
        }?;
        match (value, default) {
            (Value::Absent, Some(Expr::Literal(literal))) => {
                let value = super::eval::literal(&literal.value);
                block_of(&PlainValue(&value), out);
                Ok(())
            }
            (Value::Absent, Some(default)) => {
                let value = self.value(default)?;
                let dialect = self.template.options.dialect;
                out.slot(
                    self.name_of(default).unwrap_or(""),
                    &PlainValue::shown(&value, default, dialect)?,
                );
                Ok(())
            }
            (value, _) => {
                self.shown(&value)?;
                let dialect = self.template.options.dialect;
                out.slot(
                    name.unwrap_or(""),
                    &PlainValue::shown(&value, expr, dialect)?,
                );
                Ok(())
            }
        }
    }

    /// Whether a value depends on an `Option` that is `None`.
    pub(super) fn base_is_absent(&mut self, expr: &'v Expr) -> Result<bool> {
        match expr {
            Expr::Filter(filter) => self.base_is_absent(&filter.value),
            expr => Ok(matches!(self.value(expr)?, Value::Absent)),
        }
    }

    pub(super) fn jinja_slot(&mut self, expr: &'v Expr, out: &mut Writer) -> Result<()> {
        match expr {
            Expr::Concat(items) => items
                .value
                .iter()
                .try_for_each(|item| self.jinja_slot(item, out)),
            Expr::If(conditional) => {
                if self.value(&conditional.condition)?.is_true()? {
                    self.jinja_slot(&conditional.value, out)
                } else {
                    let otherwise = conditional.otherwise.as_ref();
                    otherwise.map_or(Ok(()), |otherwise| self.jinja_slot(otherwise, out))
                }
            }
            Expr::Path(_) => {
                let shown = self.value(expr)?;
                if let Value::Absent = shown {
                    return Err(
                        value::option_outside_condition(Dialect::Jinja, &slot_name(expr)).into(),
                    );
                }
                self.shown(&shown)?;
                fill(&shown, self.name_of(expr), out)
            }
            expr => {
                let value = self.value(expr)?;
                fill(&value, None, out)
            }
        }
    }

    /// The name that data of a slot is marked with: of the path that its value begins with.
    pub(super) fn name_of(&self, expr: &Expr) -> Option<&'static str> {
        match expr {
            // In the Jinja dialect, a variable of the template's own is a value without a name.
            Expr::Path(path)
                if self.template.options.dialect == Dialect::Jinja && !self.is_field_path(path) =>
            {
                None
            }
            Expr::Path(path) => self.template.name(&path.dotted()),
            Expr::Filter(filter) => self.name_of(&filter.value),
            _ => None,
        }
    }
}

/// Words of the template that are put together here.
fn block_of(value: &dyn ToPrompt, out: &mut Writer) {
    let mut apart = Writer::new();
    value.write(&mut apart);
    match apart.finish_text() {
        Ok(text) => out.text_from(Origin::Template, text.as_str()),
        Err(error) => out.fail(error),
    }
}

/// Text and whole numbers of a path are data of that slot; of all else, the strings in it are.
pub(super) fn fill(value: &Value<'_>, slot: Option<&'static str>, out: &mut Writer) -> Result<()> {
    let text = value.text()?;
    match (value, slot) {
        (Value::Text(_), Some(slot)) => out.slot(slot, &text),
        (Value::Int(_), Some(slot)) => out.slot(slot, &Str::new(&text, Origin::Data(None))),
        (Value::Text(_), None) => ToPrompt::write(&text, out),
        _ => match text.source() {
            Origin::Data(None) => out.text_from(Origin::Template, &text),
            source => out.text_from(source, &text),
        },
    }
    Ok(())
}
