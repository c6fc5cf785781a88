//! The secrets of a connection, which servers may repeat in their errors.

use prompt_base::redact::Redactor;

/// The texts that no error contains: the token, the values of the URL's query, and long segments of its path.
pub(crate) type Secrets = Redactor<String>;

/// What replaces a secret.
const REDACTED: &str = "[secret]";

/// Shorter values of a query, such as `v1`, stay in errors: they may be parts of words.
#[cfg(feature = "mcp-http")]
const MIN_QUERY_VALUE: usize = 4;

/// Some servers have their key in the path. Shorter segments, such as `mcp`, are words that an error needs.
#[cfg(feature = "mcp-http")]
const MIN_PATH_SEGMENT: usize = 16;

/// The secrets of a connection that has none.
pub(crate) fn no_secrets() -> Secrets {
    Redactor::new([], REDACTED)
}

/// The secrets of a connection to a URL.
#[cfg(feature = "mcp-http")]
pub(crate) fn secrets_of_url(url: &prompt_client::reqwest::Url, token: Option<&str>) -> Secrets {
    // As they are sent, and decoded. A name without a value is a value.
    let decoded = url
        .query_pairs()
        .map(|(name, value)| match value.is_empty() {
            true => name.into_owned(),
            false => value.into_owned(),
        });
    let pairs = url.query().unwrap_or_default().split('&');
    let sent = pairs.map(|pair| match pair.split_once('=') {
        Some((name, "")) => name,
        Some((_, value)) => value,
        None => pair,
    });
    let values = decoded.chain(sent.map(str::to_owned));
    let values = values.filter(|value| value.len() >= MIN_QUERY_VALUE);
    let segments = url.path().split('/');
    let segments = segments.filter(|segment| segment.len() >= MIN_PATH_SEGMENT);
    let values = values.chain(segments.map(str::to_owned));
    Redactor::new(values.chain(token.map(str::to_owned)), REDACTED)
}
