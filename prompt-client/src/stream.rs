//! Streamed replies.

use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_util::{Stream, StreamExt, stream};
use prompt_core::{
    Chunk, Error, FinishReason, Reply, Result, Structured, TokenLogProb, ToolCall, Usage,
};

use crate::error::CallError;
use crate::open_call::OpenCall;
use crate::redact::{RedactedParts, Redactor};

/// A reply that arrives in chunks. Dropping the stream cancels the request.
///
/// It implements [`Stream`](futures_util::Stream) too. It ends after the first error.
///
/// ```no_run
/// # use typed_prompt::{Message, Messages, Request, client::{ChatModel, StreamingLlm}};
/// # async fn run() -> typed_prompt::Result<()> {
/// # let llm = ChatModel::new("openai::gpt-4o")?;
/// # let request = Request::from_prompt(&Messages::from([Message::user("Hi")]))?;
/// let reply = llm.stream(&request).await?.finish().await?;
/// println!("{} ({:?})", reply.text, reply.usage);
/// # Ok(())
/// # }
/// ```
#[must_use = "an answer arrives while its stream is read"]
pub struct ReplyStream {
    /// `None` after the end of the reply, or after an error.
    events: Option<Events>,
    reply: Reply,
    /// Chunks that have not been returned.
    chunks: VecDeque<Chunk>,
    /// The error after them.
    failed: Option<CallError>,
    /// The error that was returned.
    error: Option<Error>,
    ended: bool,
    /// The secrets that the reply must not contain, and the ends of its texts that may be the beginning of one.
    redactor: Redactor,
    text_parts: RedactedParts,
    reasoning_parts: RedactedParts,
    /// `None` for a reply that was complete from the beginning.
    call: Option<OpenCall>,
    /// Called with the complete reply, or with the error after which the stream ends.
    on_end: Vec<StreamCallback>,
}

type StreamCallback = Box<dyn FnOnce(std::result::Result<&Reply, &Error>) + Send>;

/// An event of a stream, whatever the protocol.
#[derive(Debug)]
pub(crate) enum Event {
    Text(String),
    Reasoning(String),
    /// The reply is complete.
    End(StreamEnd),
}

#[derive(Debug, Default)]
pub(crate) struct StreamEnd {
    pub(crate) tool_calls: Vec<ToolCall>,
    pub(crate) usage: Option<Usage>,
    pub(crate) model: Option<String>,
    pub(crate) finish: Option<FinishReason>,
    pub(crate) id: Option<String>,
    pub(crate) log_probs: Vec<TokenLogProb>,
}

impl StreamEnd {
    /// Completes a reply.
    pub(crate) fn write(self, reply: &mut Reply) {
        reply.tool_calls = self.tool_calls;
        reply.usage = self.usage;
        reply.model = self.model;
        reply.finish = self.finish;
        reply.id = self.id;
        reply.log_probs = self.log_probs;
    }
}

pub(crate) type Events = Pin<Box<dyn Stream<Item = Result<Event, CallError>> + Send>>;

/// Waits for the first event.
pub(crate) async fn begin_stream(mut events: Events) -> Result<Events, CallError> {
    let first = events.next().await.unwrap_or_else(|| {
        let message = "the stream ended without an event; the server may not support streaming";
        Err(CallError::protocol_error(message))
    })?;
    Ok(Box::pin(stream::iter([Ok(first)]).chain(events)))
}

impl ReplyStream {
    pub(crate) fn new(
        events: Events,
        structured: Option<Structured>,
        call: Option<OpenCall>,
    ) -> ReplyStream {
        let mut reply = Reply::default();
        reply.structured = structured;
        let redactor = call.as_ref().map(OpenCall::reply_redactor);
        ReplyStream {
            events: Some(events),
            reply,
            chunks: VecDeque::new(),
            failed: None,
            error: None,
            ended: false,
            redactor: redactor.unwrap_or_else(|| Redactor::new([])),
            text_parts: RedactedParts::default(),
            reasoning_parts: RedactedParts::default(),
            call,
            on_end: Vec::new(),
        }
    }

    /// Adds a function that is called with the complete reply, or with the error after which the stream ends.
    pub(crate) fn on_end(
        mut self,
        function: impl FnOnce(std::result::Result<&Reply, &Error>) + Send + 'static,
    ) -> ReplyStream {
        self.on_end.push(Box::new(function));
        self
    }

    /// The next chunk, or `None` after the end of the reply.
    ///
    /// # Errors
    /// The reply broke off. [`Error::answer`] contains the text that has arrived.
    pub async fn next(&mut self) -> Option<Result<Chunk>> {
        StreamExt::next(self).await
    }

    /// Waits for the end of the reply, and returns it.
    ///
    /// # Errors
    /// As [`next`](ReplyStream::next), also if `next` has returned the error before.
    pub async fn finish(mut self) -> Result<Reply> {
        while let Some(chunk) = self.next().await {
            chunk?;
        }
        match self.error.take() {
            Some(error) => Err(error),
            None => Ok(std::mem::take(&mut self.reply)),
        }
    }

    /// The text that has arrived so far: empty before the first chunk is read. The whole text is `stream.finish().await?.text`.
    #[doc(alias = "text")]
    pub fn text_so_far(&self) -> &str {
        &self.reply.text
    }

    /// The reasoning that has arrived so far, if the model separates it from the text.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// use typed_prompt::{Reply, client::ReplyStream, llm::Chunk};
    ///
    /// let mut reply = Reply::new("4");
    /// reply.reasoning = Some("Easy.".to_owned());
    /// let mut stream = ReplyStream::from(reply);
    /// assert_eq!(stream.next().await.unwrap()?, Chunk::Reasoning("Easy.".to_owned()));
    /// assert_eq!((stream.reasoning_so_far(), stream.text_so_far()), (Some("Easy."), ""));
    /// assert_eq!(stream.finish().await?.text, "4");
    /// # Ok::<(), typed_prompt::Error>(()) }).unwrap();
    /// ```
    #[doc(alias = "reasoning")]
    pub fn reasoning_so_far(&self) -> Option<&str> {
        self.reply.reasoning.as_deref()
    }

    /// The reply, once it is complete.
    pub fn reply(&self) -> Option<&Reply> {
        self.ended.then_some(&self.reply)
    }

    /// Adds an event to the reply, and its chunks to those that are returned.
    fn push(&mut self, event: Event) {
        match event {
            Event::Text(text) => {
                let reasoning = self.reasoning_parts.finish(&self.redactor);
                self.push_reasoning(reasoning);
                let text = self.text_parts.push(&self.redactor, &text);
                self.push_text(text);
            }
            Event::Reasoning(reasoning) => {
                let reasoning = self.reasoning_parts.push(&self.redactor, &reasoning);
                self.push_reasoning(reasoning);
            }
            Event::End(end) => {
                self.finish_texts();
                self.ended = true;
                self.events = None;
                end.write(&mut self.reply);
                self.redactor.redact_reply(&mut self.reply);
                let calls = self.reply.tool_calls.iter().cloned();
                self.chunks.extend(calls.map(Chunk::ToolCall));
                if let Some(call) = &self.call {
                    self.reply.cost = call.settings.cost_of(self.reply.usage);
                    call.span.record_reply(&self.reply);
                }
                for function in std::mem::take(&mut self.on_end) {
                    function(Ok(&self.reply));
                }
            }
        }
    }

    fn push_text(&mut self, text: String) {
        if !text.is_empty() {
            self.reply.text.push_str(&text);
            self.chunks.push_back(Chunk::Text(text));
        }
    }

    fn push_reasoning(&mut self, text: String) {
        if !text.is_empty() {
            self.reply.reasoning.get_or_insert_default().push_str(&text);
            self.chunks.push_back(Chunk::Reasoning(text));
        }
    }

    /// Adds the ends of the texts.
    fn finish_texts(&mut self) {
        let reasoning = self.reasoning_parts.finish(&self.redactor);
        self.push_reasoning(reasoning);
        let text = self.text_parts.finish(&self.redactor);
        self.push_text(text);
    }

    fn fail(&mut self, mut error: CallError) -> Error {
        self.events = None;
        if !self.text_so_far().is_empty() || self.reasoning_so_far().is_some() {
            error = error.after_interruption(&self.reply.text);
        }
        let error = match &self.call {
            Some(call) => call.record_failure(error),
            None => error.into_error(""),
        };
        for function in std::mem::take(&mut self.on_end) {
            function(Err(&error));
        }
        self.error = Some(error.clone());
        error
    }
}

/// A stream of a complete reply, for models in tests, in the parts of [`Reply::chunks`].
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use typed_prompt::{Reply, client::ReplyStream, llm::Chunk};
///
/// let mut stream = ReplyStream::from(Reply::new("Hello."));
/// assert_eq!(stream.next().await.unwrap()?, Chunk::Text("Hello.".to_owned()));
/// assert!(stream.next().await.is_none());
/// # Ok::<(), typed_prompt::Error>(()) }).unwrap();
/// ```
impl From<Reply> for ReplyStream {
    fn from(reply: Reply) -> ReplyStream {
        let parts = reply.chunks().filter_map(|chunk| match chunk {
            Chunk::Text(text) => Some(Event::Text(text)),
            Chunk::Reasoning(text) => Some(Event::Reasoning(text)),
            _ => None,
        });
        let parts: Vec<Event> = parts.collect();
        let end = Event::End(StreamEnd {
            tool_calls: reply.tool_calls,
            usage: reply.usage,
            model: reply.model,
            finish: reply.finish,
            id: reply.id,
            log_probs: reply.log_probs,
        });
        let events = parts.into_iter().chain([end]).map(Ok);
        let events = Box::pin(stream::iter(events));
        let mut stream = ReplyStream::new(events, reply.structured, None);
        stream.reply.cost = reply.cost;
        stream
    }
}

impl Stream for ReplyStream {
    type Item = Result<Chunk>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Chunk>>> {
        loop {
            if let Some(chunk) = self.chunks.pop_front() {
                return Poll::Ready(Some(Ok(chunk)));
            }
            if let Some(error) = self.failed.take() {
                return Poll::Ready(Some(Err(self.fail(error))));
            }
            let Some(events) = &mut self.events else {
                return Poll::Ready(None);
            };
            let event = ready!(events.as_mut().poll_next(cx))
                .unwrap_or_else(|| Err(CallError::incomplete_stream()));
            match event {
                Ok(event) => self.push(event),
                Err(error) => {
                    self.finish_texts();
                    self.failed = Some(error);
                }
            }
        }
    }
}

impl fmt::Debug for ReplyStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReplyStream")
            .field("bytes", &self.reply.text.len())
            .field("ended", &self.ended)
            .finish_non_exhaustive()
    }
}
