//! Base URLs of servers.

use std::fmt;

use prompt_base::host::is_loopback;
use prompt_base::redact::{
    basic_credentials, may_be_key, may_be_secret, percent_decoded, query_secrets,
};

use crate::api_key::Secret;
use crate::error::{CallError, CallErrorKind, shown_url};

/// The base URL of a server, such as `http://localhost:8080/v1`.
///
/// Its user, password and query are never shown: some gateways expect the key there.
#[derive(Clone)]
pub(crate) struct BaseUrl(reqwest::Url);

impl BaseUrl {
    pub(crate) fn parse(text: &str) -> Result<BaseUrl, CallError> {
        let invalid = |reason: &str| {
            let message = format!("the base URL is invalid: {reason}");
            CallError::new(CallErrorKind::Setup, message)
        };
        let mut url =
            reqwest::Url::parse(text.trim()).map_err(|error| invalid(&error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(invalid(
                "it must begin with `http://` or `https://`, as in `http://localhost:8080/v1`",
            ));
        }
        url.set_fragment(None);
        // Without the slash, the last part of the path would be replaced by that of the endpoint.
        if !url.path().ends_with('/') {
            url.set_path(&format!("{}/", url.path()));
        }
        Ok(BaseUrl(url))
    }

    /// The URL of an endpoint below the base URL, with its query.
    pub(crate) fn endpoint(&self, path: &str) -> reqwest::Url {
        self.with_path(&format!("{}{path}", self.0.path()))
    }

    /// The help with the base URL that is probably meant, if the endpoint does not exist. `usual` is the base URL of the provider; it is empty for servers of users.
    pub(crate) fn correction(&self, endpoint: &reqwest::Url, usual: &str) -> Option<String> {
        let base = self.0.path();
        let below = endpoint.path().strip_prefix(base)?;
        let mut meant = self.0.clone();
        let last = format!("/{below}");
        if let Some(before) = base.trim_end_matches('/').strip_suffix(&last) {
            meant.set_path(before);
            let meant = shown_url(&meant);
            return Some(format!("the base URL is without `{below}`: use `{meant}`"));
        }
        let usual = reqwest::Url::parse(usual);
        let usual = usual.as_ref().map_or("/v1", reqwest::Url::path);
        let usual = usual.trim_end_matches('/');
        if base != "/" || usual.is_empty() {
            return None;
        }
        meant.set_path(usual);
        let meant = shown_url(&meant);
        Some(format!(
            "the path `{usual}` is missing: use the base URL `{meant}`"
        ))
    }

    /// The URL of an endpoint beside `v1` instead of below it.
    pub(crate) fn endpoint_beside_v1(&self, path: &str) -> reqwest::Url {
        let root = self.0.path().trim_end_matches("v1/");
        self.with_path(&format!("{root}{path}"))
    }

    fn with_path(&self, path: &str) -> reqwest::Url {
        let mut url = self.0.clone();
        url.set_path(path);
        url
    }

    pub(crate) fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// Whether the connection is encrypted, or ends on this machine.
    pub(crate) fn is_confidential(&self) -> bool {
        self.0.scheme() == "https" || is_loopback(self.host())
    }

    /// Whether the URL contains a user or a password.
    pub(crate) fn has_credentials(&self) -> bool {
        !self.0.username().is_empty() || self.0.password().is_some()
    }

    pub(crate) fn port(&self) -> Option<u16> {
        self.0.port_or_known_default()
    }

    /// The parts of the URL that may be secret: its password, or a user without one, also as a request contains them, and its query.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = Secret> {
        let query = self.0.query().unwrap_or_default();
        let whole = Some(percent_decoded(query)).filter(|query| may_be_secret(query));
        let of_query = query_secrets(query).chain(whole);
        of_query.map(Secret::new).chain(self.credentials())
    }

    /// Those of them that are redacted from answers, which may contain words of the query.
    pub(crate) fn secrets_in_answers(&self) -> impl Iterator<Item = Secret> {
        let of_query = query_secrets(self.0.query().unwrap_or_default());
        let keys = of_query.filter(|value| may_be_key(value));
        keys.map(Secret::new).chain(self.credentials())
    }

    fn credentials(&self) -> impl Iterator<Item = Secret> {
        let user = percent_decoded(self.0.username());
        let password = percent_decoded(self.0.password().unwrap_or_default());
        let mut texts = Vec::new();
        if self.has_credentials() {
            texts.push(basic_credentials(&user, &password));
            texts.push(if password.is_empty() { user } else { password });
        }
        texts.into_iter().map(Secret::new)
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown_url(&self.0))
    }
}

impl fmt::Debug for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::Redactor;

    #[test]
    fn endpoints_keep_the_path_and_the_query() {
        let endpoint = |base: &str| {
            BaseUrl::parse(base)
                .unwrap()
                .endpoint("completions")
                .to_string()
        };
        assert_eq!(
            endpoint("http://localhost:1/v1"),
            "http://localhost:1/v1/completions"
        );
        assert_eq!(
            endpoint("http://localhost:1/v1/"),
            "http://localhost:1/v1/completions"
        );
        assert_eq!(
            endpoint("http://localhost:1"),
            "http://localhost:1/completions"
        );
        assert_eq!(
            endpoint("https://h.example/a?v=2"),
            "https://h.example/a/completions?v=2"
        );
    }

    #[test]
    fn secrets_in_a_base_url_are_redacted() {
        let url = BaseUrl::parse("https://me:hush@h.example:8443/v1?key=k3y").unwrap();
        assert_eq!(format!("{url:?}"), "https://h.example:8443/v1/");
        let redactor = Redactor::new(url.secrets());
        for (text, redacted) in [
            ("key=k3y hush", "[key] [key]"),
            ("Basic bWU6aHVzaA==", "Basic [key]=="),
            ("Basic bWU6aHVzaA%3D%3D", "Basic [key]%3D%3D"),
            ("me", "me"),
        ] {
            assert_eq!(redactor.redact_error_text(text), redacted);
        }
        let url = redactor.redact_error_text(&format!("for {}", url.0));
        assert_eq!(url, "for https://me:[key]@h.example:8443/v1/?[key]");
        let url = "https://t0ken@h.example/v1?code=s3%2Fcret&api-version=2024-10-21";
        let redactor = Redactor::new(BaseUrl::parse(url).unwrap().secrets());
        assert_eq!(
            redactor.redact_error_text("t0ken: s3/cret or s3%2fcret, dDBrZW46, since 2024-10-21"),
            "[key]: [key] or [key], [key], since 2024-10-21"
        );
        // The text ends inside the whole query.
        let text = redactor.redact_error_text("unknown code=s3%2Fcret");
        assert_eq!(text, "unknown code=[key]");
    }

    #[test]
    fn words_and_numbers_of_a_query_stay_in_errors() {
        for query in ["true", "8080", "v=1", "stream=true&timeout=3600"] {
            let url = BaseUrl::parse(&format!("https://h.example/v1?{query}")).unwrap();
            let text = "is it true that 8080 and 3600 are numbers, v=1?";
            assert_eq!(
                Redactor::new(url.secrets()).redact_error_text(text),
                text,
                "{query}"
            );
        }
    }

    #[test]
    fn words_of_a_query_stay_in_answers() {
        let url = "https://h.example/v1?deployment=production&key=AIzaSyD-9tSrke72PouQMnMX";
        let url = BaseUrl::parse(url).unwrap();
        let redactor = Redactor::new(url.secrets_in_answers());
        let text = redactor.redact_error_text("production AIzaSyD-9tSrke72PouQMnMX");
        assert_eq!(text, "production [key]");
    }

    #[test]
    fn encrypted_and_local_connections_are_confidential() {
        for (url, confidential) in [
            ("https://h.example", true),
            ("http://localhost:1", true),
            ("http://LOCALHOST", true),
            ("http://api.localhost", true),
            ("http://127.0.0.1:1", true),
            ("http://127.8.9.1", true),
            ("http://[::1]:1", true),
            ("http://h.example", false),
            ("http://localhost.h.example", false),
            ("http://10.0.0.2", false),
            ("http://0.0.0.0", false),
            ("http://127.0.0.1.h.example", false),
        ] {
            let url = BaseUrl::parse(url).unwrap();
            assert_eq!(url.is_confidential(), confidential, "{url}");
        }
    }

    #[test]
    fn invalid_urls_are_rejected() {
        assert!(BaseUrl::parse("localhost:8080").is_err());
        assert!(BaseUrl::parse("").is_err());
        assert!(BaseUrl::parse("ftp://h.example").is_err());
    }
}
