//! Lists and tuples.

use crate::coerce::Coercer;
use crate::fit::{Fit, Mismatch, StepRef};
use crate::reader::{End, JsonParser, Kind, Node, OpenBracket};
use crate::repair::RepairKind;
use crate::types::{Lengths, List, TypeIndex};
use prompt_syntax::Span;
use serde_json::Value;

impl<'s> Coercer<'s> {
    pub(crate) fn list(
        &mut self,
        node: &Node<'_>,
        id: TypeIndex,
        list: &List,
    ) -> Result<Fit, Mismatch> {
        let fit = match &node.kind {
            Kind::List(items) => {
                let fit = self.items(items, |_| list.item)?;
                if self.is_open(node) { fit.open() } else { fit }
            }
            _ if self.null(node).is_some() => return Err(self.type_mismatch(node, id)),
            // It may become a list in a string.
            Kind::Quoted(text) if self.may_change(node) && text.trim_start().starts_with('[') => {
                return Err(self.breaks_off(node));
            }
            Kind::Quoted(_) => match self.without_messages(|coercer| coercer.nested(node, id)) {
                Some(Ok(fit)) => return Ok(fit),
                _ => self.one_as_list(node, list)?,
            },
            Kind::Unquoted(_) => match self.parenthesised(node) {
                Some(inner) => {
                    let span = self.span(node.span);
                    return Ok(self.fit(&inner, id)?.with_repair(
                        RepairKind::Parentheses,
                        span,
                        "",
                    ));
                }
                None => self.one_as_list(node, list)?,
            },
            Kind::Object(entries) => match (self.one_as_list(node, list), entries.as_slice()) {
                (Ok(fit), _) => fit,
                // `{"items": […]}`
                (Err(_), [entry]) if matches!(entry.value.kind, Kind::List(_)) => {
                    let key = entry.key.as_ref();
                    let span = self.span(entry.key_span);
                    return Ok(self.fit(&entry.value, id)?.with_repair(
                        RepairKind::ObjectOfOne,
                        span,
                        key,
                    ));
                }
                (Err(mismatch), _) => return Err(mismatch),
            },
        };
        let length = fit.value.as_array().map_or(0, Vec::len);
        let short = self.is_open(node) && length < list.lengths.min;
        if !list.lengths.allow(length) && !short {
            return Err(self.length(node, length, "item", list.lengths));
        }
        Ok(fit)
    }

    /// The items of an unquoted text in parentheses: a Python tuple.
    fn parenthesised(&self, node: &Node<'_>) -> Option<Node<'s>> {
        let Kind::Unquoted(word) = &node.kind else {
            return None;
        };
        if self.may_change(node) || !(word.starts_with('(') && word.ends_with(')')) {
            return None;
        }
        let Span { start, end } = node.span;
        let mut reader = JsonParser::new(self.text, start + 1, end - 1, self.context, false);
        reader
            .open_brackets
            .push(OpenBracket::List { unquoted: false });
        let mut inner = reader.items(start).ok()?;
        inner.end = End::Sure;
        Some(inner)
    }

    /// Coerces items in order. In a partial text the first item that does not fit ends the list, since later items would lose their
    /// index.
    fn items(
        &mut self,
        items: &[Node<'_>],
        ty: impl Fn(usize) -> TypeIndex,
    ) -> Result<Fit, Mismatch> {
        let mut whole = Fit::exact(Value::Null);
        let mut values = Vec::with_capacity(items.len());
        let mut mismatch = Mismatch::default();
        let mut failed = false;
        for (index, item) in items.iter().enumerate() {
            match self.fit(item, ty(index)) {
                Ok(mut fit) => {
                    values.push(std::mem::take(&mut fit.value));
                    whole.take(&mut fit, Some(StepRef::Item(index)));
                }
                // A list whose first item is wrong is not the expected one.
                Err(part) if self.partial && index == 0 && !self.is_open(item) => return Err(part),
                Err(_) if self.partial => {
                    whole.leave_out(self.is_open(item));
                    break;
                }
                Err(part) => {
                    failed = true;
                    mismatch.take(part, Some(StepRef::Item(index)));
                }
            }
        }
        if failed {
            return Err(mismatch.near(values.len()));
        }
        whole.value = Value::Array(values);
        Ok(whole)
    }

    fn one_as_list(&mut self, node: &Node<'_>, list: &List) -> Result<Fit, Mismatch> {
        let span = self.span(node.span);
        let fit = self.fit(node, list.item)?;
        let fit = fit.wrap(StepRef::Item(0), |value| Value::Array(vec![value]));
        Ok(fit.with_repair(RepairKind::OneAsList, span, ""))
    }

    pub(crate) fn tuple(
        &mut self,
        node: &Node<'_>,
        id: TypeIndex,
        types: &[TypeIndex],
    ) -> Result<Fit, Mismatch> {
        let items = match &node.kind {
            Kind::List(items) => items,
            Kind::Unquoted(_) => {
                let inner = self
                    .parenthesised(node)
                    .ok_or_else(|| self.type_mismatch(node, id))?;
                let span = self.span(node.span);
                return Ok(self
                    .fit(&inner, id)?
                    .with_repair(RepairKind::Parentheses, span, ""));
            }
            Kind::Quoted(_) => {
                return self
                    .nested(node, id)
                    .unwrap_or_else(|| Err(self.type_mismatch(node, id)));
            }
            Kind::Object(_) => return Err(self.type_mismatch(node, id)),
        };
        let open = self.is_open(node);
        let lengths = Lengths {
            min: types.len(),
            max: types.len(),
        };
        if items.len() > types.len() || (items.len() < types.len() && !open) {
            return Err(self.length(node, items.len(), "item", lengths));
        }
        let fit = self.items(items, |index| types[index])?;
        Ok(if open { fit.open() } else { fit })
    }

    /// Coerces several values in a row into a list: those that fit its items.
    pub(crate) fn sequence(&mut self, nodes: &[&Node<'_>], list: &List) -> Result<Fit, Mismatch> {
        let mut whole = Fit::exact(Value::Null);
        let mut values = Vec::new();
        let mut mismatch = Mismatch::default();
        let mut failed = false;
        for node in nodes {
            match self.fit(node, list.item) {
                Ok(mut fit) => {
                    let at = StepRef::Item(values.len());
                    values.push(std::mem::take(&mut fit.value));
                    whole.take(&mut fit, Some(at));
                }
                // Parts of the item matched: it is a wrong item, and not something else.
                Err(part) if part.near > 0 && !self.partial => {
                    failed = true;
                    mismatch.take(part, Some(StepRef::Item(values.len())));
                }
                Err(_) if self.partial => {
                    whole.leave_out(self.is_open(node));
                    break;
                }
                Err(_) => {
                    whole = whole.with_repair(RepairKind::OtherCandidate, self.span(node.span), "");
                }
            }
        }
        let length = values.len();
        let Some(last) = nodes.last() else {
            return Err(mismatch);
        };
        if failed || values.is_empty() {
            return Err(mismatch.near(length));
        }
        if !(list.lengths.allow(length) || self.partial && length < list.lengths.min) {
            return Err(self.length(last, length, "item", list.lengths));
        }
        whole.value = Value::Array(values);
        let whole = if self.partial { whole.open() } else { whole };
        Ok(whole.with_repair(RepairKind::Sequence, self.span(last.span), ""))
    }
}
