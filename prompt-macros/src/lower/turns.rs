//! Positions of the messages that are not in the template: history and few-shot examples.

use prompt_syntax::problem::field::no_turns;
use prompt_syntax::problem::fragment;
use prompt_syntax::{Expr, Role};

use super::Lowerer;
use crate::attribute::{Given, ItemKeys};
use crate::examples;
use crate::input::{Field, Input};
use crate::model::Step;
use crate::uses::used;

impl Lowerer<'_, '_> {
    /// Inserts the few-shot examples of a file: its rows fill the messages so far.
    pub(super) fn examples(&mut self, input: &Input, keys: &ItemKeys) {
        let mut given = keys.given.iter();
        let Some((key, path)) = given.find_map(|given| match &given.value {
            Given::ShotsOf { path } => Some((given.key, path)),
            _ => None,
        }) else {
            return;
        };
        if self.out.fragment {
            self.errors.push(key, fragment::no_turns());
            return;
        }
        let output = input.keys.output.as_ref().map(|output| &output.value);
        let Some((source, examples)) = examples::read(&self.out, output, path, self.errors) else {
            return;
        };
        self.out.sources.push(source);
        // An example precedes the last user message, wherever the key is.
        let asked = self.last_user().unwrap_or(self.out.steps.len());
        let at = self.shots_at.unwrap_or_else(|| self.first_turn());
        self.out
            .steps
            .insert(at.min(asked), Step::Examples(examples));
    }

    /// The last user message.
    fn last_user(&self) -> Option<usize> {
        let is_user = |step: &Step| matches!(step, Step::Message(message) if message.role == Some(Role::User));
        self.out.steps.iter().rposition(is_user)
    }

    /// The first step after the system message.
    fn first_turn(&self) -> usize {
        let is_turn = |step: &Step| !matches!(step, Step::Message(message) if message.role == Some(Role::System));
        let steps = &self.out.steps;
        steps.iter().position(is_turn).unwrap_or(steps.len())
    }

    fn field_marked(&self, key: &str) -> Option<usize> {
        self.case
            .fields
            .iter()
            .position(|field| field.keys.has(key))
    }

    /// Adds the messages of the field that is marked with the key.
    pub(super) fn turns(&mut self, key: &str, at: proc_macro2::Span) {
        match self.field_marked(key) {
            Some(field) => self.out.steps.push(Step::History { field, at }),
            None => {
                self.errors.push(at, no_turns(key));
            }
        }
    }

    /// By default, history is inserted before the last user message.
    pub(super) fn place_history(&mut self) {
        let Some(field) = self.field_marked("history") else {
            return;
        };
        if self.has_turns_of(field) {
            return;
        }
        let last_user = self.last_user().unwrap_or(self.out.steps.len());
        let at = self.case.fields[field].ident.span();
        self.out
            .steps
            .insert(last_user, Step::History { field, at });
    }

    /// By default, examples are inserted after the system message, unless a slot writes them as text.
    pub(super) fn place_shots(&mut self) {
        let Some(field) = self.field_marked("examples") else {
            return;
        };
        if self.has_turns_of(field) || used(&self.out).contains(&field) {
            return;
        }
        let at = self.case.fields[field].ident.span();
        let first_turn = self.first_turn();
        self.out
            .steps
            .insert(first_turn, Step::History { field, at });
    }

    fn has_turns_of(&self, field: usize) -> bool {
        let mut steps = self.out.steps.iter();
        steps.any(|step| matches!(step, Step::History { field: of, .. } if *of == field))
    }
}

/// The field whose messages a slot between role blocks names.
pub(super) fn history_named(fields: &[Field], slot: &prompt_syntax::Slot) -> Option<usize> {
    let Expr::Path(path) = &slot.expr else {
        return None;
    };
    let [name] = &path.segments[..] else {
        return None;
    };
    fields.iter().position(|field| {
        field.name == name.value
            && ["history", "examples"]
                .iter()
                .any(|key| field.keys.has(key))
    })
}
