use std::time::{Duration, SystemTime};

use backon::{BackoffBuilder, ExponentialBuilder, Retryable};

use crate::failure::Failure;
use crate::trace;

/// How often a request is sent again, and after how long.
///
/// A request is repeated when the server is busy or failed (status 429, 408 or 5xx; not 501 and 505, nor 429 for a quota that
/// is used up), when nothing came in time, and when there was no connection. The pauses double, with some chance in them; a server that says `retry-after` is given just
/// that long. Nothing is repeated once a part of an answer has been delivered.
///
/// ```
/// use std::time::Duration;
/// use prompt_client::Retry;
///
/// let retry = Retry { times: 5, first: Duration::from_millis(200), ..Retry::default() };
/// assert_eq!(Retry::none().times, 0);
/// # assert_eq!(retry.longest, Duration::from_secs(60));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Retry {
    /// How often a request is sent again at most.
    pub times: usize,
    /// The first pause.
    pub first: Duration,
    /// The longest pause. A server that asks for a longer one is not asked again.
    pub longest: Duration,
}

impl Default for Retry {
    fn default() -> Retry {
        Retry {
            times: 2,
            first: Duration::from_millis(500),
            longest: Duration::from_secs(60),
        }
    }
}

impl Retry {
    /// Every request is sent once.
    pub fn none() -> Retry {
        Retry {
            times: 0,
            ..Retry::default()
        }
    }

    /// Runs `attempt` until it succeeds, fails for good, or was run often enough.
    pub(crate) async fn run<T, Fut>(
        self,
        mut attempt: impl FnMut() -> Fut,
    ) -> Result<(T, u32), Failure>
    where
        Fut: Future<Output = Result<T, Failure>>,
    {
        let mut attempts = 0;
        let pauses = ExponentialBuilder::new()
            .with_min_delay(self.first)
            .with_max_delay(self.longest)
            .with_max_times(self.times)
            .with_jitter();
        debug_assert!(pauses.build().count() >= self.times);
        let outcome = (|| {
            attempts += 1;
            attempt()
        })
        .retry(pauses)
        .sleep(tokio::time::sleep)
        .when(|failure| failure.cause().is_passing())
        .adjust(|failure, pause| match (pause, failure.retry_after()) {
            (Some(_), Some(asked)) => (asked <= self.longest).then_some(asked),
            (pause, _) => pause,
        })
        .notify(trace::retry)
        .await;
        match outcome {
            Ok(value) => Ok((value, attempts)),
            Err(failure) => Err(failure.with_attempts(attempts)),
        }
    }
}

/// How long a server asks to wait: `retry-after-ms`, or `retry-after` in seconds or as a date.
pub(crate) fn asked(headers: &reqwest::header::HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    if let Some(milliseconds) = text("retry-after-ms").and_then(|text| text.parse::<f64>().ok()) {
        return Duration::try_from_secs_f64(milliseconds / 1000.0).ok();
    }
    let after = text("retry-after")?;
    match after.parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        Err(_) => Some(
            date(after)?
                .duration_since(SystemTime::now())
                .unwrap_or_default(),
        ),
    }
}

/// Reads a date as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT`.
fn date(text: &str) -> Option<SystemTime> {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let mut words = text.strip_suffix(" GMT")?.split_once(", ")?.1.split(' ');
    let day: u64 = words.next()?.parse().ok()?;
    let month = words
        .next()
        .filter(|name| name.len() == 3)
        .and_then(|name| MONTHS.find(name))? as u64
        / 3;
    let year: u64 = words
        .next()?
        .parse()
        .ok()
        .filter(|year| (1970..10_000).contains(year))?;
    let mut clock = words
        .next()?
        .split(':')
        .map(|part| part.parse::<u64>().ok());
    let (hour, minute, second) = (clock.next()??, clock.next()??, clock.next()??);
    if !(1..=31).contains(&day) || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    // Days before a month, with the year beginning in March so that the leap day is its last.
    let (march_year, march_month) = if month < 2 {
        (year - 1, month + 10)
    } else {
        (year, month - 2)
    };
    let days = march_year * 365 + march_year / 4 - march_year / 100 + march_year / 400;
    let days = days + (march_month * 153 + 2) / 5 + day - 1;
    let since_1970 = days.checked_sub(719_468)? * 86_400 + hour * 3600 + minute * 60 + second;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(since_1970))
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

    use super::*;
    use crate::failure::Cause;

    fn header(name: &'static str, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(
            HeaderName::from_static(name),
            HeaderValue::from_str(value).unwrap(),
        )])
    }

    #[test]
    fn all_three_ways_to_ask_for_a_pause_are_read() {
        assert_eq!(
            asked(&header("retry-after", "7")),
            Some(Duration::from_secs(7))
        );
        assert_eq!(
            asked(&header("retry-after-ms", "250")),
            Some(Duration::from_millis(250))
        );
        assert_eq!(
            asked(&header("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT")),
            Some(Duration::ZERO)
        );
        assert!(
            asked(&header("retry-after", "Fri, 31 Dec 9999 23:59:59 GMT")).unwrap()
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
            assert_eq!(asked(&header("retry-after", wrong)), None, "{wrong}");
        }
    }

    #[test]
    fn dates_are_counted_right() {
        let seconds = |text: &str| {
            date(text)
                .unwrap()
                .duration_since(SystemTime::UNIX_EPOCH)
                .unwrap()
                .as_secs()
        };
        assert_eq!(seconds("Thu, 01 Jan 1970 00:00:00 GMT"), 0);
        assert_eq!(seconds("Sun, 06 Nov 1994 08:49:37 GMT"), 784_111_777);
        assert_eq!(seconds("Thu, 29 Feb 2024 12:00:00 GMT"), 1_709_208_000);
    }

    async fn attempts(retry: Retry, failure: Failure) -> u32 {
        retry
            .run(|| async { Err::<(), _>(failure.clone()) })
            .await
            .unwrap_err()
            .attempts()
    }

    #[tokio::test]
    async fn only_what_may_pass_is_tried_again() {
        let retry = Retry {
            first: Duration::ZERO,
            ..Retry::default()
        };
        assert_eq!(attempts(retry, Failure::new(Cause::Server, "")).await, 3);
        assert_eq!(attempts(retry, Failure::new(Cause::Refused, "")).await, 1);
        assert_eq!(
            attempts(Retry::none(), Failure::new(Cause::Server, "")).await,
            1
        );
        let too_long = Failure::status_of(429, Some(Duration::from_secs(61)), "");
        assert_eq!(attempts(retry, too_long).await, 1);
        let short = Failure::status_of(429, Some(Duration::from_millis(1)), "");
        assert_eq!(attempts(retry, short).await, 3);
    }
}
