//! A value where anything may stand.

use serde_json::{Map, Value};

use super::coerce::Coercer;
use super::fit::{At, Fit, Misfit};
use super::node::{Entry, Kind, Node};
use super::number;
use super::repair::RepairKind;

impl Coercer<'_> {
    /// A node as JSON has it, where anything may stand.
    pub(super) fn any(&mut self, node: &Node<'_>) -> Result<Fit, Misfit> {
        if let Some(fit) = self.null(node) {
            return Ok(fit);
        }
        let span = self.span(node.span);
        match &node.kind {
            Kind::Word(_) if self.may_change(node) => Err(self.breaks_off(node)),
            Kind::Word("true") => Ok(Fit::exact(true)),
            Kind::Word("false") => Ok(Fit::exact(false)),
            Kind::Word(word @ ("True" | "False")) => {
                Ok(Fit::exact(*word == "True").mark(RepairKind::ForeignLiteral, span, *word))
            }
            Kind::Word(word) => match number::json(word) {
                Some(number) => Ok(Fit::exact(Value::Number(number))),
                None => Ok(Fit::exact(*word)),
            },
            Kind::Text(text) => {
                let fit = Fit::exact(text.as_ref());
                Ok(if self.is_open(node) { fit.open() } else { fit })
            }
            Kind::List(items) => {
                let mut whole = Fit::exact(Value::Null);
                let mut values = Vec::with_capacity(items.len());
                for (index, item) in items.iter().enumerate() {
                    let mut fit = match self.any(item) {
                        Ok(fit) => fit,
                        Err(_) if self.partial => break,
                        Err(misfit) => return Err(misfit.inside(At::Item(index))),
                    };
                    values.push(std::mem::take(&mut fit.value));
                    whole.take(&mut fit, Some(At::Item(index)));
                }
                whole.value = Value::Array(values);
                Ok(if self.is_open(node) {
                    whole.open()
                } else {
                    whole
                })
            }
            Kind::Object(entries) => self.any_object(node, entries),
        }
    }

    fn any_object(&mut self, node: &Node<'_>, entries: &[Entry<'_>]) -> Result<Fit, Misfit> {
        let mut whole = Fit::exact(Value::Null);
        let mut map = Map::new();
        for entry in entries {
            let at = At::Key(&entry.key);
            let mut fit = match self.any(&entry.value) {
                Ok(fit) => fit,
                Err(_) if self.partial => continue,
                Err(misfit) => return Err(misfit.inside(at)),
            };
            map.insert(entry.key.to_string(), std::mem::take(&mut fit.value));
            whole.take(&mut fit, Some(at));
        }
        whole.value = Value::Object(map);
        Ok(if self.is_open(node) {
            whole.open()
        } else {
            whole
        })
    }
}
