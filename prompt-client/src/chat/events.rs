//! A stream of genai, turned into ours.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use genai::chat::{ChatStream, ChatStreamEvent, ChatStreamResponse, StreamEnd};

use super::thoughts::Thoughts;
use super::{fault, reply};
use crate::failure::Failure;
use crate::stream::{End, Event, Events};

pub(super) fn events(response: ChatStreamResponse, thoughts: Thoughts) -> Events {
    use genai::adapter::AdapterKind as Kind;
    let kind = response.model_iden.adapter_kind;
    let model = response.model_iden.model_name.to_string();
    Box::pin(Chunks {
        stream: response.stream,
        model,
        thoughts,
        reasoning: String::new(),
        makes_ends: matches!(
            kind,
            Kind::OpenAIResp
                | Kind::Gemini
                | Kind::GeminiIx
                | Kind::Vertex
                | Kind::BedrockApi
                | Kind::Ollama
                | Kind::OllamaCloud
        ),
    })
}

struct Chunks {
    stream: ChatStream,
    model: String,
    thoughts: Thoughts,
    /// The reasoning that has come.
    reasoning: String,
    /// genai makes up an end where the stream of these providers was cut; only a true end tells its reason.
    makes_ends: bool,
}

impl Chunks {
    fn read(&mut self, event: ChatStreamEvent) -> Option<Event> {
        match event {
            ChatStreamEvent::Chunk(chunk) => Some(Event::Text(chunk.content)),
            ChatStreamEvent::ReasoningChunk(chunk) => {
                self.reasoning.push_str(&chunk.content);
                Some(Event::Reasoning(chunk.content))
            }
            ChatStreamEvent::End(end) => Some(Event::End(self.end(end))),
            // Calls are handed out when they are whole: the end has them.
            ChatStreamEvent::ToolCallChunk(_)
            | ChatStreamEvent::Start
            | ChatStreamEvent::ThoughtSignatureChunk(_)
            | ChatStreamEvent::Heartbeat => None,
        }
    }

    fn end(&self, end: StreamEnd) -> End {
        if let Some(turn) = &end.captured_content {
            self.thoughts.remember(turn, Some(&self.reasoning));
        }
        End {
            usage: end.captured_usage.as_ref().and_then(reply::usage),
            finish: end.captured_stop_reason.map(reply::finish),
            tool_calls: end.captured_content.map(reply::calls).unwrap_or_default(),
            model: Some(self.model.clone()),
        }
    }
}

impl Stream for Chunks {
    type Item = Result<Event, Failure>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            match ready!(Pin::new(&mut self.stream).poll_next(cx)) {
                None => return Poll::Ready(None),
                Some(Ok(ChatStreamEvent::End(end)))
                    if self.makes_ends && end.captured_stop_reason.is_none() =>
                {
                    return Poll::Ready(None);
                }
                Some(Err(error)) => return Poll::Ready(Some(Err(fault::read(error)))),
                Some(Ok(event)) => {
                    if let Some(event) = self.read(event) {
                        return Poll::Ready(Some(Ok(event)));
                    }
                }
            }
        }
    }
}
