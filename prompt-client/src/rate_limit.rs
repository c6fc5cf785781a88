//! A limit of the requests per time that a program sends.

pub(crate) mod limit;

use std::time::Duration;

use limit::Limit;
use prompt_core::{BoxFuture, Likelihood, Llm, ModelInfo, OnChunk, Reply, Request, Result};

use crate::error::CallError;
use crate::stream::ReplyStream;
use crate::streaming_llm::{StreamingLlm, send_methods, send_to};

/// A model that receives a limited number of requests per time. Clones share the limit.
///
/// Requests wait for their turn, in order, at equal intervals. After a rate limit of the server (status 429), all wait as
/// long as its `retry-after` header asks. [`Options::timeout`](prompt_core::Options::timeout) does not include the wait.
/// [Retries](crate::RetryPolicy) and [fallbacks](crate::Fallback) inside of the model are requests: each of them waits for its turn too.
///
/// ```
/// use std::time::Duration;
/// use typed_prompt::{Llm, Message, Messages, MockLlm, client::RateLimited};
///
/// let llm = RateLimited::new(MockLlm::new(["Hi."]), 500, Duration::from_secs(60))?.burst(10);
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// assert_eq!(llm.call(&Messages::from([Message::user("Hello")])).await?, "Hi.");
/// # Ok::<(), typed_prompt::Error>(()) }).unwrap();
/// assert!(RateLimited::new(MockLlm::new(["Hi."]), 0, Duration::from_secs(60)).is_err());
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "this is a model of its own: call it in place of the one inside"]
pub struct RateLimited<L> {
    model: L,
    limit: Limit,
}

impl<L> RateLimited<L> {
    /// Limits the requests per period.
    ///
    /// # Errors
    /// The number of requests is 0, or the period is empty.
    pub fn new(model: L, requests: u32, period: Duration) -> Result<RateLimited<L>> {
        if period.is_zero() {
            let message = "a rate limit with an empty period limits nothing";
            let help = "write a period such as `Duration::from_secs(60)`";
            return Err(CallError::refuse_setting(message, help));
        }
        let interval = period.checked_div(requests).ok_or_else(|| {
            let message = "a rate limit of 0 requests never sends one";
            CallError::refuse_setting(message, "write a number from 1")
        })?;
        Ok(RateLimited {
            model,
            limit: Limit::new(interval),
        })
    }

    /// Sets how many requests may be sent at once after a pause. 1 by default.
    pub fn burst(mut self, requests: u32) -> RateLimited<L> {
        self.limit.allow_burst(requests);
        self
    }

    /// Runs a call, whose retries are limited too.
    async fn run_limited<T>(&self, call: impl Future<Output = Result<T>>) -> Result<T> {
        let turn = self.limit.wait_for_turn().await;
        turn.map_err(|error| error.into_error(""))?;
        self.limit.run_with_limited_retries(call).await
    }
}

impl<L: Llm> RateLimited<L> {
    async fn send_to(&self, request: &Request, on_chunk: Option<OnChunk<'_>>) -> Result<Reply> {
        self.run_limited(send_to(&self.model, request, on_chunk))
            .await
    }
}

impl<L: Llm> Llm for RateLimited<L> {
    send_methods!();

    fn default_output_retries(&self) -> u32 {
        self.model.default_output_retries()
    }

    fn model_info(&self) -> Option<ModelInfo> {
        self.model.model_info()
    }
}

impl<L: Likelihood> Likelihood for RateLimited<L> {
    fn score_tokens<'a>(
        &'a self,
        context: &'a str,
        answer: &'a str,
    ) -> BoxFuture<'a, Result<Vec<f64>>> {
        Box::pin(self.run_limited(self.model.score_tokens(context, answer)))
    }

    fn model_info(&self) -> Option<ModelInfo> {
        self.model.model_info()
    }
}

impl<L: StreamingLlm> StreamingLlm for RateLimited<L> {
    fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<ReplyStream>> {
        Box::pin(self.run_limited(self.model.stream(request)))
    }
}
