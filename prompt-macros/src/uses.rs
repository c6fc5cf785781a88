//! The fields that a template uses in its slots, conditions and loops.

use prompt_syntax::Role;

use crate::model::{Message, Place, PromptCase, Step, walk};

/// The fields that a template uses.
pub(crate) fn used(case: &PromptCase<'_>) -> Vec<usize> {
    let mut used = Vec::new();
    each_place(case, &mut |place, _| used.push(place.origin));
    used
}

/// The fields that a message uses.
pub(crate) fn used_in(case: &PromptCase<'_>, message: &Message) -> Vec<usize> {
    let mut used = Vec::new();
    each_place(case, &mut |place, other| {
        if std::ptr::eq(message, other) {
            used.push(place.origin);
        }
    });
    used
}

/// The message with the answer: the assistant's, at the end. The answer in another message is an error.
pub(crate) fn answer<'a>(case: &'a PromptCase<'_>) -> Option<&'a Message> {
    let Some(Step::Message(last)) = case.steps.last() else {
        return None;
    };
    let holds = |index: &usize| is_answer(case, *index);
    (last.role == Some(Role::Assistant) && used_in(case, last).iter().any(holds)).then_some(last)
}

/// Whether the index is that of the answer; an item of a loop may come from no field.
pub(crate) fn is_answer(case: &PromptCase<'_>, field: usize) -> bool {
    let field = case.case.fields.get(field);
    field.is_some_and(|field| field.keys.has("answer"))
}

/// The fields whose text is used in the system message.
pub(crate) fn used_in_system(case: &PromptCase<'_>) -> Vec<usize> {
    let mut used = Vec::new();
    for message in system_messages(case) {
        walk(&message.body, &mut |piece| {
            piece.shown(&mut |place| used.push(place.origin));
        });
    }
    used
}

/// The first slot of the system message that writes a field.
pub(crate) fn first_in_system<'a>(
    case: &'a PromptCase<'_>,
    field: usize,
) -> Option<(&'a Message, &'a Place)> {
    let mut first = None;
    for message in system_messages(case) {
        walk(&message.body, &mut |piece| {
            piece.shown(&mut |place| {
                if place.origin == field && first.is_none() {
                    first = Some((message, place));
                }
            });
        });
    }
    first
}

/// Calls `see` for each place of a template, with its message.
pub(crate) fn each_place<'a>(
    case: &'a PromptCase<'_>,
    see: &mut impl FnMut(&'a Place, &'a Message),
) {
    for message in messages(case) {
        walk(&message.body, &mut |piece| {
            piece.places(&mut |place| see(place, message));
        });
    }
}

/// The messages of a template, in order.
pub(crate) fn messages<'a>(case: &'a PromptCase<'_>) -> Vec<&'a Message> {
    let mut messages = Vec::with_capacity(case.steps.len());
    for step in &case.steps {
        if let Step::Message(message) = step {
            messages.push(message);
        }
    }
    messages
}

/// The system messages; a template without errors has at most one.
pub(crate) fn system_messages<'a>(case: &'a PromptCase<'_>) -> Vec<&'a Message> {
    let mut messages = messages(case);
    messages.retain(|message| message.role == Some(Role::System));
    messages
}

/// The last message of the user.
pub(crate) fn last_of_user<'a>(case: &'a PromptCase<'_>) -> Option<&'a Message> {
    let mut messages = messages(case).into_iter();
    messages.rfind(|message| message.role == Some(Role::User))
}
