//! The secrets of a connection, which servers may repeat in their errors and results.

#[cfg(feature = "mcp-http")]
use prompt_base::redact::query_secrets;
use prompt_base::redact::{Redactor, may_be_key};

/// The texts that no error and no result contains: the token, the values of the URL's query, and long segments of its path.
pub(crate) struct Secrets {
    errors: Redactor<String>,
    results: Redactor<String>,
}

impl Secrets {
    /// The token, and parts of the URL.
    fn new(token: Option<&str>, parts: Vec<String>) -> Secrets {
        let keys = parts.iter().filter(|part| may_be_key(part));
        let keys: Vec<String> = keys.cloned().collect();
        let token = || token.map(str::to_owned);
        let results = Redactor::new(keys.into_iter().chain(token()), REDACTED).for_answers();
        let errors = Redactor::new(parts.into_iter().chain(token()), REDACTED);
        Secrets { errors, results }
    }

    /// Replaces the secrets in the text of an error.
    pub(crate) fn redact_error_text(&self, text: &str) -> String {
        self.errors.redact_text(text)
    }

    /// Replaces the secrets in a text that the model receives. Short ones stay: they may be words of it.
    pub(crate) fn redact_result_text(&self, text: &str) -> String {
        self.results.redact_text(text)
    }
}

/// What replaces a secret.
const REDACTED: &str = "[secret]";

/// Some servers have their key in the path. Shorter segments, such as `mcp`, are words that an error needs.
#[cfg(feature = "mcp-http")]
const MIN_PATH_SEGMENT: usize = 16;

/// The secrets of a connection that has none.
pub(crate) fn no_secrets() -> Secrets {
    Secrets::new(None, Vec::new())
}

/// The secrets of a connection to a URL.
#[cfg(feature = "mcp-http")]
pub(crate) fn secrets_of_url(url: &prompt_client::reqwest::Url, token: Option<&str>) -> Secrets {
    let segments = url.path().split('/');
    let segments = segments.filter(|segment| segment.len() >= MIN_PATH_SEGMENT);
    let values = query_secrets(url.query().unwrap_or_default());
    Secrets::new(token, segments.map(str::to_owned).chain(values).collect())
}
