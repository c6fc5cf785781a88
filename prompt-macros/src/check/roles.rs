//! Who says what: the order of messages, and what may stand in the system message.

use prompt_syntax::{Error, Role};

use crate::errors::Errors;
use crate::input::Form;
use crate::model::{Message, Piece, Prompt, PromptCase, Slot, Step, Value, walk};
use crate::uses::{answer, each_place, is_answer, messages};

/// One system message, at the front; an answer is asked for after the user's turn.
pub(super) fn roles_stand_in_order(
    prompt: &Prompt<'_>,
    case: &PromptCase<'_>,
    errors: &mut Errors,
) {
    let mut system = false;
    let mut turns = false;
    for step in &case.steps {
        let Step::Message(message) = step else {
            turns = true;
            continue;
        };
        if message.role != Some(Role::System) {
            turns = true;
            continue;
        }
        if system {
            let help = "make one `system` text of them";
            case.report_message(
                message,
                "there are two system messages",
                "the second one",
                help,
                errors,
            );
        } else if turns {
            let help = "write `system` first";
            case.report_message(
                message,
                "the system message comes after a turn",
                "too late",
                help,
                errors,
            );
        }
        system = true;
    }
    if let Some(Step::Message(last)) = case.steps.last()
        && last.role == Some(Role::Assistant)
        && prompt.output().is_some()
        && answer(case).is_none()
    {
        let error = "the assistant speaks last, and yet an answer is asked for";
        let help = "end with a `user` text, or take `output` away";
        case.report_message(last, error, "nothing is left to answer", help, errors);
    }
}

/// What a model is to find out must not be in what it reads: the answer stands in the assistant's turn, at the end.
pub(super) fn the_answer_stands_at_the_end(case: &PromptCase<'_>, errors: &mut Errors) {
    if case.fragment {
        return;
    }
    let place_of_answer = answer(case);
    each_place(case, &mut |place, message| {
        let at_the_end = place_of_answer.is_some_and(|answer| std::ptr::eq(answer, message));
        if at_the_end || !is_answer(case, place.origin) {
            return;
        }
        let name = &place.name;
        let turn = match message.role {
            Some(Role::Assistant) => "a turn that is not the last",
            Some(Role::System) => "the system message",
            _ => "the user's message",
        };
        let error = Error::new(place.span, format!("the answer `{name}` stands in {turn}"))
            .label("the model would read it")
            .help("end with an `assistant` text, and write the slot there");
        case.sources[message.source].report(&error, errors);
    });
}

impl PromptCase<'_> {
    /// Reports an error of a whole message: at its tag in the template, or at its key.
    pub(super) fn report_message(
        &self,
        message: &Message,
        error: &str,
        label: &str,
        help: &str,
        errors: &mut Errors,
    ) {
        match message.tag {
            Some(tag) => {
                let error = Error::new(tag, error).label(label).help(help);
                self.sources[message.source].report(&error, errors);
            }
            None => errors.push_help(message.at, error, help),
        }
    }
}

/// What a user wrote must not speak as the system.
pub(super) fn system_is_trusted(form: Form, case: &PromptCase<'_>, errors: &mut Errors) {
    for message in messages(case).filter(|message| message.role == Some(Role::System)) {
        let source = &case.sources[message.source];
        walk(&message.body, &mut |piece| {
            let mut seen = Vec::new();
            piece.shown(&mut |place| {
                let Some(field) = case.case.fields.get(place.origin) else {
                    return;
                };
                if field.is_trusted() || seen.contains(&place.span) {
                    return;
                }
                seen.push(place.span);
                let name = &field.name;
                // Of several places in one slot, the one that is meant.
                let span = match piece {
                    Piece::Slot(Slot {
                        value: Value::Place(_),
                        fallback: None,
                        span,
                        ..
                    }) => *span,
                    _ => place.span,
                };
                let error = Error::new(
                    span,
                    format!(
                        "the untrusted {} `{name}` stands in the system message",
                        form.field()
                    ),
                )
                .label("what it holds could instruct the model")
                .help(format!(
                    "move the slot into `user`; or, if `{name}` never holds a user's text, {}",
                    form.mark(name, "trusted")
                ));
                source.report(&error, errors);
            });
        });
    }
}
