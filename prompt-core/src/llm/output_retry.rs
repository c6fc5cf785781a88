//! The request of a retry after a reply that does not match the output type.

use crate::{Error, Message, Part, Reply, Request, Role, Text};

/// The request with the rejected answer and its error added. They are in the last user message, because formats without a history cannot express
/// the model's own answer.
pub(crate) fn retry_request(request: &Request, reply: &Reply, error: &Error) -> Request {
    let mut request = request.clone();
    let after_tools = request.messages.last().map(|message| message.role) == Some(Role::Tool);
    let mut text = Text::new();
    if after_tools {
        // Such a conversation has turns of its own for both.
        request
            .messages
            .push(Message::assistant(reply.text.as_str()));
        text.push_template("Your answer");
    } else {
        text.push_template("\n\nYour last answer was:\n");
        text.push_data(None, &reply.text);
        text.push_template("\n\nIt");
    }
    text.push_template(" cannot be used: ");
    text.push_data(None, error.message());
    text.push_template(".\nAnswer again and correct this");
    if let Some(help) = error.help() {
        text.push_template(": ");
        text.push_data(None, help);
    }
    text.push_template(".");
    if after_tools {
        request.messages.push(Message::user(text));
        return request;
    }
    let mut users = request.messages.iter_mut().rev();
    match users.find(|message| message.role == Role::User) {
        Some(message) => match message.parts.last_mut() {
            Some(Part::Text(last)) => last.push(&text),
            _ => message.parts.push(Part::Text(text)),
        },
        None => request.messages.push(Message::user(text)),
    }
    request
}
