//! An answer of genai, read into ours.

use genai::chat::{ChatResponse, MessageContent, StopReason, Usage};
use prompt_core::{Finish, Reply, ToolCall};
use serde_json::Value;

use super::thoughts::Thoughts;
use crate::failure::{Cause, Failure};
use crate::fault;

/// An answer that is not longer than allowed.
pub(super) fn limited(reply: Reply, limit: usize) -> Result<Reply, Failure> {
    let reasoning = reply.reasoning.as_deref().map_or(0, str::len);
    match reply.text.len() + reasoning > limit {
        true => Err(fault::too_large(limit)),
        false => Ok(reply),
    }
}

pub(super) fn read(response: ChatResponse, thoughts: &Thoughts) -> Result<Reply, Failure> {
    let text: String = response.content.texts().concat();
    let reasoning = response.reasoning_content.filter(|text| !text.is_empty());
    thoughts.remember(&response.content, reasoning.as_deref());
    let mut reply =
        Reply::new(text).with_model(response.provider_model_iden.model_name.to_string());
    reply.reasoning = reasoning;
    reply.usage = usage(&response.usage);
    reply.finish = response.stop_reason.map(finish);
    reply.tool_calls = calls(response.content);
    // genai reads whatever JSON comes; what has nothing of an answer is none.
    if reply.text.is_empty()
        && reply.reasoning.is_none()
        && reply.tool_calls.is_empty()
        && reply.finish.is_none()
        && reply.usage.is_none()
    {
        return Err(Failure::new(
            Cause::Protocol,
            "the server's answer holds no message",
        ));
    }
    Ok(reply)
}

pub(super) fn calls(content: MessageContent) -> Vec<ToolCall> {
    let calls = content.into_tool_calls().into_iter();
    calls
        .map(|call| {
            let arguments = match call.fn_arguments {
                // What could not be read as JSON.
                Value::String(text) => text,
                arguments => arguments.to_string(),
            };
            ToolCall::new(call.call_id, call.fn_name, arguments)
        })
        .collect()
}

/// `None` when the provider counts nothing.
pub(super) fn usage(usage: &Usage) -> Option<prompt_core::Usage> {
    let count = |tokens: Option<i32>| tokens.and_then(|tokens| u64::try_from(tokens).ok());
    match (count(usage.prompt_tokens), count(usage.completion_tokens)) {
        (None, None) => None,
        (input, output) => Some(prompt_core::Usage {
            input: input.unwrap_or_default(),
            output: output.unwrap_or_default(),
        }),
    }
}

pub(super) fn finish(reason: StopReason) -> Finish {
    match reason {
        StopReason::Completed(_) | StopReason::StopSequence(_) => Finish::Stop,
        StopReason::MaxTokens(_) => Finish::Length,
        StopReason::ToolCall(_) => Finish::ToolCalls,
        StopReason::ContentFilter(_) => Finish::Filter,
        StopReason::Other(reason) => Finish::Other(reason),
    }
}
