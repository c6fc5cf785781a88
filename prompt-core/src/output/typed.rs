//! Reading a reply by the schema of a type.

use serde_json::Value;

use super::{Ending, Refusal, Schema, failure, held_back, marked, problems};
use crate::{Error, Finish, Reply, Result};

/// What [`read_json`](super::read_json) does for every type alike.
pub(super) fn read(reply: &Reply, schema: &Value) -> Result<Value> {
    if reply.text.trim().is_empty()
        && let Some(call) = reply.tool_calls.first()
    {
        let message = format!("the model calls the tool `{}` and says nothing", call.name);
        return Err(failure(reply, message));
    }
    if let Some(error) = held_back(reply) {
        return Err(error);
    }
    let schema = Schema::new(schema)
        .map_err(|error| failure(reply, format!("the output type has no schema: {error}")))?;
    if let Some(text) = schema.json_string(&reply.text) {
        return Ok(Value::String(text));
    }
    let parsed = schema
        .parse(&reply.text)
        .map_err(|refusal| unfit(reply, &refusal))?;
    let cut = match parsed.ending {
        Ending::Whole => false,
        Ending::Unclosed => reply.finish == Some(Finish::Length),
        Ending::Cut => true,
    };
    if cut {
        let end = reply.text.trim_end().len();
        let error = failure(reply, "the answer breaks off".to_owned());
        return Err(cut_off(reply, error).drawn(&reply.text, end..end, "the text ends here"));
    }
    Ok(parsed.value)
}

/// A refusal as this crate's error: all problems in the message, since the model may be told, the first one drawn.
fn unfit(reply: &Reply, refusal: &Refusal) -> Error {
    if reply.text.trim().is_empty() {
        return failure(reply, "the answer is empty".to_owned());
    }
    let message = format!("the answer does not fit, {}", problems(refusal));
    cut_off(reply, marked(failure(reply, message), &reply.text, refusal))
}

/// Says what an answer lacks that was cut off at its greatest length.
fn cut_off(reply: &Reply, error: Error) -> Error {
    match reply.finish {
        Some(Finish::Length) => {
            error.with_help("allow more tokens: the answer was cut off at its greatest length")
        }
        Some(Finish::Filter) => {
            error.with_help("the model refused, or the provider held a part of the answer back")
        }
        _ => error,
    }
}
