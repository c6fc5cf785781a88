//! Ollama's own protocol.

use prompt_core::ReasoningEffort;
use prompt_core::openai::RequestOptions;
use prompt_core::openai::answer::{calls, log_probs, model};
use prompt_core::{FinishReason, MediaSource, Message, Part, Role, Usage};
use serde_json::{Map, Value, json};

use super::Protocol;
use crate::answer::{AnswerReader, PartialCall, ReceivedAnswer};
use crate::chat::draft::RequestDraft;
use crate::error::CallError;
use crate::json_body::{
    count_at, message_text, parse_arguments, set_field, set_list, set_options, string_at, to_json,
};
use crate::schema::close_objects;
use crate::sse::Framing;

/// Ollama's chat API.
#[derive(Debug)]
pub(in crate::chat) struct OllamaChat;

impl Protocol for OllamaChat {
    fn name(&self) -> &'static str {
        "Ollama"
    }

    fn path(&self, _: &str, _: bool) -> String {
        "api/chat".to_owned()
    }

    fn framing(&self) -> Framing {
        Framing::Lines
    }

    fn request_body(&self, draft: &RequestDraft<'_>) -> Result<Map<String, Value>, CallError> {
        write_body(draft)
    }

    fn answer_reader(&self, _: &str) -> Box<dyn AnswerReader> {
        Box::<OllamaReader>::default()
    }
}

fn write_body(draft: &RequestDraft<'_>) -> Result<Map<String, Value>, CallError> {
    let mut options = Map::new();
    let given = RequestOptions {
        options: draft.options,
        max_tokens: "num_predict",
        seed: draft.seed_field,
        is_chat: false,
    };
    set_options(&mut options, given);
    let mut body = Map::new();
    set_field(&mut body, "model", draft.model);
    set_field(&mut body, "stream", draft.stream);
    if !options.is_empty() {
        set_field(&mut body, "options", options);
    }
    match draft.options.reasoning_effort {
        Some(ReasoningEffort::None) => set_field(&mut body, "think", false),
        effort => set_field(&mut body, "think", effort.map(ReasoningEffort::name)),
    }
    if let Some(alternatives) = draft.options.log_probs {
        set_field(&mut body, "logprobs", true);
        set_field(
            &mut body,
            "top_logprobs",
            (alternatives > 0).then_some(alternatives),
        );
    }
    if let Some((_, schema)) = &draft.schema {
        set_field(&mut body, "format", close_objects(schema));
    }
    let tools = draft.messages.tools().iter().map(to_json);
    let tools = tools.collect::<Result<Vec<_>, _>>()?;
    set_list(&mut body, "tools", &tools);
    let messages = draft.messages.iter().enumerate();
    let messages = messages.map(|(index, message)| write_message(index, message));
    set_field(
        &mut body,
        "messages",
        messages.collect::<Result<Vec<_>, _>>()?,
    );
    Ok(body)
}

fn write_message(index: usize, message: &Message) -> Result<Map<String, Value>, CallError> {
    let mut written = Map::new();
    set_field(&mut written, "role", message.role.name());
    let text = message_text(message);
    if !text.is_empty() || message.tool_calls.is_empty() {
        set_field(&mut written, "content", text);
    }
    set_field(
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
        let arguments = parse_arguments(index, call)?;
        Ok(json!({"id": call.id, "function": {"name": call.name, "arguments": arguments}}))
    });
    let calls = calls.collect::<Result<Vec<_>, CallError>>()?;
    set_list(&mut written, "tool_calls", &calls);
    if message.role == Role::Tool {
        set_field(&mut written, "tool_name", &message.name);
        set_field(&mut written, "tool_call_id", &message.tool_call_id);
    }
    Ok(written)
}

/// Reads responses. A line of a stream is a response with a part of the answer.
#[derive(Default)]
struct OllamaReader;

impl AnswerReader for OllamaReader {
    fn read_body(&mut self, body: &Value, answer: &mut ReceivedAnswer) -> Result<(), CallError> {
        let (input, output) = (
            count_at(body, "/prompt_eval_count"),
            count_at(body, "/eval_count"),
        );
        if input.is_some() || output.is_some() {
            let mut usage = Usage::new(input.unwrap_or_default(), output.unwrap_or_default());
            usage.cached_input = count_at(body, "/prompt_eval_cached_count").unwrap_or_default();
            answer.usage = Some(usage);
        }
        CallError::check_body(body)?;
        answer.model = model(body).or(answer.model.take());
        answer.push_log_probs(log_probs(&body["logprobs"]));
        if let Some(message) = body.get("message").filter(|message| message.is_object()) {
            answer.push_reasoning(string_at(message, "/thinking").unwrap_or_default());
            answer.push_text(string_at(message, "/content").unwrap_or_default());
            for piece in calls(message) {
                answer.push_call(PartialCall {
                    call: piece.call,
                    ..PartialCall::default()
                });
            }
        }
        if let Some(reason) = string_at(body, "/done_reason") {
            answer.set_finish_reason(FinishReason::from_name(reason));
        }
        answer.is_complete = body.get("done") == Some(&Value::Bool(true)) && answer.has_message;
        Ok(())
    }
}
