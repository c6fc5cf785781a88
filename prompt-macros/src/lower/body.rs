//! The text of one message: slots, conditions and loops, with their names resolved.

use prompt_syntax::problem::name;
use prompt_syntax::problem::slot::unsupported;
use prompt_syntax::problem::value::media_default;
use prompt_syntax::{Expr, Node};

use crate::model::{Branch, Fallback, Piece, Slot, Test, Value};
use crate::place::Binding;
use crate::resolve::{self, Resolver};

/// The text of one message, with its names in scope.
pub(super) struct Body<'a, 'e> {
    pub(super) resolver: Resolver<'a, 'e>,
}

impl Body<'_, '_> {
    pub(super) fn pieces(&mut self, nodes: &[Node]) -> Vec<Piece> {
        nodes.iter().filter_map(|node| self.piece(node)).collect()
    }

    fn piece(&mut self, node: &Node) -> Option<Piece> {
        match node {
            Node::Text(text) => Some(Piece::Text {
                text: text.text.clone(),
                span: text.span,
            }),
            Node::Slot(slot) => self.slot(slot),
            Node::If(block) => {
                let branches = block
                    .branches
                    .iter()
                    .filter_map(|branch| self.branch(branch))
                    .collect();
                let otherwise = self.pieces(block.otherwise.as_deref().unwrap_or_default());
                Some(Piece::If {
                    branches,
                    otherwise,
                })
            }
            Node::For(block) => self.repeated(block),
            Node::Set(_) | Node::With(_) | Node::Macro(_) | Node::Include(_) | Node::Filter(_) => {
                let error = unsupported("this block").at(node.span());
                self.resolver.report(&error);
                None
            }
            // Reported by the parser.
            _ => None,
        }
    }

    fn slot(&mut self, slot: &prompt_syntax::Slot) -> Option<Piece> {
        let (expr, default) = resolve::with_default(&slot.expr);
        let value = self.resolver.value(expr)?;
        let name = resolve::name(expr);
        if let Value::Place(place) = &value
            && self.resolver.is_media(place)
        {
            if let Some(default) = default {
                let error = media_default(&place.name).at(default.span());
                self.resolver.report(&error);
                return None;
            }
            return Some(Piece::Media {
                place: place.clone(),
                span: slot.span,
            });
        }
        let Some(default) = default else {
            self.resolver.expect_text(&value, expr, slot.span)?;
            return Some(Piece::Slot(Slot {
                name,
                value,
                fallback: None,
                span: slot.span,
            }));
        };
        let default = self.resolver.text(default)?;
        let option = resolve::base(&value)?.clone();
        self.resolver.expect_option(&option)?;
        let binding = self.resolver.scope.ident(&option.name);
        let value = resolve::rebased(value, &binding);
        Some(Piece::Slot(Slot {
            name,
            value,
            fallback: Some(Fallback {
                option,
                binding,
                default,
            }),
            span: slot.span,
        }))
    }

    fn branch(&mut self, branch: &prompt_syntax::Branch) -> Option<Branch> {
        let depth = self.resolver.scope.bindings.len();
        let test = self.test(&branch.condition, true);
        let body = self.pieces(&branch.body);
        let used: Vec<Binding> = self.resolver.scope.bindings.drain(depth..).collect();
        let mut test = test?;
        forget_unused(&mut test, &used);
        Some(Branch { test, body })
    }

    /// What a condition finds in an `Option` is bound where the condition must hold for its block to be reached.
    fn test(&mut self, condition: &Expr, binds: bool) -> Option<Test> {
        match condition {
            Expr::Not(inner) => Some(Test::Not(Box::new(self.test(inner, false)?))),
            Expr::And(sides) => {
                let (left, right) = (self.test(&sides.0, binds), self.test(&sides.1, binds));
                Some(Test::And(Box::new((left?, right?))))
            }
            Expr::Or(sides) => {
                let (left, right) = (self.test(&sides.0, false), self.test(&sides.1, false));
                Some(Test::Or(Box::new((left?, right?))))
            }
            other => {
                let value = self.resolver.value(other)?;
                if let Value::Place(place) = &value {
                    self.resolver.expect_condition(place);
                }
                let binding = self.binding(&value, binds);
                Some(Test::Present { value, binding })
            }
        }
    }

    fn binding(&mut self, value: &Value, binds: bool) -> Option<proc_macro2::Ident> {
        let Value::Place(place) = value else {
            return None;
        };
        if !binds || !self.resolver.may_be_option(place) {
            return None;
        }
        let ident = self.resolver.scope.ident(&place.name);
        let media = self.resolver.holds_media(place);
        self.resolver.scope.bindings.push(Binding {
            name: place.name.clone(),
            ident: ident.clone(),
            origin: place.origin,
            media,
            used: false,
        });
        Some(ident)
    }

    fn repeated(&mut self, block: &prompt_syntax::For) -> Option<Piece> {
        let [target] = &block.targets[..] else {
            let span = block.targets.last().map_or(block.span, |name| name.span);
            let error = unsupported("a second name of an item").at(span);
            self.resolver.report(&error);
            return None;
        };
        if let Some(condition) = &block.condition {
            let error = unsupported("the condition of a loop").at(condition.span());
            self.resolver.report(&error);
            return None;
        }
        let list = self.resolver.value(&block.list);
        if let Some(Value::Place(place)) = &list {
            self.resolver.expect_list(place)?;
        }
        let otherwise = block.otherwise.as_deref().map(|nodes| self.pieces(nodes));
        let name = target.value.clone();
        if self.resolver.scope.field(&name).is_some() {
            let error = name::hides_field(&name).at(target.span);
            self.resolver.report(&error);
        }
        if self
            .resolver
            .scope
            .fields
            .iter()
            .all(|field| field.name != name)
            && self.resolver.scope.binding(&name).is_some()
        {
            let error = name::hides_loop(&name).at(target.span);
            self.resolver.report(&error);
        }
        let base = list.as_ref().and_then(resolve::base);
        let origin = base.map_or(usize::MAX, |place| place.origin);
        let media = base.is_some_and(|place| self.resolver.holds_media(place));
        let ident = self.resolver.scope.ident(&name);
        self.resolver.scope.bindings.push(Binding {
            name: name.clone(),
            ident: ident.clone(),
            origin,
            media,
            used: false,
        });
        let body = self.pieces(&block.body);
        let used = self
            .resolver
            .scope
            .bindings
            .pop()
            .is_some_and(|binding| binding.used);
        // Where the loop's body has errors, what they hide may be the use.
        if !used && !name.starts_with('_') && *self.resolver.readable {
            let dialect = self.resolver.dialect;
            let error = name::unused(dialect, &name, name::Bound::Loop).at(target.span);
            self.resolver.report(&error);
        }
        Some(Piece::For {
            binding: ident,
            list: list?,
            body,
            otherwise,
        })
    }
}

/// A binding that its block does not use is not made.
fn forget_unused(test: &mut Test, bindings: &[Binding]) {
    match test {
        Test::Present { binding, .. } | Test::Given { binding, .. } => {
            if let Some(ident) = binding
                && !bindings
                    .iter()
                    .any(|binding| binding.ident == *ident && binding.used)
            {
                *binding = None;
            }
        }
        Test::Holds(_) => {}
        Test::Not(inner) => forget_unused(inner, bindings),
        Test::And(sides) | Test::Or(sides) => {
            forget_unused(&mut sides.0, bindings);
            forget_unused(&mut sides.1, bindings);
        }
    }
}
