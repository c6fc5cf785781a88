//! Ollama's own protocol.

use prompt_core::ReasoningEffort;
use prompt_core::openai::RequestOptions;
use prompt_core::openai::answer::{calls, log_probs, model};
use prompt_core::{FinishReason, MediaSource, Message, Part, Role, Usage};
use serde_json::{Map, Value, json};

use super::{arguments, count, set, set_list, set_options, string, text, to_json};
use crate::answer::{AnswerReader, PartialCall, ReceivedAnswer};
use crate::chat::request::RequestDraft;
use crate::error::CallError;
use crate::schema::closed;

pub(in crate::chat) fn body(draft: &RequestDraft<'_>) -> Result<Map<String, Value>, CallError> {
    let mut options = Map::new();
    let given = RequestOptions {
        options: draft.options,
        max_tokens: "num_predict",
        seed: draft.provider.seed,
        is_chat: false,
    };
    set_options(&mut options, given);
    let mut body = Map::new();
    set(&mut body, "model", draft.model);
    set(&mut body, "stream", draft.stream);
    if !options.is_empty() {
        set(&mut body, "options", options);
    }
    match draft.options.reasoning_effort {
        Some(ReasoningEffort::None) => set(&mut body, "think", false),
        effort => set(&mut body, "think", effort.map(ReasoningEffort::name)),
    }
    if let Some(alternatives) = draft.options.log_probs {
        set(&mut body, "logprobs", true);
        set(
            &mut body,
            "top_logprobs",
            (alternatives > 0).then_some(alternatives),
        );
    }
    if let Some((_, schema)) = &draft.schema {
        set(&mut body, "format", closed(schema));
    }
    let tools = draft.messages.tools().iter().map(to_json);
    let tools = tools.collect::<Result<Vec<_>, _>>()?;
    set_list(&mut body, "tools", &tools);
    let messages = draft.messages.iter().enumerate();
    let messages = messages.map(|(index, message)| write(index, message));
    set(
        &mut body,
        "messages",
        messages.collect::<Result<Vec<_>, _>>()?,
    );
    Ok(body)
}

fn write(index: usize, message: &Message) -> Result<Map<String, Value>, CallError> {
    let mut written = Map::new();
    set(&mut written, "role", message.role.name());
    let text = text(message);
    if !text.is_empty() || message.tool_calls.is_empty() {
        set(&mut written, "content", text);
    }
    set(
        &mut written,
        "thinking",
        message.reasoning.as_ref().map(prompt_core::Text::as_str),
    );
    let images = message.parts.iter().filter_map(|part| match part {
        Part::Media(media) => match media.source() {
            MediaSource::Base64 { data, .. } => Some(&**data),
            _ => None,
        },
        _ => None,
    });
    let images: Vec<&str> = images.collect();
    set_list(&mut written, "images", &images);
    let calls = message.tool_calls.iter().map(|call| {
        let arguments = arguments(index, call)?;
        Ok(json!({"id": call.id, "function": {"name": call.name, "arguments": arguments}}))
    });
    let calls = calls.collect::<Result<Vec<_>, CallError>>()?;
    set_list(&mut written, "tool_calls", &calls);
    if message.role == Role::Tool {
        set(&mut written, "tool_name", &message.name);
        set(&mut written, "tool_call_id", &message.tool_call_id);
    }
    Ok(written)
}

/// Reads responses. A line of a stream is a response with a part of the answer.
#[derive(Default)]
pub(in crate::chat) struct OllamaReader;

impl AnswerReader for OllamaReader {
    fn read(&mut self, body: &Value, answer: &mut ReceivedAnswer) -> Result<(), CallError> {
        CallError::check(body)?;
        answer.model = model(body).or(answer.model.take());
        answer.log_probs(log_probs(&body["logprobs"]));
        if let Some(message) = body.get("message").filter(|message| message.is_object()) {
            answer.reasoning(string(message, "/thinking").unwrap_or_default());
            answer.text(string(message, "/content").unwrap_or_default());
            for piece in calls(message) {
                answer.call(PartialCall {
                    call: piece.call,
                    ..PartialCall::default()
                });
            }
        }
        let (input, output) = (
            count(body, "/prompt_eval_count"),
            count(body, "/eval_count"),
        );
        if input.is_some() || output.is_some() {
            let mut usage = Usage::new(input.unwrap_or_default(), output.unwrap_or_default());
            usage.cached_input = count(body, "/prompt_eval_cached_count").unwrap_or_default();
            answer.usage = Some(usage);
        }
        if let Some(reason) = string(body, "/done_reason") {
            answer.finish(FinishReason::from_name(reason));
        }
        answer.is_complete = body.get("done") == Some(&Value::Bool(true)) && answer.has_message;
        Ok(())
    }
}
