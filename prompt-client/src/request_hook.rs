//! The function of a program that adds headers to each HTTP request, such as a signature.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

use prompt_base::redact::{may_be_key, may_be_secret, percent_decoded};
use prompt_core::BoxFuture;
use reqwest::header::{
    AUTHORIZATION, CONTENT_LENGTH, COOKIE, HeaderMap, HeaderName, HeaderValue, PROXY_AUTHORIZATION,
    TRANSFER_ENCODING,
};
use reqwest::{Method, Request, Url};

use crate::api_key::Secret;
use crate::error::{CallError, CallErrorKind, shown_url};

/// An HTTP request that is about to be sent, for the function of [`ChatModel::on_request`](crate::ChatModel::on_request).
///
/// The headers contain the API key, if there is one. Those that the HTTP client adds are not among them: `host`, `content-length`, and the default headers of
/// [`http_client`](crate::ChatModel::http_client).
///
/// ```
/// use typed_prompt::client::{HookError, HttpRequest, reqwest::header::HeaderMap};
///
/// async fn add_path(request: HttpRequest) -> Result<HeaderMap, HookError> {
///     let signed = format!("{} {} {}", request.method(), request.url().path(), request.body().len());
///     Ok(HeaderMap::from_iter([("x-signed".parse()?, signed.parse()?)]))
/// }
/// ```
#[derive(Clone)]
pub struct HttpRequest {
    method: Method,
    url: Url,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl HttpRequest {
    /// The method: `POST`, and `DELETE` for stored prompts.
    pub fn method(&self) -> &Method {
        &self.method
    }

    /// The URL, with its query.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// The headers.
    pub fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// The bytes of the body.
    pub fn body(&self) -> &[u8] {
        &self.body
    }
}

/// Without the query of the URL, the key and the body.
impl fmt::Debug for HttpRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpRequest")
            .field("method", &self.method)
            .field("url", &shown_url(&self.url))
            .field("headers", &self.headers)
            .finish_non_exhaustive()
    }
}

/// The error of a function of [`ChatModel::on_request`](crate::ChatModel::on_request): the request is not sent.
///
/// Any error is converted by `?`. Its text is not shown, since it may contain credentials: [`new`](HookError::new) has the text to show.
///
/// ```
/// use typed_prompt::client::HookError;
///
/// fn secret() -> Result<Vec<u8>, HookError> {
///     if !std::path::Path::new("/run/secrets").exists() {
///         return Err(HookError::new("the secrets are not mounted"));
///     }
///     Ok(std::fs::read("/run/secrets/hmac")?)
/// }
/// # let _ = secret();
/// ```
#[derive(Clone, Debug)]
pub struct HookError {
    message: String,
    is_transient: bool,
}

impl HookError {
    /// An error with this text. It is the text of the call's error too.
    pub fn new(message: impl Into<String>) -> HookError {
        HookError {
            message: message.into(),
            is_transient: false,
        }
    }

    /// Returns the error as one after which the request is retried, as the [`RetryPolicy`](crate::RetryPolicy) defines: for credentials that could not be fetched now.
    ///
    /// ```
    /// use typed_prompt::client::HookError;
    ///
    /// let error = HookError::new("the vault cannot be reached").transient();
    /// ```
    #[must_use]
    pub fn transient(mut self) -> HookError {
        self.is_transient = true;
        self
    }
}

impl<E: StdError + Send + Sync + 'static> From<E> for HookError {
    fn from(_: E) -> HookError {
        let kind = std::any::type_name::<E>();
        HookError::new(format!("a `{kind}`, whose text may contain credentials"))
    }
}

type Hook = dyn Fn(HttpRequest) -> BoxFuture<'static, Result<HeaderMap, HookError>> + Send + Sync;

/// The function that adds headers.
#[derive(Clone)]
pub(crate) struct RequestHook(Arc<Hook>);

impl RequestHook {
    pub(crate) fn new<F, Fut>(hook: F) -> RequestHook
    where
        F: Fn(HttpRequest) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<HeaderMap, HookError>> + Send + 'static,
    {
        RequestHook(Arc::new(move |request| Box::pin(hook(request))))
    }

    /// Adds the headers to a request, and returns what of them is secret.
    pub(crate) async fn add_headers(
        &self,
        request: &mut Request,
    ) -> Result<Vec<HeaderSecret>, CallError> {
        let body = request.body().and_then(reqwest::Body::as_bytes);
        let seen = HttpRequest {
            method: request.method().clone(),
            url: request.url().clone(),
            headers: request.headers().clone(),
            body: body.unwrap_or_default().to_vec(),
        };
        let url = shown_url(request.url());
        let host = request.url().host_str().unwrap_or_default().to_owned();
        let added = (self.0)(seen).await;
        let added = added.map_err(|error| failed(&host, &error))?;
        if let Some(name) = [CONTENT_LENGTH, TRANSFER_ENCODING]
            .iter()
            .find(|name| added.contains_key(*name))
        {
            let message =
                format!("the function of `on_request` sets `{name}`, which the HTTP client sets");
            let error = CallError::new(CallErrorKind::Setup, message);
            return Err(error.with_help("leave the header out"));
        }
        let mut secrets = Vec::new();
        for (name, value) in &added {
            secrets_of_header(&url, name, value, &mut secrets);
        }
        let names: Vec<HeaderName> = added.keys().cloned().collect();
        let headers = request.headers_mut();
        for name in names {
            headers.remove(&name);
            for value in added.get_all(&name) {
                let mut value = value.clone();
                value.set_sensitive(true);
                headers.append(&name, value);
            }
        }
        Ok(secrets)
    }
}

impl fmt::Debug for RequestHook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RequestHook")
    }
}

fn failed(host: &str, error: &HookError) -> CallError {
    let kind = match error.is_transient {
        true => CallErrorKind::Connection,
        false => CallErrorKind::Key,
    };
    let message = format!(
        "the function of `on_request` failed for `{host}`: {}",
        error.message
    );
    CallError::new(kind, message).with_help(
        "the request was not sent; return `HookError::new(…)` for an error with another text",
    )
}

/// A secret in a header.
#[derive(Clone)]
pub(crate) struct HeaderSecret {
    pub(crate) secret: Secret,
    /// Whether it is redacted from answers too, which may contain words of other headers.
    pub(crate) is_key: bool,
}

/// Adds the value of a header and its parts, which the error of a server may quote alone: keys in a list, the values of parameters
/// (`Credential=…, Signature=…`) and the keys in a path (`AKID…/20261127/us-east-1`). What errors show of the URL is not secret.
fn secrets_of_header(
    shown_url: &str,
    name: &HeaderName,
    value: &HeaderValue,
    secrets: &mut Vec<HeaderSecret>,
) {
    let text = String::from_utf8_lossy(value.as_bytes());
    let shown_url = percent_decoded(shown_url);
    let has_scheme = [AUTHORIZATION, PROXY_AUTHORIZATION].contains(name);
    let has_keys = *name == COOKIE || value.is_sensitive();
    // `Bearer` and other schemes are words.
    let credentials = match text.trim().split_once(' ') {
        Some((_, credentials)) if has_scheme => credentials.trim(),
        _ => text.trim(),
    };
    let mut push = |part: &str, is_key: bool| {
        if may_be_secret(part) && !shown_url.contains(&percent_decoded(part)) {
            let secret = Secret::new(part.to_owned());
            secrets.push(HeaderSecret { secret, is_key });
        }
    };
    // A list of names, such as those of signed headers, is not a key.
    let is_key = |part: &str| may_be_key(part) && !part.contains(';');
    push(credentials, has_scheme || has_keys || is_key(credentials));
    for item in items(credentials, *name == COOKIE) {
        let item = item.trim_end_matches(';');
        let Some((_, value)) = item.split_once('=') else {
            // Other items are words, such as the names of headers.
            let item = item.trim_matches('"');
            if is_key(item) {
                push(item, true);
            }
            continue;
        };
        push(item, is_key(item));
        let value = value.trim_matches('"');
        push(value, has_keys || is_key(value));
        let segments = value.split('/').filter(|segment| *segment != value);
        segments
            .filter(|segment| is_key(segment))
            .for_each(|segment| push(segment, true));
    }
}

/// The items of a list. A text in quotes is not divided.
fn items(list: &str, is_cookie: bool) -> impl Iterator<Item = &str> {
    let has_pairs = list.matches('"').count().is_multiple_of(2);
    let mut is_quoted = false;
    list.split(move |character| {
        is_quoted ^= character == '"' && has_pairs;
        !is_quoted && ([' ', ','].contains(&character) || is_cookie && character == ';')
    })
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HOST, USER_AGENT};

    use super::*;
    use crate::redact::Redactor;

    const SIGNATURE: &str = "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20261127/us-east-1/bedrock/aws4_request, \
         SignedHeaders=content-type;host;x-amz-content-sha256, Signature=5d672d79c15b13162d9279b0855cfba6";

    const URL: &str = "https://llm.example:8443/v1/chat%20a/completions";

    fn redact(name: &HeaderName, value: &str, is_answer: bool, text: &str) -> String {
        redact_value(
            name,
            &HeaderValue::from_str(value).unwrap(),
            is_answer,
            text,
        )
    }

    fn redact_value(name: &HeaderName, value: &HeaderValue, is_answer: bool, text: &str) -> String {
        let mut secrets = Vec::new();
        secrets_of_header(URL, name, value, &mut secrets);
        let secrets = secrets.into_iter();
        let secrets = secrets.filter(|secret| !is_answer || secret.is_key);
        Redactor::new(secrets.map(|secret| secret.secret)).redact_error_text(text)
    }

    #[test]
    fn headers_are_redacted_whole_and_in_parts() {
        for (text, expected) in [
            (SIGNATURE, "AWS4-HMAC-SHA256 [key]"),
            (
                "key AKIAIOSFODNN7EXAMPLE in us-east-1 of bedrock",
                "key [key] in us-east-1 of bedrock",
            ),
            ("not 5d672d79c15b13162d9279b0855cfba6", "not [key]"),
        ] {
            for is_answer in [false, true] {
                let redacted = redact(&AUTHORIZATION, SIGNATURE, is_answer, text);
                assert_eq!(redacted, expected);
            }
        }
        let list = "sign content-type;host;x-amz-content-sha256 by AWS4-HMAC-SHA256";
        assert_eq!(redact(&AUTHORIZATION, SIGNATURE, true, list), list);
    }

    #[test]
    fn words_of_headers_stay_in_answers() {
        let region = HeaderName::from_static("x-region");
        let text = "Bearer us-east-1 hush-hush";
        for (name, value, error, answer) in [
            (region.clone(), "us-east-1", "Bearer [key] hush-hush", text),
            (region, "true", text, text),
            (
                AUTHORIZATION,
                "Bearer hush-hush",
                "Bearer us-east-1 [key]",
                "Bearer us-east-1 [key]",
            ),
        ] {
            assert_eq!(redact(&name, value, false, text), error);
            assert_eq!(redact(&name, value, true, text), answer);
        }
    }

    #[test]
    fn words_of_headers_stay_in_errors() {
        let signature = r#"Signature keyId="key one",headers="(request-target) host date",signature="c2lnbmVk""#;
        let header = HeaderName::from_static("x-header");
        for (name, value, text, expected) in [
            (AUTHORIZATION, signature, "unknown host", "unknown host"),
            (
                AUTHORIZATION,
                signature,
                "no date, not c2lnbmVk",
                "no date, not [key]",
            ),
            (
                AUTHORIZATION,
                signature,
                "key one is unknown",
                "[key] is unknown",
            ),
            (AUTHORIZATION, signature, signature, "Signature [key]"),
            (USER_AGENT, "my service", "no service", "no service"),
            (USER_AGENT, "my service", "not my service", "not [key]"),
            (
                header.clone(),
                "v2 AKIAIOSFODNN7EXAMPLE",
                "no AKIAIOSFODNN7EXAMPLE",
                "no [key]",
            ),
            (header.clone(), "a=\"b, token=hush", "no hush", "no [key]"),
            (header.clone(), "v2 c2lnbmVk==", "no c2lnbmVk==", "no [key]"),
            (header.clone(), "/v1/chat%20a/completions", URL, URL),
            (header.clone(), "POST /v1/chat a/completions 42", URL, URL),
            (header.clone(), URL, URL, URL),
            (HOST, "llm.example:8443", URL, URL),
            (
                AUTHORIZATION,
                "Digest uri=\"/v1/chat%20a\", response=\"hush\"",
                URL,
                URL,
            ),
            (header, "/v1/chat/hush", "not /v1/chat/hush", "not [key]"),
        ] {
            assert_eq!(redact(&name, value, false, text), expected, "{value}");
        }
    }

    #[test]
    fn values_of_cookies_and_of_marked_headers_are_keys() {
        let text = "one hush-hush of good-night";
        let list = "user=good-night, token=hush-hush";
        let header = HeaderName::from_static("x-header");
        for (name, value, is_marked, expected) in [
            (
                COOKIE,
                "user=good-night; token=hush-hush",
                false,
                "one [key] of [key]",
            ),
            (
                COOKIE,
                "user=good-night;token=hush-hush",
                false,
                "one [key] of [key]",
            ),
            (header.clone(), list, true, "one [key] of [key]"),
            (header, list, false, text),
        ] {
            let mut value = HeaderValue::from_static(value);
            value.set_sensitive(is_marked);
            let redacted = |is_answer| redact_value(&name, &value, is_answer, text);
            assert_eq!(redacted(true), expected, "{value:?}");
            assert_eq!(redacted(false), "one [key] of [key]", "{value:?}");
        }
    }
}
