//! A limit of the requests per time that a program sends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use prompt_core::{BoxFuture, Error, Likelihood, Llm, Reply, Request, Result};
use tokio::time::{Instant, sleep_until};

use crate::error::{CallError, CallErrorKind};
use crate::settings::check_runtime;
use crate::stream::{ReplyStream, StreamingLlm};

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
pub struct RateLimited<L> {
    model: L,
    limit: Limit,
}

#[derive(Clone, Debug)]
struct Limit {
    interval: Duration,
    /// How much earlier than at equal intervals a request may be sent.
    tolerance: Duration,
    /// When the next request is due at equal intervals.
    next: Arc<Mutex<Instant>>,
}

tokio::task_local! {
    /// The limits of the call that this task runs, and whether its first attempt was sent, for which the call has waited.
    static LIMITS: Vec<(Limit, Arc<AtomicBool>)>;
}

/// Waits until an attempt may be sent, if it belongs to a limited call.
pub(crate) async fn wait_for_attempt() -> Result<(), CallError> {
    for (limit, is_begun) in LIMITS.try_with(Clone::clone).unwrap_or_default() {
        if is_begun.swap(true, Ordering::Relaxed) {
            limit.wait_for_turn().await?;
        }
    }
    Ok(())
}

impl<L> RateLimited<L> {
    /// Limits the requests per period.
    ///
    /// # Errors
    /// The number of requests is 0, or the period is empty.
    pub fn new(model: L, requests: u32, period: Duration) -> Result<RateLimited<L>> {
        let refuse = |message: &str, help: &str| {
            let error = CallError::new(CallErrorKind::Setup, message);
            error.with_help(help).into_error("")
        };
        if period.is_zero() {
            let message = "a rate limit with an empty period limits nothing";
            return Err(refuse(
                message,
                "write a period such as `Duration::from_secs(60)`",
            ));
        }
        let interval = period.checked_div(requests).ok_or_else(|| {
            let message = "a rate limit of 0 requests never sends one";
            refuse(message, "write a number from 1")
        })?;
        Ok(RateLimited {
            model,
            limit: Limit {
                interval,
                tolerance: Duration::ZERO,
                next: Arc::new(Mutex::new(Instant::now())),
            },
        })
    }

    /// Sets how many requests may be sent at once after a pause. 1 by default.
    pub fn burst(mut self, requests: u32) -> RateLimited<L> {
        self.limit.tolerance = self.limit.interval * requests.saturating_sub(1);
        self
    }

    /// Runs a call, whose retries are limited too.
    async fn run_limited<T>(&self, call: impl Future<Output = Result<T>>) -> Result<T> {
        let turn = self.limit.wait_for_turn().await;
        turn.map_err(|error| error.into_error(""))?;
        let mut limits = LIMITS.try_with(Clone::clone).unwrap_or_default();
        limits.push((self.limit.clone(), Arc::default()));
        self.limit
            .delay_if_requested(LIMITS.scope(limits, call).await)
    }
}

impl Limit {
    /// Waits until a request may be sent.
    async fn wait_for_turn(&self) -> Result<(), CallError> {
        let now = Instant::now();
        let at = {
            let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
            let due = (*next).max(now);
            *next = due + self.interval;
            due.checked_sub(self.tolerance)
        };
        if let Some(at) = at.filter(|at| *at > now) {
            check_runtime()?;
            sleep_until(at).await;
        }
        Ok(())
    }

    /// Delays the next requests if the server asks for it.
    fn delay_if_requested<T>(&self, result: Result<T>) -> Result<T> {
        let requested = |error: &Error| CallError::source_of(error)?.retry_after();
        if let Some(delay) = result.as_ref().err().and_then(requested) {
            let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
            *next = (*next).max(Instant::now() + delay + self.tolerance);
        }
        result
    }
}

impl<L: Llm> Llm for RateLimited<L> {
    fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply>> {
        Box::pin(self.run_limited(self.model.send(request)))
    }

    fn default_output_retries(&self) -> u32 {
        self.model.default_output_retries()
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
}

impl<L: StreamingLlm> StreamingLlm for RateLimited<L> {
    fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<ReplyStream>> {
        Box::pin(self.run_limited(self.model.stream(request)))
    }
}
