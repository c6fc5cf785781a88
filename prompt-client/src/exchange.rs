//! A request and its answer, whole or streamed.

use prompt_core::{Reply, Request, Result, Structured};

use crate::answer::{self, AnswerReader, OnEnd, StreamLimits};
use crate::http::{Endpoint, ResponseBody};
use crate::open_call::OpenCall;
use crate::runtime::run_within;
use crate::sse::Framing;
use crate::stream::{ReplyStream, begin_stream};

impl OpenCall {
    /// Sends a request, and parses its answer.
    pub(crate) async fn send_request<R: AnswerReader>(
        &self,
        request: &Request,
        endpoint: &Endpoint,
        body: &str,
        structured: Option<Structured>,
        reader: impl Fn() -> (R, OnEnd),
    ) -> Result<Reply> {
        let attempt = || {
            run_within(self.options.timeout, async {
                let response = self.post_body(endpoint, body, ResponseBody::Json).await?;
                let (reader, on_end) = reader();
                answer::parse_response(&self.read_json(response).await?, reader, on_end)
            })
        };
        let (mut reply, _) = self.run_attempts(request, attempt).await?;
        reply.structured = structured;
        reply.cost = self.settings.cost_of(reply.usage);
        self.reply_redactor().redact_reply(&mut reply);
        Ok(reply)
    }

    /// Sends a request, and waits for the beginning of its streamed answer.
    #[expect(clippy::too_many_arguments, reason = "the parts of one exchange")]
    pub(crate) async fn open_stream<R: AnswerReader>(
        mut self,
        request: &Request,
        endpoint: &Endpoint,
        body: &str,
        framing: Framing,
        structured: Option<Structured>,
        reader: impl Fn() -> (R, OnEnd),
        model: Option<&str>,
    ) -> Result<ReplyStream> {
        let limits = StreamLimits {
            pause: self.options.timeout,
            max_bytes: self.settings.max_response_bytes,
        };
        let attempt = || async {
            let posted = self.post_body(endpoint, body, ResponseBody::Stream(framing));
            let response = run_within(self.options.timeout, posted).await?;
            let (reader, on_end) = reader();
            let frames = self.read_frames(response, framing);
            let model = model.map(str::to_owned);
            begin_stream(answer::stream_events(frames, reader, model, limits, on_end)).await
        };
        let (events, attempts) = self.run_attempts(request, attempt).await?;
        self.span.record_first_chunk();
        self.attempts = attempts;
        Ok(ReplyStream::new(events, structured, Some(self)))
    }
}
