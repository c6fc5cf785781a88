//! An answer of genai, read into ours.

use genai::chat::{ChatResponse, MessageContent, StopReason, Usage};
use prompt_core::{Finish, Reply, ToolCall};
use serde_json::Value;

use super::thoughts::{Thoughts, arguments, call_id};
use crate::failure::{Cause, Failure};
use crate::fault;

pub(super) fn read(
    response: ChatResponse,
    limit: usize,
    thoughts: &Thoughts,
) -> Result<Reply, Failure> {
    let text: String = response.content.texts().concat();
    let reasoning = response.reasoning_content.filter(|text| !text.is_empty());
    if text.len() + reasoning.as_deref().map_or(0, str::len) > limit {
        return Err(fault::too_large(limit));
    }
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

/// An answer of OpenAI's protocol that genai could not read, for example since the arguments of a call are no JSON.
pub(super) fn raw(body: &Value, thoughts: &Thoughts) -> Option<Reply> {
    let choice = body.pointer("/choices/0")?;
    let mut reply = Reply::new(
        choice
            .pointer("/message/content")
            .and_then(Value::as_str)
            .unwrap_or_default(),
    );
    reply.reasoning = ["reasoning", "reasoning_content"]
        .iter()
        .find_map(|key| choice.get("message")?.get(key)?.as_str())
        .filter(|text| !text.is_empty())
        .map(str::to_owned);
    for call in choice.pointer("/message/tool_calls")?.as_array()? {
        let text = |pointer: &str| call.pointer(pointer).and_then(Value::as_str);
        let (name, arguments) = (text("/function/name")?, text("/function/arguments")?);
        let id = text("/id").map(str::to_owned);
        reply.tool_calls.push(ToolCall {
            id,
            name: name.to_owned(),
            arguments: arguments.to_owned(),
        });
    }
    let calls = reply.tool_calls.iter().map(|call| genai::chat::ToolCall {
        call_id: call_id(call).to_owned(),
        fn_name: call.name.clone(),
        fn_arguments: arguments(call),
        thought_signatures: None,
    });
    thoughts.remember(
        &MessageContent::from_tool_calls(calls.collect()),
        reply.reasoning.as_deref(),
    );
    let tokens = |pointer: &str| body.pointer(pointer).and_then(Value::as_u64);
    reply.usage = match (
        tokens("/usage/prompt_tokens"),
        tokens("/usage/completion_tokens"),
    ) {
        (Some(input), Some(output)) => Some(prompt_core::Usage { input, output }),
        _ => None,
    };
    reply.finish = choice
        .get("finish_reason")?
        .as_str()
        .map(|reason| finish(StopReason::from(reason.to_owned())));
    reply.model = body.get("model").and_then(Value::as_str).map(str::to_owned);
    Some(reply)
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
