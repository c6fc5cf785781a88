//! Streamed answers in OpenAI's protocol, of chat completions and of completions.

use std::collections::VecDeque;

use futures_util::{Stream, StreamExt, stream};
use prompt_core::openai::answer::{choice, error, model, usage};
use prompt_core::{FinishReason, ToolCall, Usage};
use serde_json::Value;

use crate::error::CallError;
use crate::stream::{End, Event, Events};

/// A server-sent event.
#[derive(Debug)]
pub(crate) struct Frame {
    /// Whether its type is `error`.
    pub(crate) is_error: bool,
    pub(crate) data: String,
}

/// The part of an answer that differs between chat completions and completions.
pub(crate) trait Delta: Send + 'static {
    /// Reads the choice of a chunk, and returns its finish reason.
    fn push(&mut self, choice: &Value, events: &mut VecDeque<Event>) -> Option<FinishReason>;

    /// Adjusts the token counts of a chunk.
    fn usage(&self, usage: Usage, body: &Value) -> Usage {
        let _ = body;
        usage
    }

    /// Text that was held back and has to be delivered, because the stream ended.
    fn flush(&mut self) -> Option<Event> {
        None
    }

    /// The tool calls of a complete answer.
    fn tool_calls(&mut self) -> Result<Vec<ToolCall>, CallError> {
        Ok(Vec::new())
    }
}

/// The events of a stream of frames.
pub(crate) fn events(
    frames: impl Stream<Item = Result<Frame, CallError>> + Send + 'static,
    delta: impl Delta,
    requested_model: Option<String>,
) -> Events {
    let reader = Reader {
        frames: Box::pin(frames),
        delta,
        events: VecDeque::new(),
        end: None,
        answer: End {
            model: requested_model,
            ..End::default()
        },
        has_choice: false,
    };
    Box::pin(stream::unfold(reader, |mut reader| async move {
        let event = reader.next().await?;
        Some((event, reader))
    }))
}

struct Reader<S, D> {
    frames: std::pin::Pin<Box<S>>,
    delta: D,
    /// Events that have not been returned.
    events: VecDeque<Event>,
    /// How the stream ended: the last item, after the events.
    end: Option<Option<Result<Event, CallError>>>,
    answer: End,
    has_choice: bool,
}

impl<S: Stream<Item = Result<Frame, CallError>>, D: Delta> Reader<S, D> {
    async fn next(&mut self) -> Option<Result<Event, CallError>> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Some(Ok(event));
            }
            if let Some(end) = &mut self.end {
                return end.take();
            }
            let end = match self.frames.next().await {
                Some(Ok(frame)) if frame.data == "[DONE]" => Some(self.complete()),
                Some(Ok(frame)) => match self.read(&frame) {
                    Ok(()) => continue,
                    Err(error) => Some(Err(error)),
                },
                Some(Err(error)) => Some(Err(error)),
                // Some servers omit `[DONE]`; the finish reason shows as well that the answer is complete.
                None if self.answer.finish.is_some() => Some(self.complete()),
                None => None,
            };
            self.events.extend(self.delta.flush());
            self.end = Some(end);
        }
    }

    fn read(&mut self, frame: &Frame) -> Result<(), CallError> {
        let body: Value = serde_json::from_str(&frame.data)
            .map_err(|error| CallError::not_json(error, &frame.data))?;
        if frame.is_error {
            return Err(CallError::from_error_object(&body));
        }
        if let Some(usage) = usage(&body) {
            self.answer.usage = Some(self.delta.usage(usage, &body));
        }
        self.answer.model = model(&body).or(self.answer.model.take());
        if let Some(choice) = choice(&body) {
            self.has_choice = true;
            let finish = self.delta.push(choice, &mut self.events);
            self.answer.finish = finish.or(self.answer.finish.take());
        }
        match error(&body) {
            Some(error) => Err(CallError::from_error_object(error)),
            None => Ok(()),
        }
    }

    fn complete(&mut self) -> Result<Event, CallError> {
        if !self.has_choice {
            return Err(CallError::no_message_in_stream());
        }
        self.answer.tool_calls = self.delta.tool_calls()?;
        Ok(Event::End(std::mem::take(&mut self.answer)))
    }
}
