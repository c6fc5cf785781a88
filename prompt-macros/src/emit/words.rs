//! A prompt that is one message of words and slots.

use prompt_syntax::Role;

use super::run::Run;
use super::{CaseEmitter, Code, Emitter};
use crate::model::{Message, Piece, PromptCase, Slot, Step, Value};

impl Emitter<'_> {
    /// ```text
    /// fn words(&self, out: &mut impl Words) -> bool {
    ///     out.fill("Ask <name>.", b"…", &[self.name], &[])
    /// }
    /// ```
    ///
    /// For the question of a user, in words and slots that need nothing but their values.
    pub(super) fn words(&self) -> Option<Code<'_>> {
        let ([case], false) = (&self.prompt.cases[..], self.bound) else {
            return None;
        };
        let case_of = CaseEmitter {
            emitter: self,
            case,
            templates: std::cell::RefCell::default(),
        };
        let message = only_message(case)?;
        let mut run = Run::new(&self.private);
        let is_run = message
            .body
            .iter()
            .all(|piece| is_bare(piece) && case_of.joins(message, piece, &mut run));
        let uses_fill = self.fills.take();
        if !is_run || case_of.templates().is_some() {
            return None;
        }
        let mut code = Code::new(&self.private);
        code.add("fn words");
        code.parenthesized(|code| _ = code.add("&self, out: &mut impl ").path("Words"));
        code.add("-> bool").braced(|code| {
            if uses_fill {
                code.add("use ").path("Fill").add(";");
            }
            let spelled = |words: &str| case.sources[message.source].spelled(words);
            code.add("out.fill");
            code.parenthesized(|code| run.write(spelled, code));
        });
        Some(code)
    }
}

/// The user's message, if there is nothing else.
fn only_message<'a>(case: &'a PromptCase<'_>) -> Option<&'a Message> {
    let [Step::Message(message)] = &case.steps[..] else {
        return None;
    };
    let is_alone = case
        .case
        .fields
        .iter()
        .all(|field| field.stands_apart().is_none());
    (message.role == Some(Role::User) && is_alone).then_some(message)
}

/// Whether a piece is words, or a place's value as it is.
fn is_bare(piece: &Piece) -> bool {
    match piece {
        Piece::Text { .. } => true,
        Piece::Slot(Slot { value, .. }) => matches!(value, Value::Place(_)),
        _ => false,
    }
}
