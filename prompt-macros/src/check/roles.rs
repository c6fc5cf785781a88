//! Who says what: the order of messages, and what may stand in the system message.

use prompt_syntax::Role;
use prompt_syntax::analysis::untrusted;
use prompt_syntax::problem::answer::in_the_question;
use prompt_syntax::problem::field::Form;
use prompt_syntax::problem::{Problem, role as problem};

use crate::errors::Errors;
use crate::model::{Message, Prompt, PromptCase, Step};
use crate::uses::{answer, each_place, is_answer, system_messages};

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
            case.report_message(message, problem::two_systems(), errors);
        } else if turns {
            case.report_message(message, problem::late_system(), errors);
        }
        system = true;
    }
    if let Some(Step::Message(last)) = case.steps.last()
        && last.role == Some(Role::Assistant)
        && prompt.output().is_some()
        && answer(case).is_none()
    {
        case.report_message(last, problem::nothing_to_answer(), errors);
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
        let error = in_the_question(&place.name, message.role).at(place.span);
        case.sources[message.source].report(&error, errors);
    });
}

impl PromptCase<'_> {
    /// Reports an error of a whole message: at its tag in the template, or at its key.
    pub(super) fn report_message(&self, message: &Message, problem: Problem, errors: &mut Errors) {
        match message.tag {
            Some(tag) => {
                self.sources[message.source].report(&problem.at(tag), errors);
            }
            None => errors.push(message.at, problem),
        }
    }
}

/// What a user wrote must not speak as the system.
pub(super) fn system_is_trusted(form: Form, case: &PromptCase<'_>, errors: &mut Errors) {
    for message in system_messages(case) {
        for error in untrusted(form, &case.fields, &message.body) {
            case.sources[message.source].report(&error, errors);
        }
    }
}
