//! Functions that parse a model's reply: as text, and with feature `schema` as a value of a type.

mod described;
#[cfg(feature = "schema")]
pub(crate) mod typed;
#[cfg(feature = "schema")]
mod unread;

pub use described::{describe_output, describe_type};
#[cfg(feature = "schema")]
pub use prompt_output::{
    Ending, Issue, ParseError, Parsed, Partial, PartialValue, Repair, RepairKind, Schema,
    SchemaError,
};
#[cfg(feature = "schema")]
pub use typed::{Answer, json_schema, parse_json, parse_strict, parse_value};
#[cfg(feature = "schema")]
pub(crate) use typed::{LONG_NUMBER_HELP, exact_value, read_arguments};

pub use crate::answer_text::AnswerText;
use crate::{Error, ErrorKind, FinishReason, Reply, Result};

/// Returns the reply's text as it is: also the part that was written before the greatest length, the reason of a refusal, and an empty answer.
/// [`Reply::finish`] distinguishes them; a call has it in [`Call::detailed`](crate::Call::detailed).
///
/// # Errors
/// The reply contains tool calls and no text, the provider withheld the answer, or it reached its greatest length before the first word.
///
/// ```
/// use typed_prompt::{Reply, output};
///
/// assert_eq!(output::parse_text(&Reply::new("Nine metres."))?, "Nine metres.");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub fn parse_text(reply: &Reply) -> Result<String> {
    if reply.text.is_empty()
        && let Some(error) = only_calls(reply)
    {
        let help = "call the prompt with `llm.with_own_tools(&prompt)`, which runs the tools, or send it with `Llm::send` and send the results back";
        return Err(error.with_help(help));
    }
    if let Some(error) = withheld_error(reply) {
        return Err(error);
    }
    if reply.finish == Some(FinishReason::Length) && reply.text.trim().is_empty() {
        let message = "the answer reached its greatest length before its first word".to_owned();
        let help = "allow more tokens: `max_tokens` also counts the tokens of the reasoning";
        return Err(output_error(reply, message).with_help(help));
    }
    Ok(reply.text.clone())
}

/// The error for a reply without text that calls a tool.
fn only_calls(reply: &Reply) -> Option<Error> {
    let call = reply.tool_calls.first()?;
    let message = format!(
        "the model calls the tool `{}` and contains no text",
        call.name
    );
    Some(output_error(reply, message))
}

/// The error for an answer that the provider withheld completely.
fn withheld_error(reply: &Reply) -> Option<Error> {
    let is_withheld =
        reply.finish == Some(FinishReason::ContentFilter) && reply.text.trim().is_empty();
    is_withheld.then(|| {
        let message =
            "the provider held the answer back, since it found something in it or in the prompt";
        output_error(reply, message.to_owned())
    })
}

/// An output error with the reply's text and model.
fn output_error(reply: &Reply, message: String) -> Error {
    let error = Error::new(ErrorKind::Output, message).with_answer(reply.text.as_str());
    match &reply.model {
        Some(model) => error.with_model(model.as_str()),
        None => error,
    }
}
