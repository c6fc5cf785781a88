//! A stream in OpenAI's protocol: genai brings its frames, and what they say is read here.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use genai::ModelIden;
use genai::chat::{ChatOptions, ChatStream, ChatStreamResponse};
use prompt_core::openai::answer::Said;
use prompt_core::{Finish, Usage};
use serde_json::Value;

use super::fault;
use super::openai::{Calls, counted, ended, remember};
use super::thoughts::Thoughts;
use crate::failure::{Cause, Failure};
use crate::openai::{choice, error, model, reason, usage};
use crate::stream::{End, Event, Events};

/// The frames of one stream that have come and were not read yet.
#[derive(Clone, Default)]
pub(super) struct Frames(Arc<Mutex<VecDeque<Frame>>>);

struct Frame {
    /// Whether it is named an error.
    is_error: bool,
    data: String,
}

impl Frames {
    /// The frames of the stream that is asked for with these options.
    pub(super) fn of(options: &mut ChatOptions) -> Frames {
        let frames = Frames::default();
        let queue = frames.clone();
        *options = std::mem::take(options).with_raw_frame_fn(move |_, frame| {
            if !frame.data.is_empty() {
                queue.queue().push_back(Frame {
                    is_error: frame.event == Some("error"),
                    data: frame.data.to_owned(),
                });
            }
        });
        // What is not used need not be put together.
        options.capture_content = Some(false);
        options.capture_tool_calls = Some(false);
        options.capture_reasoning_content = Some(false);
        frames
    }

    pub(super) fn events(self, response: ChatStreamResponse, thoughts: Thoughts) -> Events {
        Box::pin(Chunks {
            stream: response.stream,
            frames: self,
            to: response.model_iden,
            thoughts,
            events: VecDeque::new(),
            calls: Calls::default(),
            tail: Tail::default(),
            ended: false,
        })
    }

    fn queue(&self) -> std::sync::MutexGuard<'_, VecDeque<Frame>> {
        // A panic elsewhere cannot leave the list half written.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Chunks {
    stream: ChatStream,
    frames: Frames,
    /// The model that was asked.
    to: ModelIden,
    thoughts: Thoughts,
    /// What was read and not yet handed out.
    events: VecDeque<Result<Event, Failure>>,
    calls: Calls,
    tail: Tail,
    ended: bool,
}

/// What a stream has told beside its text.
#[derive(Default)]
struct Tail {
    /// Whether anything of an answer has come.
    begun: bool,
    refused: bool,
    finish: Option<Finish>,
    usage: Option<Usage>,
    model: Option<String>,
    reasoning: String,
}

impl Chunks {
    fn read(&mut self, frame: &Frame) {
        if frame.data == "[DONE]" {
            return self.end();
        }
        let body: Value = match serde_json::from_str(&frame.data) {
            Ok(body) => body,
            Err(why) => {
                let wrong = format!("the server streams what is no JSON: {why}");
                return self.fail(crate::fault::quoting(wrong, &frame.data));
            }
        };
        if frame.is_error {
            return self.fail(crate::fault::event(&body));
        }
        self.tail.usage = counted(usage(&body), &body, self.to.adapter_kind).or(self.tail.usage);
        self.tail.model = model(&body).or(self.tail.model.take());
        if let Some(choice) = choice(&body) {
            self.piece(choice);
        }
        if let Some(failure) = error(&body) {
            self.fail(failure);
        }
    }

    fn piece(&mut self, choice: &Value) {
        self.tail.begun = true;
        // Some send the whole message in one piece.
        let messages = [choice.get("delta"), choice.get("message")];
        let message = messages
            .into_iter()
            .flatten()
            .find(|message| message.is_object());
        if let Some(message) = message {
            let said = Said::of(message).unwrap_or_default();
            self.calls.take(message);
            self.tail.refused |= said.refused;
            self.tail.reasoning.push_str(&said.reasoning);
            let texts = [Event::Reasoning(said.reasoning), Event::Text(said.text)];
            let said = texts.into_iter().filter(|event| match event {
                Event::Text(text) | Event::Reasoning(text) => !text.is_empty(),
                Event::End(_) => true,
            });
            self.events.extend(said.map(Ok));
        }
        let finish = ended(reason(choice), self.tail.refused);
        self.tail.finish = finish.or(self.tail.finish.take());
    }

    /// The answer is whole.
    fn end(&mut self) {
        let tail = std::mem::take(&mut self.tail);
        if !tail.begun {
            return self.fail(crate::fault::no_message());
        }
        let Some(tool_calls) = std::mem::take(&mut self.calls).whole() else {
            let message = "the server's answer holds a call that names no tool";
            return self.fail(Failure::new(Cause::Protocol, message));
        };
        remember(
            &self.thoughts,
            std::iter::empty(),
            &tool_calls,
            Some(&tail.reasoning),
        );
        self.ended = true;
        self.events.push_back(Ok(Event::End(End {
            tool_calls,
            usage: tail.usage,
            model: tail.model.or_else(|| Some(self.to.model_name.to_string())),
            finish: tail.finish,
        })));
    }

    fn fail(&mut self, failure: Failure) {
        self.ended = true;
        self.events.push_back(Err(failure));
    }
}

impl Stream for Chunks {
    type Item = Result<Event, Failure>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        use genai::Error;
        loop {
            if let Some(event) = self.events.pop_front() {
                return Poll::Ready(Some(event));
            }
            if self.ended {
                return Poll::Ready(None);
            }
            let frame = self.frames.queue().pop_front();
            if let Some(frame) = frame {
                self.read(&frame);
                continue;
            }
            match ready!(Pin::new(&mut self.stream).poll_next(cx)) {
                // Some leave out the mark of the end; a reason says as well that the answer is whole.
                None if self.tail.finish.is_some() => self.end(),
                None => self.ended = true,
                // What genai makes of a frame, while the frame is read here.
                Some(Ok(_) | Err(Error::StreamParse { .. } | Error::ChatResponse { .. })) => {}
                Some(Err(error)) => self.fail(fault::read(error)),
            }
        }
    }
}
