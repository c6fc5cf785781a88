//! Lists and tuples.

use crate::coerce::Coercer;
use crate::describe::excerpt;
use crate::fit::{Fit, Mismatch, StepRef};
use crate::reader::{Candidate, End, JsonParser, NodeKind, OpenBracket, SyntaxNode};
use crate::repair::RepairKind;
use crate::types::{Lengths, ListType, Type, TypeIndex};
use prompt_base::Span;
use serde_json::Value;
use std::collections::HashSet;

impl<'s> Coercer<'s> {
    pub(crate) fn coerce_list(
        &mut self,
        node: &SyntaxNode<'_>,
        id: TypeIndex,
        list: &ListType,
    ) -> Result<Fit, Mismatch> {
        let fit = match &node.kind {
            NodeKind::List(items) => {
                let fit = self.coerce_items(items.iter(), |coercer, index| {
                    coercer.coerce_node(&items[index], list.item)
                })?;
                if self.is_open(node) {
                    fit.mark_open()
                } else {
                    fit
                }
            }
            _ if self.coerce_null(node).is_some() => return Err(self.type_mismatch(node, id)),
            // It may become a list in a string.
            NodeKind::Quoted(text)
                if self.may_change(node) && text.trim_start().starts_with('[') =>
            {
                return Err(self.truncated_mismatch(node));
            }
            NodeKind::Quoted(text) => {
                match self.without_messages(|coercer| coercer.coerce_nested_json(node, id)) {
                    Some(Ok(fit)) => return Ok(fit),
                    _ if text.starts_with('[') && text.ends_with(']') => {
                        return Err(self.type_mismatch(node, id));
                    }
                    _ => self.coerce_one_as_list(node, list)?,
                }
            }
            NodeKind::Unquoted(_) => match self.read_parenthesised(node) {
                Some(inner) => {
                    let span = self.answer_span(node.span);
                    return Ok(self.coerce_node(&inner, id)?.with_repair(
                        RepairKind::Parentheses,
                        span,
                        "",
                    ));
                }
                None => self.coerce_one_as_list(node, list)?,
            },
            NodeKind::Object(entries) => {
                match (self.coerce_one_as_list(node, list), entries.as_slice()) {
                    (Ok(fit), _) => fit,
                    // `{"items": […]}`
                    (Err(_), [entry]) if matches!(entry.value.kind, NodeKind::List(_)) => {
                        return self.coerce_wrapped(node, entry, id);
                    }
                    (Err(mismatch), _) => return Err(mismatch),
                }
            }
        };
        self.check_list(node, list, &fit, self.is_open(node))?;
        Ok(fit)
    }

    /// Checks the constraints of a list. `open`: further items may follow.
    pub(crate) fn check_list(
        &self,
        node: &SyntaxNode<'_>,
        list: &ListType,
        fit: &Fit,
        open: bool,
    ) -> Result<(), Mismatch> {
        let length = fit.value.as_array().map_or(0, Vec::len);
        let short = open && length < list.lengths.min;
        if !list.lengths.allows(length) && !short {
            return Err(self.length_mismatch(node, length, "item", list.lengths));
        }
        self.check_unique(node, list, fit)
    }

    /// The mismatch of a list with two equal items, where all must differ.
    fn check_unique(
        &self,
        node: &SyntaxNode<'_>,
        list: &ListType,
        fit: &Fit,
    ) -> Result<(), Mismatch> {
        let items = fit
            .value
            .as_array()
            .filter(|_| list.unique && !fit.is_placeholder);
        let mut seen = HashSet::new();
        for (index, item) in items.into_iter().flatten().enumerate() {
            if !seen.insert(item.to_string()) {
                let part = match &node.kind {
                    NodeKind::List(parts) => parts.get(index).unwrap_or(node),
                    _ => node,
                };
                let texts = || {
                    (
                        format!("`{}` is in the list twice", excerpt(&item.to_string())),
                        "expected different items".to_owned(),
                    )
                };
                return Err(self.mismatch(part, texts).at_step(StepRef::Item(index)));
            }
        }
        Ok(())
    }

    /// The items of an unquoted text in parentheses: a Python tuple.
    fn read_parenthesised(&self, node: &SyntaxNode<'_>) -> Option<SyntaxNode<'s>> {
        let NodeKind::Unquoted(word) = &node.kind else {
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
        let mut inner = reader
            .read_items(start)
            .ok()
            .filter(|_| reader.loss.is_none())?;
        inner.end = End::Sure;
        Some(inner)
    }

    /// Coerces items in order. In a partial text the first item that does not fit ends the list, since later items would lose their
    /// index.
    fn coerce_items<'n, 't: 'n>(
        &mut self,
        items: impl ExactSizeIterator<Item = &'n SyntaxNode<'t>>,
        fit: impl Fn(&mut Self, usize) -> Result<Fit, Mismatch>,
    ) -> Result<Fit, Mismatch> {
        let mut whole = Fit::from_value(Value::Null);
        let mut values = Vec::with_capacity(items.len());
        let mut mismatch = Mismatch::default();
        let mut failed = false;
        for (index, item) in items.enumerate() {
            match fit(self, index) {
                Ok(mut fit) => {
                    values.push(std::mem::take(&mut fit.value));
                    whole.take_part(&mut fit, Some(StepRef::Item(index)));
                }
                // A list whose first item is wrong is not the expected one.
                Err(part) if self.partial && index == 0 && !self.is_open(item) => return Err(part),
                Err(_) if self.partial => {
                    whole.leave_out(self.is_open(item));
                    break;
                }
                Err(part) => {
                    failed = true;
                    mismatch.take_part(part, Some(StepRef::Item(index)));
                }
            }
        }
        if failed {
            return Err(mismatch.with_matched(values.len()));
        }
        whole.value = Value::Array(values);
        Ok(whole)
    }

    fn coerce_one_as_list(
        &mut self,
        node: &SyntaxNode<'_>,
        list: &ListType,
    ) -> Result<Fit, Mismatch> {
        let span = self.answer_span(node.span);
        if let NodeKind::Quoted(text) = &node.kind {
            let mut parts = text.split(',').map(str::trim);
            let quoted = |part: &str, next: &str| {
                part.ends_with(['"', '\'']) && next.starts_with(['"', '\''])
            };
            let mut previous = parts.next().unwrap_or_default();
            if parts.any(|part| quoted(std::mem::replace(&mut previous, part), part)) {
                // Several strings without the brackets of their list.
                return Err(self.type_mismatch(node, list.item));
            }
        }
        let fit = match node.is_container() {
            true => self.coerce_node(node, list.item)?,
            // A text with one value in it may name further ones.
            false => self.coerce_certain(node, list.item)?,
        };
        let fit = fit.wrap_value(StepRef::Item(0), |value| Value::Array(vec![value]));
        // Another object may follow.
        let fit = if self.partial && self.is_root() {
            fit.mark_open()
        } else {
            fit
        };
        Ok(fit.with_repair(RepairKind::OneAsList, span, ""))
    }

    pub(crate) fn coerce_tuple(
        &mut self,
        node: &SyntaxNode<'_>,
        id: TypeIndex,
        types: &[TypeIndex],
    ) -> Result<Fit, Mismatch> {
        let items = match &node.kind {
            NodeKind::List(items) => items,
            NodeKind::Unquoted(_) => {
                let inner = self
                    .read_parenthesised(node)
                    .ok_or_else(|| self.type_mismatch(node, id))?;
                let span = self.answer_span(node.span);
                return Ok(self.coerce_node(&inner, id)?.with_repair(
                    RepairKind::Parentheses,
                    span,
                    "",
                ));
            }
            NodeKind::Quoted(_) => {
                return self
                    .coerce_nested_json(node, id)
                    .unwrap_or_else(|| Err(self.type_mismatch(node, id)));
            }
            NodeKind::Object(_) => return Err(self.type_mismatch(node, id)),
        };
        let open = self.is_open(node);
        let lengths = Lengths {
            min: types.len(),
            max: types.len(),
        };
        if items.len() > types.len() || (items.len() < types.len() && !open) {
            return Err(self.length_mismatch(node, items.len(), "item", lengths));
        }
        let fit = self.coerce_items(items.iter(), |coercer, index| {
            coercer.coerce_node(&items[index], types[index])
        })?;
        Ok(if open { fit.mark_open() } else { fit })
    }

    /// Coerces several objects in a row into a list. Each of them is an item.
    pub(crate) fn coerce_sequence(
        &mut self,
        row: &[&Candidate<'_>],
        id: TypeIndex,
    ) -> Result<Fit, Mismatch> {
        let (Type::List(list), Some(last)) = (self.types.get(id), row.last()) else {
            return Err(Mismatch::default());
        };
        let nodes = row.iter().map(|candidate| &candidate.node);
        let fit = self.coerce_items(nodes, |coercer, index| {
            coercer.coerce_candidate(row[index], list.item)
        });
        let is_empty = |fit: &Fit| fit.value.as_array().is_none_or(Vec::is_empty);
        let fit = match fit {
            // The text so far contains no item.
            Err(_) if self.partial => return Err(Mismatch::default()),
            Ok(fit) if is_empty(&fit) => return Err(Mismatch::default()),
            fit => fit?,
        };
        self.check_list(&last.node, list, &fit, self.partial)?;
        let fit = if self.partial { fit.mark_open() } else { fit };
        Ok(fit.with_repair(RepairKind::Sequence, self.answer_span(last.node.span), ""))
    }
}
