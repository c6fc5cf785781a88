//! The retry policy of requests.

use std::time::Duration;

use backon::{ExponentialBuilder, Retryable};

use crate::error::CallError;
use crate::rate_limit::limit::wait_for_attempt;
use crate::trace;

/// How often a request is retried, and after which delays.
///
/// A request is retried after a [transient](crate::CallErrorKind::is_transient) error: the status 429 (unless a quota is
/// exhausted), 408 or 5xx (except 501 and 505), a timeout, or a failed connection. The delays grow exponentially, with
/// jitter; a `retry-after` header of the server takes precedence. A request is never retried after a part of its answer
/// has been delivered.
///
/// ```
/// use std::time::Duration;
/// use typed_prompt::client::RetryPolicy;
///
/// let retry = RetryPolicy::default().max_retries(5).min_delay(Duration::from_millis(200));
/// assert_eq!(retry.max_delay, Duration::from_secs(60));
/// assert_eq!(RetryPolicy::none().max_retries, 0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
#[must_use = "a policy has an effect where it is given to a model"]
pub struct RetryPolicy {
    /// How often a request is retried at most. 2 by default.
    pub max_retries: usize,
    /// The first delay. Half a second by default.
    pub min_delay: Duration,
    /// The longest delay. A request is not retried if its server asks for a longer one. A minute by default.
    pub max_delay: Duration,
}

impl Default for RetryPolicy {
    fn default() -> RetryPolicy {
        RetryPolicy {
            // As in the SDKs of OpenAI and Anthropic.
            max_retries: 2,
            min_delay: Duration::from_millis(500),
            // Limits per minute have ended by then.
            max_delay: Duration::from_secs(60),
        }
    }
}

impl RetryPolicy {
    /// The default policy.
    ///
    /// ```
    /// use typed_prompt::client::RetryPolicy;
    ///
    /// assert_eq!(RetryPolicy::new().max_retries(5).max_retries, 5);
    /// ```
    pub fn new() -> RetryPolicy {
        RetryPolicy::default()
    }

    /// A policy that never retries.
    pub fn none() -> RetryPolicy {
        RetryPolicy::default().max_retries(0)
    }

    /// Sets how often a request is retried at most.
    pub fn max_retries(self, max_retries: usize) -> RetryPolicy {
        RetryPolicy {
            max_retries,
            ..self
        }
    }

    /// Sets the first delay.
    pub fn min_delay(self, min_delay: Duration) -> RetryPolicy {
        RetryPolicy { min_delay, ..self }
    }

    /// Sets the longest delay.
    pub fn max_delay(self, max_delay: Duration) -> RetryPolicy {
        RetryPolicy { max_delay, ..self }
    }

    /// Runs `attempt` until it succeeds, fails permanently, or the retries are used up. Returns the number of attempts too.
    pub(crate) async fn run_attempts<T, Fut>(
        self,
        mut attempt: impl FnMut() -> Fut,
    ) -> Result<(T, u32), CallError>
    where
        Fut: Future<Output = Result<T, CallError>>,
    {
        let mut attempts = 0;
        let backoff = ExponentialBuilder::new()
            .with_min_delay(self.min_delay)
            .with_max_delay(self.max_delay)
            .with_max_times(self.max_retries)
            // Calls that failed together would otherwise be sent again together.
            .with_jitter();
        let result = (|| {
            attempts += 1;
            let attempt = attempt();
            async move {
                wait_for_attempt().await?;
                attempt.await
            }
        })
        .retry(backoff)
        .sleep(tokio::time::sleep)
        .when(|error| error.kind().is_transient())
        .adjust(|error, delay| match (delay, error.retry_after()) {
            (Some(_), Some(requested)) => (requested <= self.max_delay).then_some(requested),
            (delay, _) => delay,
        })
        .notify(trace::record_retry)
        .await;
        match result {
            Ok(value) => Ok((value, attempts)),
            Err(error) => Err(error.with_attempts(attempts)),
        }
    }
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

    use super::*;
    use crate::error::CallErrorKind;

    async fn attempts(retry: RetryPolicy, error: CallError) -> u32 {
        retry
            .run_attempts(|| async { Err::<(), _>(error.clone()) })
            .await
            .unwrap_err()
            .attempts()
    }

    #[tokio::test]
    async fn only_transient_errors_are_retried() {
        let retry = RetryPolicy::default().min_delay(Duration::ZERO);
        assert_eq!(
            attempts(retry, CallError::new(CallErrorKind::Server, "")).await,
            3
        );
        assert_eq!(
            attempts(retry, CallError::new(CallErrorKind::Refused, "")).await,
            1
        );
        assert_eq!(
            attempts(
                RetryPolicy::none(),
                CallError::new(CallErrorKind::Server, "")
            )
            .await,
            1
        );
        let limited = |after| {
            let name = HeaderName::from_static("retry-after-ms");
            let headers = HeaderMap::from_iter([(name, HeaderValue::from_static(after))]);
            CallError::from_response(429, &headers, "")
        };
        assert_eq!(attempts(retry, limited("61000")).await, 1);
        assert_eq!(attempts(retry, limited("1")).await, 3);
    }
}
