//! A prompt that is one message of words.

use prompt_syntax::{Dialect, Role};

use super::run::can_cut;
use super::{CaseEmitter, Code, Emitter};
use crate::model::{Message, Piece, PromptCase, Step, Test, Value, walk};

impl Emitter<'_> {
    /// ```text
    /// fn write_words(&self, out: &mut impl Words) -> bool {
    ///     for p in items(&self.passages) {
    ///         if !out.fill("- <p>\n", b"…", &[], &[Fill::of(&p)]) { return false; }
    ///     }
    ///     out.fill("Question: <question>", b"…", &[self.question], &[])
    /// }
    /// ```
    ///
    /// For the question of a user in words and slots, and blocks of these, that need nothing but values of the struct's.
    pub(super) fn words(&self) -> Option<Code<'_>> {
        let ([case], false) = (&self.prompt.cases[..], self.bound) else {
            return None;
        };
        let case_of = CaseEmitter {
            is_asking: true,
            ..CaseEmitter::new(self, case)
        };
        let message = only_message(case)?;
        if !case_of.are_words(&message.body, length(message)) {
            return None;
        }
        let mut body = Code::new(&self.private);
        let last = case_of.write_but_last(message, &message.body, &mut body);
        case_of.write_taken(message, last, &mut body);
        let uses_fill = self.fills.take();
        let mut code = Code::new(&self.private);
        code.add("fn write_words");
        code.parenthesized(|code| _ = code.add("&self, out: &mut impl ").path("Words"));
        code.add("-> bool").braced(|code| {
            if uses_fill {
                code.add("use ").path("Fill").add(";");
            }
            code.append(body);
        });
        Some(code)
    }
}

impl CaseEmitter<'_> {
    /// Whether these pieces write nothing but words, of at most so many bytes, and values as they are.
    fn are_words(&self, pieces: &[Piece], bytes: usize) -> bool {
        pieces.iter().all(|piece| match piece {
            Piece::Text { .. } => true,
            Piece::Slot(slot) => {
                is_place(&slot.value) && self.is_plain(piece, slot) && can_cut(&slot.name, bytes)
            }
            _ if self.case.dialect == Dialect::Jinja => false,
            Piece::If {
                branches,
                otherwise,
            } => {
                let mut branches = branches.iter();
                branches.all(|branch| is_bare(&branch.test) && self.are_words(&branch.body, bytes))
                    && self.are_words(otherwise, bytes)
            }
            Piece::For {
                list,
                body,
                otherwise,
                ..
            } => {
                let otherwise = otherwise.as_deref().unwrap_or_default();
                is_place(list) && self.are_words(body, bytes) && self.are_words(otherwise, bytes)
            }
            _ => false,
        })
    }
}

/// The user's message, if there is nothing else.
fn only_message<'a>(case: &'a PromptCase<'_>) -> Option<&'a Message> {
    let [Step::Message(message)] = &case.steps[..] else {
        return None;
    };
    let mut fields = case.case.fields.iter();
    let is_alone = fields.all(|field| field.stands_apart().is_none());
    (message.role == Some(Role::User) && is_alone).then_some(message)
}

/// How many bytes of words there are.
fn length(message: &Message) -> usize {
    let mut length = 0;
    walk(&message.body, &mut |piece| {
        if let Piece::Text { text, .. } = piece {
            length += text.len();
        }
    });
    length
}

fn is_place(value: &Value) -> bool {
    matches!(value, Value::Place(_))
}

/// Whether a condition asks about places, and nothing that is to be computed.
fn is_bare(test: &Test) -> bool {
    match test {
        Test::Present { value, .. } => is_place(value),
        Test::Not(test) => is_bare(test),
        Test::And(sides) | Test::Or(sides) => is_bare(&sides.0) && is_bare(&sides.1),
        Test::Given { .. } | Test::Holds(_) => false,
    }
}
