//! The retry policy of requests, and the `retry-after` headers of servers.

use std::time::{Duration, SystemTime};

use backon::{ExponentialBuilder, Retryable};
use reqwest::header::HeaderMap;

use crate::error::CallError;
use crate::rate_limit::wait_for_attempt;
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
            max_retries: 2,
            min_delay: Duration::from_millis(500),
            max_delay: Duration::from_secs(60),
        }
    }
}

impl RetryPolicy {
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

/// The delay that a server asks for: `retry-after-ms`, or `retry-after` in seconds or as a date.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    if let Some(milliseconds) = value("retry-after-ms").and_then(|text| text.parse::<f64>().ok()) {
        return Duration::try_from_secs_f64(milliseconds / 1000.0).ok();
    }
    let after = value("retry-after")?;
    match after.parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        Err(_) => {
            let date = httpdate::parse_http_date(after).ok()?;
            Some(date.duration_since(SystemTime::now()).unwrap_or_default())
        }
    }
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;
    use crate::error::CallErrorKind;

    fn header(name: &'static str, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(
            HeaderName::from_static(name),
            HeaderValue::from_str(value).unwrap(),
        )])
    }

    #[test]
    fn retry_after_headers_are_parsed() {
        assert_eq!(
            retry_after(&header("retry-after", "7")),
            Some(Duration::from_secs(7))
        );
        assert_eq!(
            retry_after(&header("retry-after-ms", "250")),
            Some(Duration::from_millis(250))
        );
        assert_eq!(
            retry_after(&header("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT")),
            Some(Duration::ZERO)
        );
        assert!(
            retry_after(&header("retry-after", "Fri, 31 Dec 9999 23:59:59 GMT")).unwrap()
                > Duration::from_secs(1)
        );
        for wrong in [
            "",
            "soon",
            "-1",
            "NaN",
            "Sun, 99 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994",
        ] {
            assert_eq!(retry_after(&header("retry-after", wrong)), None, "{wrong}");
        }
    }

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
        let limited = |after| CallError::from_response(429, &header("retry-after-ms", after), "");
        assert_eq!(attempts(retry, limited("61000")).await, 1);
        assert_eq!(attempts(retry, limited("1")).await, 3);
    }
}
