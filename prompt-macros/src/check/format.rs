//! What stands in a prompt must fit its format and its messages.

use prompt_syntax::family::{Family, Order};
use prompt_syntax::{Error, Role, Span};

use crate::errors::Errors;
use crate::model::{Message, Piece, Prompt, PromptCase, Step, walk};
use crate::uses::{answer, messages};

/// A format that was chosen must have a place for what the prompt holds.
pub(super) fn the_format_can_say_it(
    prompt: &Prompt<'_>,
    case: &PromptCase<'_>,
    errors: &mut Errors,
) {
    let Some(format) = &prompt.input.keys.format else {
        return;
    };
    let family = format.value;
    for step in &case.steps {
        match step {
            Step::History { at, field } if !family.history => {
                let (what, help) = if case.case.fields[*field].keys.has("shots") {
                    let name = &case.case.fields[*field].name;
                    let help = format!(
                        "put the slot `{name}` into the `user` text and make the examples with `Shots::texts`, or choose a format of a chat model: `format = chatml`"
                    );
                    ("examples between the turns", help)
                } else {
                    let help = "take the history away, or choose a format of a chat model: `format = chatml`";
                    ("earlier turns", help.to_owned())
                };
                let message = format!("{} has no place for {what}", family.title);
                errors.push_help(*at, message, help);
            }
            Step::Shots(shots) if !family.history => {
                let message = format!(
                    "{} has no place for examples between the turns",
                    family.title
                );
                let help = "write the examples into the `user` text, or choose a format of a chat model: `format = chatml`";
                errors.push_help(shots.at, message, help);
            }
            _ => {}
        }
    }
    if !family.history
        && let Some(message) = messages(case).find(|message| is_earlier_turn(case, message))
    {
        let error = format!("{} has no place for earlier turns", family.title);
        let help = "write these turns into the last `user` text, or choose a format of a chat model: `format = chatml`";
        case.report_message(message, &error, "a turn before the last one", help, errors);
    }
    if !family.system {
        for message in messages(case).filter(|message| message.role == Some(Role::System)) {
            let error = format!("{} has no place for instructions", family.title);
            let help = "write them into the `user` text, or choose a format that has one: `format = chatml`";
            case.report_message(message, &error, "the system message", help, errors);
        }
    }
    if family.history && family.order == Order::Alternate {
        user_and_assistant_take_turns(family, case, errors);
    }
    if !family.media {
        for message in messages(case) {
            each_media(message, &mut |name, span| {
                let error = Error::new(span, format!("{} has no place for `{name}`", family.title))
                    .label("an image, sound, film or file")
                    .help("take the slot away, or leave `format` out and use a chat API");
                case.sources[message.source].report(&error, errors);
            });
        }
    }
    for field in case
        .case
        .fields
        .iter()
        .filter(|field| field.keys.has("tools") && !family.tools)
    {
        let message = format!("{} has no place for tools", family.title);
        errors.push_help(
            field.ident.span(),
            message,
            "take the field away, or leave `format` out and use a chat API",
        );
    }
}

/// In a family of this order the user speaks first, and no one speaks twice in a row.
fn user_and_assistant_take_turns(family: &Family, case: &PromptCase<'_>, errors: &mut Errors) {
    let mut due = Some(Role::User);
    for step in &case.steps {
        let Step::Message(message) = step else {
            // A history may be empty, or begins with the user and ends with the assistant.
            due = due.filter(|due| *due == Role::User);
            continue;
        };
        let Some(role) = message.role.filter(|role| *role != Role::System) else {
            continue;
        };
        if let Some(due) = due.filter(|due| *due != role) {
            let error = format!(
                "in {} user and assistant take turns, the user first",
                family.title
            );
            let label = format!("the {} is due", due.name());
            let help = match role {
                Role::User => {
                    "make one text of what the user says, or choose a format that takes any order: `format = chatml`"
                }
                _ => {
                    "put a `user` text before it, or choose a format that takes any order: `format = chatml`"
                }
            };
            case.report_message(message, &error, &label, help, errors);
            return;
        }
        due = Some(match role {
            Role::User => Role::Assistant,
            _ => Role::User,
        });
    }
}

/// Whether a message is neither the system's nor the one that is answered.
fn is_earlier_turn(case: &PromptCase<'_>, message: &Message) -> bool {
    let last = messages(case)
        .filter(|other| other.role == Some(Role::User))
        .last();
    match message.role {
        Some(Role::User) => last.is_some_and(|last| !std::ptr::eq(last, message)),
        Some(Role::Assistant) => !answer(case).is_some_and(|answer| std::ptr::eq(answer, message)),
        Some(Role::System) | None => false,
    }
}

/// The template's own words must not be structure of the format that they are written for.
pub(super) fn text_holds_no_control_token(
    prompt: &Prompt<'_>,
    case: &PromptCase<'_>,
    errors: &mut Errors,
) {
    let Some(format) = &prompt.input.keys.format else {
        return;
    };
    for message in messages(case) {
        let source = &case.sources[message.source];
        walk(&message.body, &mut |piece| {
            let Piece::Text { text, span } = piece else {
                return;
            };
            for token in format
                .value
                .tokens
                .iter()
                .filter(|token| text.contains(**token))
            {
                let written = span.of(&source.value);
                let at = written.find(token).map_or(*span, |at| {
                    Span::new(span.start + at, span.start + at + token.len())
                });
                let error = Error::new(
                    at,
                    format!(
                        "`{token}` is structure in the format {}",
                        format.value.title
                    ),
                )
                .label("a control token")
                .help("remove it: the format writes it where it belongs");
                source.report(&error, errors);
            }
        });
    }
}

/// Only a user's or an assistant's message holds more than text.
pub(super) fn media_stand_in_messages_of_the_user(case: &PromptCase<'_>, errors: &mut Errors) {
    for message in messages(case) {
        let (what, help) = match message.role {
            Some(Role::System) => ("the system message is text", "move the slot into `user`"),
            None => (
                "a fragment is text",
                "move the field to the prompt that holds the fragment",
            ),
            Some(Role::User | Role::Assistant) => continue,
        };
        each_media(message, &mut |name, span| {
            let error = Error::new(span, format!("{what}, and `{name}` is none"))
                .label("an image, sound, film or file")
                .help(help);
            case.sources[message.source].report(&error, errors);
        });
    }
}

fn each_media<'a>(message: &'a Message, see: &mut impl FnMut(&'a str, Span)) {
    walk(&message.body, &mut |piece| {
        if let Piece::Media { place, span, .. } = piece {
            see(&place.name, *span);
        }
    });
}
