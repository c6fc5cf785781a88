use prompt_core::{Error, ErrorKind, Finish, Llm, Prompt, Reply, Request, Result, Text};

use crate::{structured, trace};

/// Asks a prompt, and asks again with what is wrong when the answer does not fit: `times` times at most.
///
/// All is said in the last user message: formats without a history have no turn for the model's own answer.
pub(crate) async fn call<P: Prompt>(
    llm: &impl Llm,
    request: Request,
    times: u32,
) -> Result<P::Output> {
    let mut reply = llm.send(&request).await?;
    for time in 1..=times {
        // An answer that calls tools, or that reached its greatest length, would only come again.
        let hopeless = !reply.tool_calls.is_empty() || reply.finish == Some(Finish::Length);
        let error = match P::read(&reply) {
            Err(error) if error.kind() == ErrorKind::Output && !hopeless => error,
            read => return read,
        };
        trace::reask(&request, time);
        reply = llm.send(&again(&request, &reply, &error)).await?;
    }
    P::read(&reply)
}

fn again(request: &Request, reply: &Reply, error: &Error) -> Request {
    let mut text = Text::template("\n\nYour last answer was:\n");
    text.push_data(None, &reply.text);
    text.push_template("\n\nIt cannot be used: ");
    text.push_data(None, error.message());
    text.push_template(".\nAnswer again, with JSON only, and mend that.");
    let mut request = request.clone();
    request.messages = structured::append(&request.messages, text);
    request
}
