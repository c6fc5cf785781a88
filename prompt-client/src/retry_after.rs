//! The `retry-after` headers of servers.

use std::time::{Duration, SystemTime};

use reqwest::header::HeaderMap;

/// The delay that a server asks for: `retry-after-ms`, or `retry-after` in seconds or as a date.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    // OpenAI sends both, and the other one is rounded up to seconds.
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
}
