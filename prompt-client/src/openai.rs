//! What all answers in OpenAI's protocol have in common: of chats and of texts, whole and in pieces.

use prompt_core::Usage;
use serde_json::Value;

use crate::failure::Failure;
use crate::fault;

/// The first of the answers; servers may give several, in any order.
pub(crate) fn choice(body: &Value) -> Option<&Value> {
    let choices = body.get("choices")?.as_array()?;
    let is_first = |choice: &&Value| choice.get("index").and_then(Value::as_u64) == Some(0);
    choices.iter().find(is_first).or_else(|| choices.first())
}

/// The error that stands in the place of an answer. Gateways send it with a status that says nothing of it.
pub(crate) fn error(body: &Value) -> Option<Failure> {
    let errors = [
        body.get("error"),
        choice(body).and_then(|choice| choice.get("error")),
    ];
    let is_none = |error: &Value| match error {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    };
    if let Some(error) = errors.into_iter().flatten().find(|error| !is_none(error)) {
        return Some(fault::event(error));
    }
    // vLLM's stands alone.
    let is_error = body.get("object").and_then(Value::as_str) == Some("error");
    (is_error && body.get("message").is_some()).then(|| fault::event(body))
}

/// How many tokens it took, where the server counts any.
pub(crate) fn usage(body: &Value) -> Option<Usage> {
    // Groq tells it elsewhere while it streams.
    let told = [body.get("usage"), body.pointer("/x_groq/usage")];
    let told = told.into_iter().flatten().find(|usage| usage.is_object())?;
    let count = |names: [&str; 2]| names.iter().find_map(|name| told.get(name)?.as_u64());
    let input = count(["prompt_tokens", "input_tokens"]);
    let output = count(["completion_tokens", "output_tokens"]);
    (input.is_some() || output.is_some()).then(|| Usage {
        input: input.unwrap_or_default(),
        output: output.unwrap_or_default(),
    })
}

/// Which model answered.
pub(crate) fn model(body: &Value) -> Option<String> {
    body.get("model")?.as_str().map(str::to_owned)
}

/// Why the answer ended; some servers write an empty reason until then.
pub(crate) fn reason(choice: &Value) -> Option<&str> {
    let reason = choice.get("finish_reason")?.as_str()?;
    (!reason.is_empty()).then_some(reason)
}
