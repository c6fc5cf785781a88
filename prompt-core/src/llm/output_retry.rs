//! Retries of a call after a reply that does not match the output type: the error is added to the last user message.

use crate::{
    Error, ErrorKind, FinishReason, Llm, Message, Part, Prompt, Reply, Request, Result, Role, Text,
};

/// Sends a request, and retries it at most `times` times with the error if the answer does not fit the output type.
///
/// The last user message contains the answer and the error, because formats without a history cannot express the model's own answer.
pub(super) async fn call_with_retries<P: Prompt>(
    llm: &impl Llm,
    request: &Request,
    times: u32,
) -> Result<P::Output> {
    let mut reply = llm.send(request).await?;
    for _ in 0..times {
        // The model would repeat an answer that calls tools or that reached the length limit.
        let cannot_help =
            !reply.tool_calls.is_empty() || reply.finish == Some(FinishReason::Length);
        let error = match P::parse_reply(&reply) {
            Err(error) if error.kind() == ErrorKind::Output && !cannot_help => error,
            read => return read,
        };
        reply = match llm.send(&retry_request(request, &reply, &error)).await {
            // The mock or recording has no further answer: the first error is more helpful.
            Err(ended) if ended.kind() == ErrorKind::MockExhausted => return Err(error),
            sent => sent?,
        };
    }
    P::parse_reply(&reply)
}

/// The request with the rejected answer and its error added.
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
    text.push_template(".\nAnswer again and correct this.");
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
