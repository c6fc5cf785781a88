//! Lists and tuples.

use crate::coerce::Coercer;
use crate::fit::{At, Fit, Misfit};
use crate::reader::{End, Frame, Kind, Node, Reader};
use crate::repair::RepairKind;
use crate::shape::{Id, Lengths, List};
use prompt_syntax::Span;
use serde_json::Value;

impl<'s> Coercer<'s> {
    pub(crate) fn list(&mut self, node: &Node<'_>, id: Id, list: &List) -> Result<Fit, Misfit> {
        let fit = match &node.kind {
            Kind::List(items) => {
                let fit = self.items(items, |_| list.item)?;
                if self.is_open(node) { fit.open() } else { fit }
            }
            _ if self.null(node).is_some() => return Err(self.wrong(node, id)),
            // It may become a list in a string.
            Kind::Text(text) if self.may_change(node) && text.trim_start().starts_with('[') => {
                return Err(self.breaks_off(node));
            }
            Kind::Text(_) => match self.quietly(|coercer| coercer.nested(node, id)) {
                Some(Ok(fit)) => return Ok(fit),
                _ => self.one_as_list(node, list)?,
            },
            Kind::Word(_) => match self.parenthesised(node) {
                Some(inner) => {
                    let span = self.span(node.span);
                    return Ok(self
                        .fit(&inner, id)?
                        .mark(RepairKind::Parentheses, span, ""));
                }
                None => self.one_as_list(node, list)?,
            },
            Kind::Object(entries) => match (self.one_as_list(node, list), entries.as_slice()) {
                (Ok(fit), _) => fit,
                // `{"items": […]}`
                (Err(_), [entry]) if matches!(entry.value.kind, Kind::List(_)) => {
                    let key = entry.key.as_ref();
                    let span = self.span(entry.key_span);
                    return Ok(self.fit(&entry.value, id)?.mark(
                        RepairKind::ObjectOfOne,
                        span,
                        key,
                    ));
                }
                (Err(misfit), _) => return Err(misfit),
            },
        };
        let length = fit.value.as_array().map_or(0, Vec::len);
        let short = self.is_open(node) && length < list.lengths.min;
        if !list.lengths.allow(length) && !short {
            return Err(self.length(node, length, "item", list.lengths));
        }
        Ok(fit)
    }

    /// The items of a word in parentheses: what Python writes for a tuple.
    fn parenthesised(&self, node: &Node<'_>) -> Option<Node<'s>> {
        let Kind::Word(word) = &node.kind else {
            return None;
        };
        if self.may_change(node) || !(word.starts_with('(') && word.ends_with(')')) {
            return None;
        }
        let Span { start, end } = node.span;
        let mut reader = Reader::new(self.text, start + 1, end - 1, self.desk, false);
        reader.frames.push(Frame::List { bare: false });
        let mut inner = reader.items(start).ok()?;
        inner.end = End::Sure;
        Some(inner)
    }

    /// Items in order. In a text that goes on, the first that does not fit ends the list: what
    /// comes after it could not keep its place.
    fn items(&mut self, items: &[Node<'_>], shape: impl Fn(usize) -> Id) -> Result<Fit, Misfit> {
        let mut whole = Fit::exact(Value::Null);
        let mut values = Vec::with_capacity(items.len());
        let mut misfit = Misfit::default();
        let mut failed = false;
        for (index, item) in items.iter().enumerate() {
            match self.fit(item, shape(index)) {
                Ok(mut fit) => {
                    values.push(std::mem::take(&mut fit.value));
                    whole.take(&mut fit, Some(At::Item(index)));
                }
                // Brackets whose first item is wrong are others than those that were asked for.
                Err(part) if self.partial && index == 0 && !self.is_open(item) => return Err(part),
                Err(_) if self.partial => {
                    whole.leave_out(self.is_open(item));
                    break;
                }
                Err(part) => {
                    failed = true;
                    misfit.take(part, Some(At::Item(index)));
                }
            }
        }
        if failed {
            return Err(misfit.near(values.len()));
        }
        whole.value = Value::Array(values);
        Ok(whole)
    }

    fn one_as_list(&mut self, node: &Node<'_>, list: &List) -> Result<Fit, Misfit> {
        let span = self.span(node.span);
        let fit = self.fit(node, list.item)?;
        let fit = fit.wrap(At::Item(0), |value| Value::Array(vec![value]));
        Ok(fit.mark(RepairKind::OneAsList, span, ""))
    }

    pub(crate) fn tuple(&mut self, node: &Node<'_>, id: Id, shapes: &[Id]) -> Result<Fit, Misfit> {
        let items = match &node.kind {
            Kind::List(items) => items,
            Kind::Word(_) => {
                let inner = self
                    .parenthesised(node)
                    .ok_or_else(|| self.wrong(node, id))?;
                let span = self.span(node.span);
                return Ok(self
                    .fit(&inner, id)?
                    .mark(RepairKind::Parentheses, span, ""));
            }
            Kind::Text(_) => {
                return self
                    .nested(node, id)
                    .unwrap_or_else(|| Err(self.wrong(node, id)));
            }
            Kind::Object(_) => return Err(self.wrong(node, id)),
        };
        let open = self.is_open(node);
        let lengths = Lengths {
            min: shapes.len(),
            max: shapes.len(),
        };
        if items.len() > shapes.len() || (items.len() < shapes.len() && !open) {
            return Err(self.length(node, items.len(), "item", lengths));
        }
        let fit = self.items(items, |index| shapes[index])?;
        Ok(if open { fit.open() } else { fit })
    }

    /// Several values in a row, where a list was asked for: those that fit its items.
    pub(crate) fn sequence(&mut self, nodes: &[&Node<'_>], list: &List) -> Result<Fit, Misfit> {
        let mut whole = Fit::exact(Value::Null);
        let mut values = Vec::new();
        let mut misfit = Misfit::default();
        let mut failed = false;
        for node in nodes {
            match self.fit(node, list.item) {
                Ok(mut fit) => {
                    let at = At::Item(values.len());
                    values.push(std::mem::take(&mut fit.value));
                    whole.take(&mut fit, Some(at));
                }
                // Something of the item is there: it is a wrong item, not something else.
                Err(part) if part.near > 0 && !self.partial => {
                    failed = true;
                    misfit.take(part, Some(At::Item(values.len())));
                }
                Err(_) if self.partial => {
                    whole.leave_out(self.is_open(node));
                    break;
                }
                Err(_) => {
                    whole = whole.mark(RepairKind::OtherCandidate, self.span(node.span), "");
                }
            }
        }
        let length = values.len();
        let Some(last) = nodes.last() else {
            return Err(misfit);
        };
        if failed || values.is_empty() {
            return Err(misfit.near(length));
        }
        if !(list.lengths.allow(length) || self.partial && length < list.lengths.min) {
            return Err(self.length(last, length, "item", list.lengths));
        }
        whole.value = Value::Array(values);
        let whole = if self.partial { whole.open() } else { whole };
        Ok(whole.mark(RepairKind::Sequence, self.span(last.span), ""))
    }
}
