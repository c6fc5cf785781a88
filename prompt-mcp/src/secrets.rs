//! The secrets of a connection, which servers may repeat in their errors.

/// Texts that no error contains: the token, and the values of the URL's query.
#[derive(Default)]
pub(crate) struct Secrets(Vec<String>);

/// What replaces a secret.
const REDACTED: &str = "[secret]";

/// Shorter values of a query, such as `v1`, stay in errors: they may be parts of words.
#[cfg(feature = "mcp-http")]
const MIN_QUERY_VALUE: usize = 4;

impl Secrets {
    #[cfg(feature = "mcp-http")]
    pub(crate) fn new(url: &str, token: Option<&str>) -> Secrets {
        let url = url.parse::<prompt_client::reqwest::Url>().ok();
        // As they are sent, and decoded. A name without a value is a value.
        let pairs = url.iter().flat_map(|url| url.query_pairs());
        let decoded = pairs.map(|(name, value)| match value.is_empty() {
            true => name.into_owned(),
            false => value.into_owned(),
        });
        let query = url.as_ref().and_then(|url| url.query());
        let pairs = query.unwrap_or_default().split('&');
        let sent = pairs.map(|pair| match pair.split_once('=') {
            Some((name, "")) => name,
            Some((_, value)) => value,
            None => pair,
        });
        let values = decoded.chain(sent.map(str::to_owned));
        let values = values.filter(|value| value.len() >= MIN_QUERY_VALUE);
        let token = token.filter(|token| !token.is_empty()).map(str::to_owned);
        let mut secrets: Vec<String> = values.chain(token).collect();
        // One may be a part of another.
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        Secrets(secrets)
    }

    /// The text without the secrets.
    pub(crate) fn redact(&self, text: &str) -> String {
        let secrets = self.0.iter();
        secrets.fold(text.to_owned(), |text, secret| {
            text.replace(secret, REDACTED)
        })
    }
}
