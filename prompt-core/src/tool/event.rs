//! What happens while a tool loop runs.

use super::ToolOutput;
use crate::llm::Chunk;
use crate::{Error, Messages, Reply, Result, ToolCall};

/// An event of a tool loop that runs: see [`ToolLoop::on_event`](crate::ToolLoop::on_event).
///
/// Each request is answered by the chunks of its reply and the whole [`Reply`](ToolEvent::Reply). Each [`Call`](ToolEvent::Call) is followed by its
/// [`Result`](ToolEvent::Result), unless the loop stops before.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ToolEvent {
    /// More of the text of the model.
    Text(String),
    /// More of the reasoning of the model.
    Reasoning(String),
    /// A reply is complete, with its tokens.
    Reply(Reply),
    /// The answer does not fit the output type, and is retried: the text of the last reply is not the answer.
    Retry(Error),
    /// The model calls a tool: it runs next, unless it is refused or invalid.
    Call(ToolCall),
    /// A call has ended.
    Result {
        /// The call as the model wrote it.
        call: ToolCall,
        /// What the model receives, an error as text. The last error is the loop's, if it ends the loop.
        result: Result<ToolOutput>,
    },
    /// The loop ends without an answer: with an error, or because its future is dropped. The conversation so far is valid for every provider, and another
    /// loop can [`resume`](crate::ToolLoop::resume) it. A loop that fails before its first request has no such event.
    Stopped(Messages),
}

/// Receives the events of a loop.
pub(super) type OnEvent<'a> = Box<dyn FnMut(ToolEvent) + Send + 'a>;

/// The events of a chunk. Calls are events of their own, when they begin.
pub(super) fn chunk_event(chunk: Chunk) -> Option<ToolEvent> {
    match chunk {
        Chunk::Text(text) => Some(ToolEvent::Text(text)),
        Chunk::Reasoning(text) => Some(ToolEvent::Reasoning(text)),
        Chunk::ToolCall(_) => None,
    }
}
