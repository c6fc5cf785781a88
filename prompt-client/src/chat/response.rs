//! Replies and errors of chat models.
//!
//! Responses in OpenAI's protocol are parsed here instead of by genai, which trims texts, rewrites the arguments of calls,
//! and ignores refusals, errors and calls in other notations than OpenAI's own.

use genai::ModelIden;
use genai::adapter::AdapterKind;
use genai::chat::{ChatResponse, ContentPart, MessageContent, StopReason};
use genai::webc::{self, StreamTimeout};
use prompt_core::openai::answer::{self, Said, choice, message, reason};
use prompt_core::{FinishReason, Reply, ToolCall, Usage};
use serde_json::Value;

use super::reasoning::{ReasoningCache, arguments, call_id};
use crate::error::{CallError, CallErrorKind, excerpt};

/// The reply in a response that genai parsed.
pub(super) fn parse(response: ChatResponse, cache: &ReasoningCache) -> Result<Reply, CallError> {
    let text: String = response.content.texts().concat();
    let reasoning = response.reasoning_content.filter(|text| !text.is_empty());
    cache.insert(&response.content, reasoning.as_deref());
    let mut reply =
        Reply::new(text).with_model(response.provider_model_iden.model_name.to_string());
    reply.reasoning = reasoning;
    reply.usage = usage(&response.usage);
    reply.finish = response.stop_reason.map(finish);
    reply.tool_calls = tool_calls(response.content);
    // genai accepts any JSON, so an empty reply may be another kind of JSON.
    if reply.text.is_empty()
        && reply.reasoning.is_none()
        && reply.tool_calls.is_empty()
        && reply.finish.is_none()
        && reply.usage.is_none()
    {
        return Err(CallError::protocol("the server's answer has no message"));
    }
    Ok(reply)
}

pub(super) fn tool_calls(content: MessageContent) -> Vec<ToolCall> {
    let calls = content.into_tool_calls().into_iter();
    calls
        .map(|call| {
            let arguments = match call.fn_arguments {
                // Arguments that are not valid JSON.
                Value::String(text) => text,
                arguments => arguments.to_string(),
            };
            ToolCall::new(call.call_id, call.fn_name, arguments)
        })
        .collect()
}

/// The token counts, or `None` if the provider reports none.
pub(super) fn usage(usage: &genai::chat::Usage) -> Option<Usage> {
    let count = |tokens: Option<i32>| tokens.and_then(|tokens| u64::try_from(tokens).ok());
    match (count(usage.prompt_tokens), count(usage.completion_tokens)) {
        (None, None) => None,
        (input, output) => Some(Usage {
            input: input.unwrap_or_default(),
            output: output.unwrap_or_default(),
        }),
    }
}

pub(super) fn finish(reason: StopReason) -> FinishReason {
    match reason {
        StopReason::Completed(_) | StopReason::StopSequence(_) => FinishReason::Stop,
        StopReason::MaxTokens(_) => FinishReason::Length,
        StopReason::ToolCall(_) => FinishReason::ToolCalls,
        StopReason::ContentFilter(_) => FinishReason::ContentFilter,
        StopReason::Other(reason) => FinishReason::Other(reason),
    }
}

/// The reply in a response of OpenAI's protocol.
pub(super) fn parse_openai(
    body: &Value,
    requested: &ModelIden,
    cache: &ReasoningCache,
) -> Result<Reply, CallError> {
    if let Some(error) = answer::error(body) {
        let error = CallError::from_error_object(error);
        let content = message(body).and_then(Said::of).unwrap_or_default();
        return Err(match content.text.is_empty() {
            true => error,
            false => error.with_answer(content.text),
        });
    }
    let mut reply = Reply::from_openai(body)
        .map_err(|error| CallError::unexpected_body(error.message(), &body.to_string()))?;
    let refused = reply.finish == Some(FinishReason::ContentFilter);
    reply.finish = openai_finish(choice(body).and_then(reason), refused);
    let kind = requested.adapter_kind;
    reply.usage = reply.usage.map(|usage| openai_usage(usage, body, kind));
    reply.model = reply
        .model
        .or_else(|| Some(requested.model_name.to_string()));
    let details = message(body).and_then(|message| message.get("reasoning_details"));
    let details = details.and_then(Value::as_array).into_iter().flatten();
    let details = details
        .filter(|part| part.is_object())
        .map(|part| ContentPart::from_custom(part.clone(), Some(requested.clone())));
    cache_openai(
        cache,
        details,
        &reply.tool_calls,
        reply.reasoning.as_deref(),
    );
    Ok(reply)
}

/// Adds the reasoning details of a turn in OpenAI's protocol to the cache.
pub(super) fn cache_openai(
    cache: &ReasoningCache,
    details: impl Iterator<Item = ContentPart>,
    calls: &[ToolCall],
    reasoning: Option<&str>,
) {
    let calls = calls.iter().map(|call| {
        ContentPart::ToolCall(genai::chat::ToolCall {
            call_id: call_id(call).to_owned(),
            fn_name: call.name.clone(),
            fn_arguments: arguments(call),
            thought_signatures: None,
        })
    });
    let turn = MessageContent::from_parts(details.chain(calls).collect::<Vec<_>>());
    cache.insert(&turn, reasoning);
}

/// Why an answer ended. A refusal has the finish reason of any other answer.
pub(super) fn openai_finish(reason: Option<&str>, refused: bool) -> Option<FinishReason> {
    match refused {
        true => Some(FinishReason::ContentFilter),
        false => reason.map(|reason| finish(StopReason::from(reason.to_owned()))),
    }
}

/// The token counts as they are billed: xAI does not count reasoning tokens as output.
pub(super) fn openai_usage(mut usage: Usage, body: &Value, kind: AdapterKind) -> Usage {
    let reasoning = body.pointer("/usage/completion_tokens_details/reasoning_tokens");
    if let (AdapterKind::Xai, Some(tokens)) = (kind, reasoning.and_then(Value::as_u64)) {
        usage.output = usage.output.saturating_add(tokens);
    }
    usage
}

/// The body of a response that genai received and could not parse.
pub(super) fn unparsed_body(error: &genai::Error) -> Option<&Value> {
    match error {
        genai::Error::ChatResponseGeneration { response_body, .. } => Some(response_body),
        _ => None,
    }
}

/// Converts an error of genai.
pub(super) fn call_error(error: genai::Error) -> CallError {
    use genai::Error;
    match error {
        Error::WebModelCall { webc_error, .. } | Error::WebAdapterCall { webc_error, .. } => {
            web_error(webc_error)
        }
        Error::HttpError {
            status,
            body,
            headers,
            ..
        } => CallError::from_response(status.as_u16(), &headers, &body),
        Error::WebStream { error, cause, .. } => stream_error(error, &cause),
        Error::StreamParse { serde_error, .. } => {
            CallError::protocol(format!("the stream contains invalid JSON: {serde_error}"))
        }
        Error::ChatResponse { body, .. } => CallError::from_error_object(&body),
        // The error's text contains the whole request, so only its cause is used.
        Error::ChatResponseGeneration {
            cause,
            response_body,
            ..
        } => match answer::error(&response_body) {
            Some(error) => CallError::from_error_object(error),
            None => CallError::protocol(format!(
                "the server's answer cannot be parsed: {}",
                excerpt(&cause)
            ))
            .with_answer(response_body.to_string()),
        },
        Error::Resolver { resolver_error, .. } => {
            CallError::new(CallErrorKind::Key, resolver_error.to_string())
        }
        Error::RequiresApiKey { .. } | Error::NoAuthResolver { .. } | Error::NoAuthData { .. } => {
            CallError::new(CallErrorKind::Key, "the provider requires an API key")
        }
        Error::NoChatResponse { .. } | Error::InvalidJsonResponseElement { .. } => {
            CallError::protocol(excerpt(&error.to_string()))
        }
        other => CallError::new(CallErrorKind::Setup, excerpt(&other.to_string())),
    }
}

fn web_error(error: webc::Error) -> CallError {
    use webc::Error;
    match error {
        Error::ResponseFailedStatus {
            status,
            body,
            headers,
        } => CallError::from_response(status.as_u16(), &headers, &body),
        Error::ResponseFailedNotJson { content_type, body } => {
            CallError::wrong_content_type(&content_type, "application/json", &body)
        }
        Error::ResponseFailedInvalidJson { body, cause } => CallError::not_json(cause, &body),
        Error::Reqwest(error) => CallError::from_http(error),
        other => CallError::protocol(excerpt(&other.to_string())),
    }
}

fn stream_error(error: genai::BoxError, cause: &str) -> CallError {
    let error = match error.downcast::<genai::Error>() {
        Ok(error) => return call_error(*error),
        Err(error) => error,
    };
    let error = match error.downcast::<reqwest::Error>() {
        Ok(error) => return CallError::from_http(*error),
        Err(error) => error,
    };
    match error.downcast_ref::<StreamTimeout>() {
        Some(StreamTimeout::Headers) => {
            CallError::new(CallErrorKind::Timeout, "the stream did not begin in time")
        }
        Some(StreamTimeout::Read) => CallError::stream_timed_out(),
        None => CallError::protocol(format!("the stream cannot be read: {}", excerpt(cause))),
    }
}
