//! Answers of models, whole or streamed: one reader per protocol parses both.

use std::collections::VecDeque;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use prompt_core::TokenLogProb;
use prompt_core::openai::{self, answer::require_names};
use prompt_core::{FinishReason, Reply, ToolCall, Usage};
use serde_core::de::IgnoredAny;
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use crate::error::CallError;
use crate::sse::{FrameStream, StreamFrame};
use crate::stream::{Event, Events, StreamEnd};

/// Parses the answers of a protocol.
pub(crate) trait AnswerReader: Send + 'static {
    /// Parses a whole response, or a frame of a streamed one.
    ///
    /// # Errors
    /// The server reports an error, or the body does not follow the protocol.
    fn read_body(&mut self, body: &Value, answer: &mut ReceivedAnswer) -> Result<(), CallError>;

    /// The answer has ended: buffered text is delivered.
    ///
    /// # Errors
    /// The answer is invalid.
    fn finish_answer(&mut self, answer: &mut ReceivedAnswer) -> Result<(), CallError> {
        let _ = answer;
        Ok(())
    }
}

/// An answer, as far as it has arrived.
#[derive(Default)]
pub(crate) struct ReceivedAnswer {
    /// Text and reasoning that have not been delivered.
    pub(crate) events: VecDeque<Event>,
    pub(crate) calls: Vec<PartialCall>,
    /// Reasoning blocks that the provider requires in later requests, in its own format.
    pub(crate) blocks: Vec<Value>,
    pub(crate) usage: Option<Usage>,
    pub(crate) finish: Option<FinishReason>,
    pub(crate) model: Option<String>,
    pub(crate) id: Option<String>,
    pub(crate) log_probs: Vec<TokenLogProb>,
    /// Whether the body contains an answer at all.
    pub(crate) has_message: bool,
    /// Whether the protocol's last frame has arrived.
    pub(crate) is_complete: bool,
    /// Whether the answer arrives in parts.
    pub(crate) is_streamed: bool,
    /// The text so far.
    pub(crate) text: String,
    /// The reasoning so far.
    pub(crate) reasoning: String,
    /// The size of everything that has arrived.
    bytes: usize,
}

/// A tool call, as far as it has arrived.
#[derive(Default)]
pub(crate) struct PartialCall {
    /// The number of the call in a stream.
    pub(crate) index: Option<u64>,
    pub(crate) call: ToolCall,
    /// The signature that the provider requires together with the call in later requests.
    pub(crate) signature: Option<String>,
    /// The latest part of the arguments, if each part begins with the one before: some servers repeat the whole call.
    pub(crate) repeated: String,
    /// Whether a part of the arguments does not begin with the one before.
    pub(crate) has_parts: bool,
}

impl PartialCall {
    fn push_arguments(&mut self, arguments: &str) {
        if arguments.is_empty() {
            return;
        }
        self.call.arguments.push_str(arguments);
        self.has_parts |= !arguments.starts_with(&self.repeated);
        self.repeated = match self.has_parts {
            true => String::new(),
            false => arguments.to_owned(),
        };
    }

    /// The call. Parts that are JSON only one by one were repetitions of the whole.
    pub(crate) fn join(&self) -> ToolCall {
        let is_json = |text: &str| serde_json::from_str::<IgnoredAny>(text).is_ok();
        let mut call = self.call.clone();
        if !self.has_parts && !is_json(&call.arguments) && is_json(&self.repeated) {
            call.arguments.clone_from(&self.repeated);
        }
        call
    }
}

impl ReceivedAnswer {
    pub(crate) fn push_text(&mut self, text: &str) {
        self.has_message = true;
        self.text.push_str(text);
        self.push_event(Event::Text(text.to_owned()), text);
    }

    pub(crate) fn push_reasoning(&mut self, text: &str) {
        self.has_message = true;
        self.reasoning.push_str(text);
        self.push_event(Event::Reasoning(text.to_owned()), text);
    }

    /// Adds the text of a whole message. Some servers send it after its parts.
    pub(crate) fn push_whole_text(&mut self, text: &str) {
        self.has_message = true;
        // Text that has been delivered stays, also where the message differs from it.
        if let Some(rest) = text.strip_prefix(&*self.text) {
            self.push_text(rest);
        }
    }

    /// Adds the reasoning of a whole message, as [`push_whole_text`](ReceivedAnswer::push_whole_text) does.
    pub(crate) fn push_whole_reasoning(&mut self, text: &str) {
        self.has_message = true;
        if let Some(rest) = text.strip_prefix(&*self.reasoning) {
            self.push_reasoning(rest);
        }
    }

    /// The answer that is read among several, each with an index. A part of a stream may belong to another answer only.
    pub(crate) fn choose<'a>(&self, choices: &'a [Value]) -> Option<&'a Value> {
        let first = openai::answer::first_choice(choices)?;
        let is_another = self.is_streamed && !openai::answer::is_first_choice(first);
        (!is_another).then_some(first)
    }

    fn push_event(&mut self, event: Event, text: &str) {
        if !text.is_empty() {
            self.bytes += text.len();
            self.events.push_back(event);
        }
    }

    /// Adds a tool call, or its beginning.
    pub(crate) fn push_call(&mut self, call: PartialCall) {
        self.has_message = true;
        let id = call.call.id.as_deref().unwrap_or_default();
        self.add_bytes(size_of::<PartialCall>() + call.call.name.len() + id.len());
        self.calls.push(PartialCall {
            call: ToolCall {
                arguments: String::new(),
                ..call.call.clone()
            },
            ..call
        });
        let last = self.calls.len() - 1;
        self.push_arguments(last, &call.call.arguments);
    }

    /// Counts bytes of the answer that are kept elsewhere.
    pub(crate) fn add_bytes(&mut self, bytes: usize) {
        self.bytes += bytes;
    }

    /// Adds to the arguments of a tool call.
    pub(crate) fn push_arguments(&mut self, call: usize, arguments: &str) {
        if let Some(call) = self.calls.get_mut(call) {
            self.bytes += arguments.len();
            call.push_arguments(arguments);
        }
    }

    pub(crate) fn push_log_probs(&mut self, tokens: Vec<TokenLogProb>) {
        for token in &tokens {
            let top = token
                .top
                .iter()
                .map(|(text, _)| text.len() + size_of::<f64>());
            self.bytes += size_of::<TokenLogProb>() + token.token.len() + top.sum::<usize>();
        }
        self.log_probs.extend(tokens);
    }

    pub(crate) fn push_block(&mut self, block: Value) {
        self.bytes += block.to_string().len();
        self.blocks.push(block);
    }

    /// Sets the finish reason of a protocol that does not distinguish tool calls from other complete answers.
    pub(crate) fn set_finish_reason(&mut self, reason: FinishReason) {
        self.finish = Some(match reason {
            FinishReason::Stop if !self.calls.is_empty() => FinishReason::ToolCalls,
            reason => reason,
        });
    }

    fn take_end(&mut self) -> Result<StreamEnd, CallError> {
        if !self.has_message {
            return Err(CallError::no_message_in_stream());
        }
        // Parts of several calls may arrive in any order.
        if self.calls.iter().all(|call| call.index.is_some()) {
            self.calls.sort_by_key(|call| call.index);
        }
        let calls = self.calls.iter().map(PartialCall::join);
        let tool_calls =
            require_names(calls).ok_or_else(|| CallError::protocol_error(NAMELESS_CALL))?;
        Ok(StreamEnd {
            tool_calls,
            usage: self.usage.take(),
            model: self.model.take(),
            finish: self.finish.take(),
            id: self.id.take(),
            log_probs: std::mem::take(&mut self.log_probs),
        })
    }
}

const NAMELESS_CALL: &str = "the server's answer has a tool call without a name";

/// Called with every complete answer.
pub(crate) type OnEnd = Box<dyn FnMut(&ReceivedAnswer) + Send>;

/// Parses a whole response.
pub(crate) fn parse_response(
    body: &Value,
    reader: impl AnswerReader,
    on_end: OnEnd,
) -> Result<Reply, CallError> {
    let mut answer = ReceivedAnswer::default();
    let reply = parse_answer(body, reader, on_end, &mut answer);
    reply.map_err(|error| error.with_usage(answer.usage))
}

fn parse_answer(
    body: &Value,
    mut reader: impl AnswerReader,
    mut on_end: OnEnd,
    answer: &mut ReceivedAnswer,
) -> Result<Reply, CallError> {
    let read = reader.read_body(body, answer);
    // Buffered text precedes the error.
    let finished = reader.finish_answer(answer);
    let read = read.and(finished);
    let mut reply = Reply::default();
    for event in std::mem::take(&mut answer.events) {
        match event {
            Event::Text(text) => reply.text.push_str(&text),
            Event::Reasoning(text) => reply.reasoning.get_or_insert_default().push_str(&text),
            Event::End(_) => {}
        }
    }
    match read {
        Err(error) if reply.text.is_empty() => return Err(error),
        Err(error) => return Err(error.with_answer(reply.text)),
        Ok(()) if !answer.has_message => {
            let message = "the server's answer has no message";
            return Err(CallError::unexpected_body(message, &body.to_string()));
        }
        Ok(()) => {}
    }
    on_end(answer);
    let end = answer
        .take_end()
        .map_err(|error| CallError::unexpected_body(error, &body.to_string()))?;
    end.write(&mut reply);
    Ok(reply)
}

/// The limits of a stream.
#[derive(Clone, Copy)]
pub(crate) struct StreamLimits {
    /// The maximum pause between two parts of the answer. Frames without a part, such as keep-alives, do not extend it.
    pub(crate) pause: Option<Duration>,
    /// The size of text, reasoning and tool calls together.
    pub(crate) max_bytes: usize,
}

impl StreamLimits {
    /// When the longest pause that begins now ends. `None` for a pause without an end.
    fn next_deadline(&self) -> Option<Instant> {
        Instant::now().checked_add(self.pause?)
    }
}

/// The events of a streamed response.
pub(crate) fn stream_events(
    frames: FrameStream,
    reader: impl AnswerReader,
    model: Option<String>,
    limits: StreamLimits,
    on_end: OnEnd,
) -> Events {
    let state = Streamed {
        frames,
        reader,
        answer: ReceivedAnswer {
            model,
            is_streamed: true,
            ..ReceivedAnswer::default()
        },
        end: None,
        limits,
        deadline: limits.next_deadline(),
        on_end,
    };
    Box::pin(stream::unfold(state, |mut state| async move {
        let event = state.next().await?;
        Some((event, state))
    }))
}

struct Streamed<R> {
    frames: FrameStream,
    reader: R,
    answer: ReceivedAnswer,
    /// How the stream ended: the last item, after the events.
    end: Option<Option<Result<Event, CallError>>>,
    limits: StreamLimits,
    deadline: Option<Instant>,
    on_end: OnEnd,
}

impl<R: AnswerReader> Streamed<R> {
    async fn next(&mut self) -> Option<Result<Event, CallError>> {
        loop {
            if let Some(event) = self.answer.events.pop_front() {
                return Some(Ok(event));
            }
            if let Some(end) = &mut self.end {
                return end.take();
            }
            let frame = match self.deadline {
                Some(deadline) => timeout_at(deadline, self.frames.next()).await,
                None => Ok(self.frames.next().await),
            };
            let end = match frame {
                Err(_) => Some(Err(CallError::stream_timed_out())),
                Ok(Some(Ok(frame))) if frame.data == "[DONE]" => Some(self.end_event()),
                Ok(Some(Ok(frame))) => match self.parse_frame(&frame) {
                    Ok(()) if self.answer.is_complete => Some(self.end_event()),
                    Ok(()) => continue,
                    Err(error) => Some(Err(error)),
                },
                Ok(Some(Err(error))) => Some(Err(error)),
                // The finish reason shows as well that the answer is complete.
                Ok(None) if self.answer.finish.is_some() => Some(self.end_event()),
                Ok(None) if self.answer.has_message || self.answer.usage.is_some() => {
                    Some(Err(CallError::incomplete_stream()))
                }
                Ok(None) => None,
            };
            // Buffered text is delivered before the error too.
            let finished = self.reader.finish_answer(&mut self.answer);
            let end = match (end, finished) {
                (Some(Ok(_)), Err(error)) => Some(Err(error)),
                (end, _) => end,
            };
            let usage = self.answer.usage;
            self.end = Some(end.map(|end| end.map_err(|error| error.with_usage(usage))));
        }
    }

    fn parse_frame(&mut self, frame: &StreamFrame) -> Result<(), CallError> {
        let body: Value = serde_json::from_str(&frame.data).map_err(|error| {
            match frame.is_last && error.is_eof() {
                true => CallError::incomplete_stream(),
                false => CallError::not_json(error, &frame.data),
            }
        })?;
        if frame.is_error {
            return Err(CallError::from_error_object(&body));
        }
        let before = self.answer.bytes;
        self.reader.read_body(&body, &mut self.answer)?;
        if self.answer.bytes > self.limits.max_bytes {
            return Err(CallError::too_large(self.limits.max_bytes));
        }
        if self.answer.bytes > before {
            self.deadline = self.limits.next_deadline();
        }
        Ok(())
    }

    fn end_event(&mut self) -> Result<Event, CallError> {
        self.reader.finish_answer(&mut self.answer)?;
        (self.on_end)(&self.answer);
        Ok(Event::End(self.answer.take_end()?))
    }
}

impl AnswerReader for Box<dyn AnswerReader> {
    fn read_body(&mut self, body: &Value, answer: &mut ReceivedAnswer) -> Result<(), CallError> {
        (**self).read_body(body, answer)
    }

    fn finish_answer(&mut self, answer: &mut ReceivedAnswer) -> Result<(), CallError> {
        (**self).finish_answer(answer)
    }
}
