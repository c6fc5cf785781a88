//! Turns that no template writes: the history, and worked examples. Where they stand.

use prompt_syntax::problem::field::no_turns;
use prompt_syntax::problem::fragment;
use prompt_syntax::{Expr, Role};

use super::Lowerer;
use crate::attribute::{Given, ItemKeys};
use crate::input::Input;
use crate::model::Step;
use crate::shots;
use crate::uses::used;

impl Lowerer<'_, '_> {
    /// The examples of a file, which are rows for the messages that are there now.
    pub(super) fn shots(&mut self, input: &Input, keys: &ItemKeys) {
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
        let Some((source, shots)) = shots::read(&self.out, output, path, self.errors) else {
            return;
        };
        self.out.sources.push(source);
        // An example comes before what is asked, wherever the key stands.
        let asked = self.last_user().unwrap_or(self.out.steps.len());
        let at = self.shots_at.unwrap_or_else(|| self.first_turn());
        self.out.steps.insert(at.min(asked), Step::Shots(shots));
    }

    /// The message that is asked.
    fn last_user(&self) -> Option<usize> {
        let is_user = |step: &Step| matches!(step, Step::Message(message) if message.role == Some(Role::User));
        self.out.steps.iter().rposition(is_user)
    }

    /// Where the instructions end.
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

    /// The turns of the field that is marked with the key stand here.
    pub(super) fn turns(&mut self, key: &str, at: proc_macro2::Span) {
        match self.field_marked(key) {
            Some(field) => self.out.steps.push(Step::History { field, at }),
            None => {
                self.errors.push(at, no_turns(key));
            }
        }
    }

    /// The field of the history, if that is what a slot names.
    pub(super) fn history_named(&self, slot: &prompt_syntax::Slot) -> Option<usize> {
        let Expr::Path(path) = &slot.expr else {
            return None;
        };
        let [name] = &path.segments[..] else {
            return None;
        };
        let mut fields = self.case.fields.iter();
        fields.position(|field| {
            field.name == name.value && ["history", "shots"].iter().any(|key| field.keys.has(key))
        })
    }

    /// Where the template does not say, history stands before the last user message.
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

    /// Where the template does not say, examples stand after the instructions; a slot shows them as text.
    pub(super) fn place_shots(&mut self) {
        let Some(field) = self.field_marked("shots") else {
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
