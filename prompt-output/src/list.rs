//! Lists.

use crate::coerce::Coercer;
use crate::fit::{Fit, Mismatch};
use crate::parser::{JsonParser, OpenBracket};
use crate::path::StepRef;
use crate::repair::RepairKind;
use crate::syntax::{End, NodeKind, SyntaxNode};
use crate::types::{List, TypeIndex};
use prompt_base::Span;
use serde_json::Value;

impl<'s> Coercer<'s> {
    pub(crate) fn coerce_list(
        &mut self,
        node: &SyntaxNode<'_>,
        id: TypeIndex,
        list: &List,
    ) -> Result<Fit, Mismatch> {
        match &node.kind {
            NodeKind::List(items) => self.coerce_items(items, |coercer, index, item| {
                coercer.coerce_node(item, list.item_type(index))
            }),
            NodeKind::Quoted(_) => self
                .coerce_nested_json(node, id)
                .unwrap_or_else(|| Err(self.type_mismatch(node, id))),
            NodeKind::Unquoted(_) => {
                let inner = self
                    .read_parenthesised(node)
                    .ok_or_else(|| self.type_mismatch(node, id))?;
                let span = self.answer_span(node.span);
                let fit = self.coerce_node(&inner, id)?;
                Ok(fit.with_repair(RepairKind::Parentheses, span, ""))
            }
            NodeKind::Object(_) => Err(self.type_mismatch(node, id)),
        }
    }

    /// Converts a bare object where the whole answer is a list of them. Further ones may follow in a part of an answer.
    pub(crate) fn coerce_only_item(
        &mut self,
        node: &SyntaxNode<'_>,
        item: TypeIndex,
    ) -> Result<Fit, Mismatch> {
        let fit = self.coerce_node(node, item)?;
        let fit = fit.wrap_value(StepRef::Item(0), |value| Value::Array(vec![value]));
        let fit = fit.mark_open_if(self.partial);
        Ok(fit.with_repair(RepairKind::OneAsList, self.answer_span(node.span), ""))
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
    pub(crate) fn coerce_items(
        &mut self,
        items: &[SyntaxNode<'_>],
        fit: impl Fn(&mut Self, usize, &SyntaxNode<'_>) -> Result<Fit, Mismatch>,
    ) -> Result<Fit, Mismatch> {
        let mut whole = Fit::from_value(Value::Null);
        let mut values = Vec::with_capacity(items.len());
        let mut mismatch = Mismatch::default();
        let mut failed = false;
        for (index, item) in items.iter().enumerate() {
            match fit(self, index, item) {
                Ok(mut fit) => {
                    values.push(std::mem::take(&mut fit.value));
                    whole.take_part(&mut fit, Some(StepRef::Item(index)));
                }
                // A list whose first item is wrong is not the expected one.
                Err(part) if self.partial && index == 0 && !self.is_unfinished(item) => {
                    return Err(part);
                }
                Err(_) if self.partial => {
                    whole.leave_out(self.is_unfinished(item));
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
}
