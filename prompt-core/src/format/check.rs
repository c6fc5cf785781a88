//! What a family cannot say is an error that names it, the message and what to do.

use crate::format::{Family, Wrapping};
use crate::{Error, ErrorKind, Message, Messages, Result, Role};

/// An error for what a family cannot say. `message` is its index and itself, `what` follows "message 2 (user)".
pub(crate) fn unsupported(
    family: &Family,
    message: (usize, &Message),
    what: &str,
    help: &str,
) -> Error {
    let (index, message) = message;
    let text = format!(
        "message {index} ({}) {what}, which {} cannot say",
        message.role, family.title
    );
    Error::new(ErrorKind::Unsupported, text)
        .with_help(help)
        .at_message(index, message.role)
}

/// Refuses what the facts about the family refuse, a label or an answer where none can stand, and nothing at all.
pub(crate) fn check(family: &Family, messages: &Messages, wrapping: &Wrapping) -> Result<()> {
    if messages.is_empty() {
        let text = format!("there is no message for {}", family.title);
        return Err(Error::new(ErrorKind::Unsupported, text).with_help("add a user message"));
    }
    check_facts(family, messages)?;
    check_end(messages, wrapping)
}

/// Refuses what the facts about the family refuse.
pub(crate) fn check_facts(family: &Family, messages: &Messages) -> Result<()> {
    if let Some(tool) = messages.tools().first().filter(|_| !family.tools) {
        let text = format!(
            "the tool `{}` is offered, which {} cannot say",
            tool.name(),
            family.title
        );
        let help = "use a chat API, which takes tools beside the messages, or a layout with tools";
        return Err(Error::new(ErrorKind::Unsupported, text).with_help(help));
    }
    for (index, message) in messages.iter().enumerate() {
        if !message.is_text() && !family.media {
            let what = "holds an image, sound, film or file";
            return Err(unsupported(
                family,
                (index, message),
                what,
                "use a chat API",
            ));
        }
        if !message.tool_calls.is_empty() && !family.tools {
            return Err(unsupported(
                family,
                (index, message),
                "calls tools",
                "use a chat API, or leave the calls out",
            ));
        }
        if message.name.is_some() && message.role != Role::Tool {
            return Err(unsupported(
                family,
                (index, message),
                "has a speaker's name",
                "put the name into the text",
            ));
        }
        if message.role == Role::System && !family.system {
            let help = "put the instructions into the user message";
            return Err(unsupported(
                family,
                (index, message),
                "holds instructions",
                help,
            ));
        }
        if matches!(message.role, Role::Assistant | Role::Tool) && !family.history {
            let help = "use a chat format such as `chatml`, or send one question without history";
            return Err(unsupported(
                family,
                (index, message),
                "is part of a conversation",
                help,
            ));
        }
    }
    Ok(())
}

/// Refuses a second answer after the assistant's.
fn check_end(messages: &Messages, wrapping: &Wrapping) -> Result<()> {
    let Some(last) = messages.last().filter(|last| last.role == Role::Assistant) else {
        return Ok(());
    };
    let index = messages.len() - 1;
    if wrapping.label.is_some() {
        let text = format!("message {index} is the assistant's already, so no label can follow");
        let help = "leave the label out, or end with the user's message";
        return Err(Error::new(ErrorKind::Label, text)
            .with_help(help)
            .at_message(index, last.role));
    }
    if wrapping.generation_prompt {
        let text = format!("message {index} is the assistant's, so there is nothing to answer");
        let help = "end with a user message, or turn `.generation_prompt(false)`";
        return Err(Error::new(ErrorKind::Unsupported, text)
            .with_help(help)
            .at_message(index, last.role));
    }
    Ok(())
}
