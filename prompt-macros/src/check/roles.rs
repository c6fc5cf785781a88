//! The order of messages, the answer, and the fields in the system message.

use prompt_syntax::analysis::{exposed_answer, role_order, untrusted};
use prompt_syntax::problem::Problem;
use prompt_syntax::problem::field::Form;

use crate::errors::Errors;
use crate::model::{Message, Prompt, PromptCase, Step};
use crate::uses::{answer, messages, system_messages};

/// One system message, at the front; a prompt that a model answers ends before the answer.
pub(super) fn roles_are_in_order(prompt: &Prompt<'_>, case: &PromptCase<'_>, errors: &mut Errors) {
    let role = |step: &Step| match step {
        Step::Message(message) => message.role,
        _ => None,
    };
    let roles: Vec<_> = case.steps.iter().map(role).collect();
    let asks = prompt.output().is_some() && answer(case).is_none();
    for (index, problem) in role_order(&roles, asks) {
        if let Step::Message(message) = &case.steps[index] {
            case.report_message(message, problem, errors);
        }
    }
}

/// The answer is used in the assistant's message at the end, and in no message that the model reads.
pub(super) fn the_answer_is_at_the_end(case: &PromptCase<'_>, errors: &mut Errors) {
    if case.fragment {
        return;
    }
    let answer = answer(case);
    for message in messages(case) {
        if answer.is_some_and(|answer| std::ptr::eq(answer, message)) {
            continue;
        }
        for error in exposed_answer(&case.fields, message.role, &message.body) {
            case.sources[message.source].report(&error, errors);
        }
    }
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

/// Text of users must not be used in the system message.
pub(super) fn system_is_trusted(form: Form, case: &PromptCase<'_>, errors: &mut Errors) {
    for message in system_messages(case) {
        for error in untrusted(form, &case.fields, &message.body) {
            case.sources[message.source].report(&error, errors);
        }
    }
}
