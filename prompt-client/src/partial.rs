//! Typed output that is read from a reply while it is streamed.

use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Instant;

use futures_util::{Stream, StreamExt};
use prompt_core::output::{Parsed, Schema};
use prompt_core::{Answered, Error, ErrorKind, Prompt, Reply, Request, Result};

use crate::stream::ReplyStream;

/// A stream of partial outputs; see [`StreamingLlm::stream_partials`](crate::StreamingLlm::stream_partials).
///
/// It implements [`Stream`](futures_util::Stream) too.
#[must_use = "an answer arrives while its stream is read"]
pub struct PartialStream<P> {
    stream: ReplyStream,
    request: Request,
    begin: Instant,
    schema: Schema,
    /// The length of the text of the last partial output.
    parsed_bytes: usize,
    last: Option<Parsed>,
    /// The error after which the stream ended.
    error: Option<Error>,
    prompt: PhantomData<fn() -> P>,
}

impl<P: Prompt> PartialStream<P> {
    /// A stream of the reply to a request with this schema, which was sent at `begin`.
    pub(crate) fn new(
        stream: ReplyStream,
        request: Request,
        schema: &serde_json::Value,
        begin: Instant,
    ) -> Result<PartialStream<P>> {
        let schema = Schema::new(schema).map_err(|error| {
            Error::new(ErrorKind::Output, error.to_string()).with_prompt(&P::INFO)
        })?;
        Ok(PartialStream {
            stream,
            request,
            begin,
            schema,
            parsed_bytes: 0,
            last: None,
            error: None,
            prompt: PhantomData,
        })
    }

    /// The next partial output, or `None` after the end of the reply; [`finish`](PartialStream::finish) then returns the
    /// typed output.
    ///
    /// The last partial output is not the answer: if the reply breaks off, it is the beginning of an answer, and only `finish` returns the error.
    ///
    /// Fields that have not arrived are absent. [`Parsed::is_final`] returns whether a field is complete, and [`Parsed::to_partial`] the output
    /// with an `Option` for each field.
    ///
    /// # Errors
    /// As [`ReplyStream::next`], with the attempts of the call.
    pub async fn next(&mut self) -> Option<Result<Parsed>> {
        StreamExt::next(self).await
    }

    /// The partial output, if it differs from the last one.
    fn read_text(&mut self) -> Option<Parsed> {
        let text = self.stream.text_so_far();
        // A long text is parsed again only after it has grown by a fraction: parsing it for each chunk is quadratic.
        if text.len() - self.parsed_bytes < self.parsed_bytes / 256 + 1 {
            return None;
        }
        self.parsed_bytes = text.len();
        let parsed = self.schema.parse_partial(text)?;
        // The repairs may differ even if the value is the same.
        let same = |last: &Parsed| last.value == parsed.value && last.open == parsed.open;
        if self.last.as_ref().is_some_and(same) {
            return None;
        }
        self.last = Some(parsed.clone());
        Some(parsed)
    }

    /// Waits for the end of the reply, and parses it as the output type.
    ///
    /// # Errors
    /// As [`ReplyStream::next`], and if the reply does not match the output type.
    pub async fn finish(self) -> Result<P::Output> {
        self.detailed().await.map(|answered| answered.value)
    }

    /// As [`finish`](PartialStream::finish), with the reply and its tokens: see [`Call::detailed`](prompt_core::Call::detailed).
    ///
    /// # Errors
    /// As [`finish`](PartialStream::finish).
    pub async fn detailed(self) -> Result<Answered<P::Output>> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let reply = self.stream.finish().await;
        let reply = reply.map_err(|error| error.with_prompt(&P::INFO));
        Answered::from_reply::<P>(&self.request, reply, self.begin.elapsed())
    }

    /// The text that has arrived so far: empty before the first chunk is read. [`finish`](PartialStream::finish) returns the whole answer.
    #[doc(alias = "text")]
    pub fn text_so_far(&self) -> &str {
        self.stream.text_so_far()
    }

    /// The reasoning that has arrived so far, if the model separates it from the text.
    #[doc(alias = "reasoning")]
    pub fn reasoning_so_far(&self) -> Option<&str> {
        self.stream.reasoning_so_far()
    }

    /// The reply, once it is complete.
    pub fn reply(&self) -> Option<&Reply> {
        self.stream.reply()
    }
}

impl<P: Prompt> Stream for PartialStream<P> {
    type Item = Result<Parsed>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Parsed>>> {
        loop {
            match ready!(Pin::new(&mut self.stream).poll_next(cx)) {
                Some(Ok(_)) => {}
                Some(Err(error)) => {
                    let error = Err(error.with_prompt(&P::INFO));
                    let latency = self.begin.elapsed();
                    let answered = Answered::from_reply::<P>(&self.request, error, latency);
                    self.error = answered.as_ref().err().cloned();
                    return Poll::Ready(self.error.clone().map(Err));
                }
                None => return Poll::Ready(None),
            }
            if let Some(parsed) = self.read_text() {
                return Poll::Ready(Some(Ok(parsed)));
            }
        }
    }
}

impl<P> fmt::Debug for PartialStream<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PartialStream").field(&self.stream).finish()
    }
}
