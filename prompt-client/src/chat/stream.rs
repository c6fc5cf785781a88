//! Streams of chat models.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Poll, ready};

use futures_util::{StreamExt, future, stream};
use genai::adapter::AdapterKind;
use genai::chat::{ChatOptions, ChatStreamEvent, ChatStreamResponse};
use prompt_core::openai::answer::{Piece, Said, calls, named, reason};
use prompt_core::{FinishReason, ToolCall, Usage};
use serde_json::Value;

use super::provider::Provider;
use super::reasoning::ReasoningCache;
use super::response::{self, cache_openai, call_error, openai_finish, openai_usage};
use crate::error::CallError;
use crate::openai::{self, Delta, Frame};
use crate::stream::{End, Event, Events};

/// The events of a stream that genai parses.
pub(super) fn events(response: ChatStreamResponse, cache: ReasoningCache) -> Events {
    let provider = Provider::new(response.model_iden.adapter_kind, false);
    let model = response.model_iden.model_name.to_string();
    let mut reasoning = String::new();
    let events = response.stream.take_while(move |event| {
        let is_cut =
            matches!(event, Ok(ChatStreamEvent::End(end)) if end.captured_stop_reason.is_none());
        future::ready(!(provider.synthesizes_end && is_cut))
    });
    Box::pin(events.filter_map(move |event| {
        future::ready(match event {
            Ok(ChatStreamEvent::Chunk(chunk)) => Some(Ok(Event::Text(chunk.content))),
            Ok(ChatStreamEvent::ReasoningChunk(chunk)) => {
                reasoning.push_str(&chunk.content);
                Some(Ok(Event::Reasoning(chunk.content)))
            }
            Ok(ChatStreamEvent::End(end)) => {
                if let Some(turn) = &end.captured_content {
                    cache.insert(turn, Some(&reasoning));
                }
                let content = end.captured_content;
                Some(Ok(Event::End(End {
                    usage: end.captured_usage.as_ref().and_then(response::usage),
                    finish: end.captured_stop_reason.map(response::finish),
                    tool_calls: content.map(response::tool_calls).unwrap_or_default(),
                    model: Some(model.clone()),
                })))
            }
            // The end contains the complete tool calls.
            Ok(
                ChatStreamEvent::ToolCallChunk(_)
                | ChatStreamEvent::Start
                | ChatStreamEvent::ThoughtSignatureChunk(_)
                | ChatStreamEvent::Heartbeat,
            ) => None,
            Err(error) => Some(Err(call_error(error))),
        })
    }))
}

/// The raw frames of a stream in OpenAI's protocol, which are parsed here instead of by genai.
#[derive(Clone, Default)]
pub(super) struct RawFrames(Arc<Mutex<VecDeque<Frame>>>);

impl RawFrames {
    /// Captures the frames of the stream that is requested with these options.
    pub(super) fn capture(options: &mut ChatOptions) -> RawFrames {
        let frames = RawFrames::default();
        let captured = frames.clone();
        *options = std::mem::take(options).with_raw_frame_fn(move |_, frame| {
            if !frame.data.is_empty() {
                captured.queue().push_back(Frame {
                    is_error: frame.event == Some("error"),
                    data: frame.data.to_owned(),
                });
            }
        });
        // genai's own parts of the answer are not used.
        options.capture_content = Some(false);
        options.capture_tool_calls = Some(false);
        options.capture_reasoning_content = Some(false);
        frames
    }

    pub(super) fn events(self, response: ChatStreamResponse, cache: ReasoningCache) -> Events {
        let model = response.model_iden.model_name.to_string();
        let delta = ChatDelta {
            kind: response.model_iden.adapter_kind,
            cache,
            calls: Calls::default(),
            reasoning: String::new(),
            refused: false,
        };
        let mut stream = response.stream;
        // The frames are taken before each poll: genai may receive one without an event of its own.
        let frames = stream::poll_fn(move |cx| {
            use genai::Error::{ChatResponse, StreamParse};
            loop {
                let frame = self.queue().pop_front();
                if let Some(frame) = frame {
                    return Poll::Ready(Some(Ok(frame)));
                }
                match ready!(stream.poll_next_unpin(cx)) {
                    // genai's view of a frame that is parsed here.
                    Some(Ok(_) | Err(StreamParse { .. } | ChatResponse { .. })) => {}
                    Some(Err(error)) => return Poll::Ready(Some(Err(call_error(error)))),
                    None => return Poll::Ready(None),
                }
            }
        });
        openai::events(frames, delta, Some(model))
    }

    fn queue(&self) -> std::sync::MutexGuard<'_, VecDeque<Frame>> {
        // A panic elsewhere cannot leave the list half written.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The state of a streamed chat completion.
struct ChatDelta {
    kind: AdapterKind,
    cache: ReasoningCache,
    calls: Calls,
    reasoning: String,
    refused: bool,
}

impl Delta for ChatDelta {
    fn push(&mut self, choice: &Value, events: &mut VecDeque<Event>) -> Option<FinishReason> {
        // Some servers send the whole message in one chunk.
        let messages = [choice.get("delta"), choice.get("message")];
        let mut messages = messages.into_iter().flatten();
        if let Some(message) = messages.find(|message| message.is_object()) {
            let content = Said::of(message).unwrap_or_default();
            self.calls.push(message);
            self.refused |= content.refused;
            if !content.reasoning.is_empty() {
                self.reasoning.push_str(&content.reasoning);
                events.push_back(Event::Reasoning(content.reasoning));
            }
            if !content.text.is_empty() {
                events.push_back(Event::Text(content.text));
            }
        }
        openai_finish(reason(choice), self.refused)
    }

    fn usage(&self, usage: Usage, body: &Value) -> Usage {
        openai_usage(usage, body, self.kind)
    }

    fn tool_calls(&mut self) -> Result<Vec<ToolCall>, CallError> {
        let calls = std::mem::take(&mut self.calls.0).into_iter();
        let calls = named(calls.map(|piece| piece.call)).ok_or_else(|| {
            CallError::protocol("the server's answer has a tool call without a name")
        })?;
        let details = std::iter::empty();
        cache_openai(&self.cache, details, &calls, Some(&self.reasoning));
        Ok(calls)
    }
}

/// The tool calls of a stream, as far as they have arrived.
#[derive(Default)]
struct Calls(Vec<Piece>);

impl Calls {
    /// Adds the tool call deltas of a message.
    fn push(&mut self, message: &Value) {
        for piece in calls(message) {
            match self.continued_by(&piece) {
                Some(call) => {
                    let ToolCall {
                        id,
                        name,
                        arguments,
                    } = piece.call;
                    call.id = call.id.take().or(id);
                    if call.name.is_empty() {
                        call.name = name;
                    }
                    call.arguments.push_str(&arguments);
                }
                None => self.0.push(piece),
            }
        }
    }

    /// The call that a delta continues: the latest of its index. Servers that send each call whole may use the same index
    /// for all of them, or none.
    fn continued_by(&mut self, piece: &Piece) -> Option<&mut ToolCall> {
        let Piece { index, call: new } = piece;
        let mut calls = self.0.iter_mut().rev();
        let last = calls.find(|last| index.is_none() || last.index == *index)?;
        let last = &mut last.call;
        let is_another = match (&new.id, &last.id) {
            _ if new.name.is_empty() => false,
            (Some(new), Some(last)) => new != last,
            _ if index.is_none() => true,
            (None, None) => {
                !new.arguments.is_empty() && prompt_core::Json::parse(&last.arguments).is_ok()
            }
            _ => false,
        };
        (!is_another).then_some(last)
    }
}
