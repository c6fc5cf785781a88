//! A prompt must fit its format.

use prompt_syntax::Role;
use prompt_syntax::analysis::{control_tokens, media};
use prompt_syntax::family::{Family, Order};
use prompt_syntax::problem::{format as problem, value};

use crate::attribute::{Format, Keyed};
use crate::errors::Errors;
use crate::model::{Message, Prompt, PromptCase, Step};
use crate::uses::{answer, last_of_user, messages, system_messages};

/// The format of a prompt must support everything that the prompt contains.
pub(super) fn the_format_can_say_it(
    prompt: &Prompt<'_>,
    case: &PromptCase<'_>,
    errors: &mut Errors,
) {
    if let Some(Keyed {
        value: Format::Family(family),
        ..
    }) = &prompt.input.keys.format
    {
        family_can_say_it(family, case, errors);
    }
}

/// Whether a prompt needs earlier turns, a system message, media, tools, and any order of roles: for a format that only
/// rustc can evaluate.
pub(crate) fn needs(case: &PromptCase<'_>) -> [bool; 5] {
    let all = Family {
        system: true,
        history: true,
        tools: true,
        media: true,
        ..Family::BARE
    };
    let (mut history, mut system, mut media, mut tools, mut order) = (all, all, all, all, all);
    history.history = false;
    system.system = false;
    media.media = false;
    tools.tools = false;
    order.order = Order::Alternate;
    [history, system, media, tools, order].map(|family| {
        let mut errors = Errors::default();
        family_can_say_it(&family, case, &mut errors);
        errors.count() > 0
    })
}

fn family_can_say_it(family: &Family, case: &PromptCase<'_>, errors: &mut Errors) {
    for step in &case.steps {
        match step {
            Step::History { at, field } if !family.history => {
                let field = &case.case.fields[*field];
                let problem = match field.keys.has("examples") {
                    true => problem::examples_of_field(family, &field.name),
                    false => problem::history(family),
                };
                errors.push(*at, problem);
            }
            Step::Examples(examples) if !family.history => {
                errors.push(examples.at, problem::examples(family));
            }
            _ => {}
        }
    }
    if !family.history
        && let Some(message) = messages(case)
            .into_iter()
            .find(|message| is_earlier_turn(case, message))
    {
        case.report_message(message, problem::turns(family), errors);
    }
    if !family.system {
        for message in system_messages(case) {
            case.report_message(message, problem::system(family), errors);
        }
    }
    if family.history && family.order == Order::Alternate {
        user_and_assistant_take_turns(family, case, errors);
    }
    if !family.media {
        for message in messages(case) {
            for (name, span) in media(&message.body) {
                let error = problem::media(family, name).at(span);
                case.sources[message.source].report(&error, errors);
            }
        }
    }
    for field in case
        .case
        .fields
        .iter()
        .filter(|field| field.keys.has("tools") && !family.tools)
    {
        errors.push(field.ident.span(), problem::tools(family));
    }
}

/// In such a family, user and assistant messages alternate and begin with the user.
fn user_and_assistant_take_turns(family: &Family, case: &PromptCase<'_>, errors: &mut Errors) {
    let mut due = Some(Role::User);
    for step in &case.steps {
        let Step::Message(message) = step else {
            // A history is empty, or begins with the user and ends with the assistant.
            due = due.filter(|due| *due == Role::User);
            continue;
        };
        let Some(role) = message.role.filter(|role| *role != Role::System) else {
            continue;
        };
        if let Some(due) = due.filter(|due| *due != role) {
            case.report_message(message, problem::order(family, role, due), errors);
            return;
        }
        due = Some(match role {
            Role::User => Role::Assistant,
            _ => Role::User,
        });
    }
}

/// Whether a message is neither the system message nor the last of the user, nor the answer.
fn is_earlier_turn(case: &PromptCase<'_>, message: &Message) -> bool {
    let last = last_of_user(case);
    match message.role {
        Some(Role::User) => last.is_some_and(|last| !std::ptr::eq(last, message)),
        Some(Role::Assistant) => !answer(case).is_some_and(|answer| std::ptr::eq(answer, message)),
        Some(Role::System) | None => false,
    }
}

/// The template's own text must not contain control tokens of its format.
pub(super) fn text_holds_no_control_token(
    prompt: &Prompt<'_>,
    case: &PromptCase<'_>,
    errors: &mut Errors,
) {
    let Some(Keyed {
        value: Format::Family(family),
        ..
    }) = &prompt.input.keys.format
    else {
        return;
    };
    for message in messages(case) {
        let source = &case.sources[message.source];
        for error in control_tokens(family, &source.value, &message.body) {
            source.report(&error, errors);
        }
    }
}

/// Only messages of the user or the assistant contain media.
pub(super) fn media_stand_in_messages_of_the_user(case: &PromptCase<'_>, errors: &mut Errors) {
    for message in messages(case) {
        let problem = match message.role {
            Some(Role::System) => value::media_in_system,
            None => value::media_in_fragment,
            Some(Role::User | Role::Assistant) => continue,
        };
        for (name, span) in media(&message.body) {
            let error = problem(name).at(span);
            case.sources[message.source].report(&error, errors);
        }
    }
}
