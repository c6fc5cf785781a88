//! Errors of model calls, and how HTTP statuses, error bodies and transport errors are classified.

use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

use prompt_core::openai::answer;
use prompt_core::{Error, ErrorKind, Usage};
use reqwest::header::{HeaderMap, LOCATION};
use serde_json::Value;

use crate::retry_after::retry_after;

/// A failed call of a model. It is the source of every [`Error`] that this crate returns.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// use typed_prompt::client::{CallError, CallErrorKind, ChatModel, RetryPolicy};
/// use typed_prompt::{Llm, Message, Messages};
///
/// // No server listens on port 9.
/// let llm = ChatModel::openai_compatible("http://127.0.0.1:9/v1", "any")?.retry(RetryPolicy::none());
/// let error = llm.call(&Messages::from([Message::user("Hi")])).await.unwrap_err();
/// let error = CallError::source_of(&error).unwrap();
/// assert_eq!((error.kind(), error.attempts()), (CallErrorKind::Connection, 1));
/// # Ok::<(), typed_prompt::Error>(()) }).unwrap();
/// ```
#[derive(Clone, Debug)]
pub struct CallError {
    kind: CallErrorKind,
    message: String,
    status: Option<u16>,
    retry_after: Option<Duration>,
    attempts: u32,
    answer: Option<String>,
    help: Option<Box<str>>,
    /// The wrong part of the answer.
    snippet: Option<Box<str>>,
    /// The tokens that the server counted before the error.
    usage: Option<Box<Usage>>,
}

/// The kinds of [`CallError`].
///
/// ```
/// assert!(typed_prompt::client::CallErrorKind::RateLimit.is_transient());
/// assert!(!typed_prompt::client::CallErrorKind::Refused.is_transient());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum CallErrorKind {
    /// The API key is missing or malformed, or the function of [`on_request`](crate::ChatModel::on_request) failed.
    Key,
    /// The configuration of the model or the request is invalid.
    Setup,
    /// The server rejects the request (a status 4xx, 501 or 505, or 429 for an exhausted quota). A retry would be
    /// rejected too.
    Refused,
    /// The server limits the rate of requests (status 429).
    RateLimit,
    /// The server failed (a status 5xx).
    Server,
    /// The attempt exceeded its timeout.
    Timeout,
    /// The connection could not be established, or broke before the answer began, or the function of [`on_request`](crate::ChatModel::on_request) failed
    /// [for now](crate::HookError::transient).
    Connection,
    /// The answer broke off. The request is not retried, since a part of the answer has been delivered.
    Interrupted,
    /// The response does not follow the protocol.
    Protocol,
    /// The answer exceeds the size limit.
    TooLarge,
    /// The tokens or the cost of a [`Budget`](crate::Budget) are spent.
    Budget,
}

impl CallErrorKind {
    /// Whether the same request may succeed later.
    pub fn is_transient(self) -> bool {
        use CallErrorKind::{Connection, RateLimit, Server, Timeout};
        matches!(self, RateLimit | Server | Timeout | Connection)
    }

    /// The name of this kind in traces.
    pub fn name(self) -> &'static str {
        match self {
            CallErrorKind::Key => "key",
            CallErrorKind::Setup => "setup",
            CallErrorKind::Refused => "refused",
            CallErrorKind::RateLimit => "rate_limit",
            CallErrorKind::Server => "server",
            CallErrorKind::Timeout => "timeout",
            CallErrorKind::Connection => "connection",
            CallErrorKind::Interrupted => "interrupted",
            CallErrorKind::Protocol => "protocol",
            CallErrorKind::TooLarge => "too_large",
            CallErrorKind::Budget => "budget",
        }
    }

    fn default_help(self) -> Option<&'static str> {
        match self {
            CallErrorKind::Key => Some("set the variable, or give the key with `.key(…)`"),
            CallErrorKind::Timeout => {
                Some("allow more time with `Options::timeout`, or ask for fewer tokens")
            }
            CallErrorKind::Connection => Some("check the base URL, and that the server runs"),
            CallErrorKind::TooLarge => {
                Some("ask for a shorter answer, or raise `.max_response_bytes(…)`")
            }
            CallErrorKind::Budget => Some("raise the limit of the `Budget`"),
            _ => None,
        }
    }
}

impl CallError {
    pub(crate) fn new(kind: CallErrorKind, message: impl Into<String>) -> CallError {
        CallError {
            kind,
            message: message.into(),
            status: None,
            retry_after: None,
            attempts: 0,
            answer: None,
            help: kind.default_help().map(Box::from),
            snippet: None,
            usage: None,
        }
    }

    pub(crate) fn protocol_error(message: impl Into<String>) -> CallError {
        CallError::new(CallErrorKind::Protocol, message)
    }

    /// A response that violates the protocol. The message quotes the beginning of the body.
    pub(crate) fn unexpected_body(problem: impl fmt::Display, body: &str) -> CallError {
        let quoted = excerpt(body);
        if quoted.is_empty() {
            return CallError::protocol_error(problem.to_string());
        }
        CallError::protocol_error(format!("{problem}: {quoted}")).with_answer(body)
    }

    /// A response body that is not JSON.
    pub(crate) fn not_json(reason: impl fmt::Display, body: &str) -> CallError {
        match body.trim() {
            "" => CallError::protocol_error("the server's answer is empty"),
            _ => CallError::unexpected_body(
                format!("the server's answer is not JSON: {reason}"),
                body,
            ),
        }
    }

    /// A response of another content type than the requested one.
    pub(crate) fn wrong_content_type(found: &str, expected: &str, body: &str) -> CallError {
        let found = if found.is_empty() {
            "no content type"
        } else {
            found
        };
        CallError::unexpected_body(
            format!("the server answers with {found} instead of {expected}"),
            body,
        )
    }

    /// An answer with an invalid tool call.
    pub(crate) fn invalid_answer(error: &Error) -> CallError {
        let answer = error.answer().unwrap_or_default();
        let help = error.help().map(Box::from);
        CallError {
            help,
            snippet: error.snippet().map(Box::from),
            ..CallError::protocol_error(error.message()).with_answer(answer)
        }
    }

    pub(crate) fn no_message_in_stream() -> CallError {
        CallError::protocol_error("the stream ended without a message")
    }

    /// A stream that ended in the middle of its answer.
    pub(crate) fn incomplete_stream() -> CallError {
        let message = "the stream ended before the answer was complete";
        CallError::new(CallErrorKind::Interrupted, message)
    }

    /// The error for a setting with which a model or a wrapper cannot work.
    pub(crate) fn refuse_setting(message: &str, help: &str) -> Error {
        let error = CallError::new(CallErrorKind::Setup, message);
        error.with_help(help).into_error("")
    }

    /// The error of a request that is wrong itself.
    pub(crate) fn from_setup(error: &Error) -> CallError {
        let new = CallError::new(CallErrorKind::Setup, error.message());
        match error.help() {
            Some(help) => new.with_help(help),
            None => new,
        }
    }

    /// The answer did not arrive within the timeout of one attempt.
    pub(crate) fn timed_out(timeout: Duration) -> CallError {
        let message = format!("the model did not answer within {timeout:?}");
        CallError::new(CallErrorKind::Timeout, message)
    }

    /// No data arrived on the stream within the timeout.
    pub(crate) fn stream_timed_out() -> CallError {
        CallError::new(
            CallErrorKind::Timeout,
            "the stream timed out: no data arrived",
        )
    }

    pub(crate) fn too_large(limit: usize) -> CallError {
        let message = format!("the answer is longer than {limit} bytes");
        CallError::new(CallErrorKind::TooLarge, message)
    }

    /// A response whose status is not a success.
    pub(crate) fn from_response(status: u16, headers: &HeaderMap, body: &str) -> CallError {
        let mut error = CallError::from_status(status, body);
        error.retry_after = retry_after(headers);
        let location = headers.get(LOCATION).and_then(|value| value.to_str().ok());
        if let Some(location) = location
            && (300..400).contains(&status)
        {
            // The query or fragment of the URL may contain secrets.
            let path = location.split(['?', '#']).next().unwrap_or_default();
            error.message = format!("{}, and redirects to {}", error.message, excerpt(path));
            error.help = Some("use the base URL of the server that it redirects to".into());
        }
        error
    }

    pub(crate) fn from_status(status: u16, body: &str) -> CallError {
        let kind = match status {
            408 => CallErrorKind::Timeout,
            429 if is_quota(body) => CallErrorKind::Refused,
            429 => CallErrorKind::RateLimit,
            // "Not Implemented" and "HTTP Version Not Supported" are permanent.
            501 | 505 => CallErrorKind::Refused,
            500.. => CallErrorKind::Server,
            _ => CallErrorKind::Refused,
        };
        let mut message = format!("the server answers with status {status}");
        let reason = error_message(body);
        if !reason.is_empty() {
            message = format!("{message}: {reason}");
        }
        let mut error = CallError::new(kind, message);
        error.status = Some(status);
        error
    }

    /// Fails if a successful response, or a frame of a stream, contains an error object.
    pub(crate) fn check_body(body: &Value) -> Result<(), CallError> {
        answer::error(body).map_or(Ok(()), |error| Err(CallError::from_error_object(error)))
    }

    /// An error object inside a successful response or stream.
    pub(crate) fn from_error_object(body: &Value) -> CallError {
        // Anthropic wraps the error object in another object.
        let error = body
            .get("error")
            .filter(|error| error.is_object())
            .unwrap_or(body);
        let field = |key: &str| error.get(key).and_then(Value::as_str);
        let code = match error.get("code") {
            Some(Value::String(code)) => code.parse().ok(),
            code => code
                .and_then(Value::as_u64)
                .and_then(|code| u16::try_from(code).ok()),
        };
        // Gateways answer with 200, and put the status of the model's server into the body.
        if let Some(status @ 400..600) = code {
            return CallError::from_status(status, &error.to_string());
        }
        let kind_of = |name: &str| match name {
            _ if name.starts_with("invalid_") => Some(CallErrorKind::Refused),
            "rate_limit_error" | "rate_limit_exceeded" => Some(CallErrorKind::RateLimit),
            "authentication_error"
            | "permission_error"
            | "not_found_error"
            | "request_too_large"
            | "billing_error"
            | QUOTA => Some(CallErrorKind::Refused),
            _ => None,
        };
        // The code is more specific: OpenAI's `insufficient_quota` may have the type `requests`, as a rate limit has.
        let names = [field("code"), field("type")];
        let kind = names.into_iter().flatten().find_map(kind_of);
        let reason = field("message").or_else(|| error.as_str());
        let reason = reason.map_or_else(|| error.to_string(), str::to_owned);
        let message = format!("the server reports an error: {}", excerpt(&reason));
        // An unknown error is taken for one of the server, which is retried: a retry that fails again costs less than a call that is given up.
        CallError::new(kind.unwrap_or(CallErrorKind::Server), message)
    }

    /// Adds the URL of the request.
    pub(crate) fn with_url(mut self, url: &str) -> CallError {
        self.message = format!("{} (asked: {url})", self.message);
        self
    }

    /// An error of reqwest, without its URL, which may contain a key.
    pub(crate) fn from_http(error: reqwest::Error) -> CallError {
        let error = error.without_url();
        let (kind, what) = if error.is_timeout() {
            (CallErrorKind::Timeout, "the connection timed out")
        } else if error.is_builder() || error.is_redirect() {
            (CallErrorKind::Setup, "the request cannot be built")
        } else if error.is_connect() {
            (CallErrorKind::Connection, "the server cannot be reached")
        } else {
            (CallErrorKind::Connection, "the connection broke")
        };
        // The last source is the reason.
        let mut root: &dyn StdError = &error;
        while let Some(source) = root.source() {
            root = source;
        }
        CallError::new(kind, format!("{what}: {root}"))
    }

    pub(crate) fn with_attempts(mut self, attempts: u32) -> CallError {
        self.attempts = attempts;
        self
    }

    /// Adds the tokens that the server counted before the error.
    pub(crate) fn with_usage(mut self, usage: Option<Usage>) -> CallError {
        self.usage = self.usage.or(usage.map(Box::new));
        self
    }

    pub(crate) fn with_help(mut self, help: impl Into<Box<str>>) -> CallError {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn with_answer(mut self, text: impl Into<String>) -> CallError {
        self.answer = Some(text.into());
        self
    }

    /// The error of a stream that has delivered this text, and possibly reasoning before it.
    pub(crate) fn after_interruption(mut self, text: &str) -> CallError {
        use CallErrorKind::{Connection, Interrupted, RateLimit, Server};
        if matches!(self.kind, Connection | Server | RateLimit) {
            self.kind = Interrupted;
            self.help = Interrupted.default_help().map(Box::from);
        }
        if text.is_empty() {
            return self;
        }
        self.with_answer(text)
    }

    /// Applies `redact` to every text of the error.
    pub(crate) fn redact_secrets(mut self, redact: impl Fn(&str) -> String) -> CallError {
        self.message = redact(&self.message);
        self.answer = self.answer.map(|text| redact(&text));
        // Both may quote the answer.
        self.help = self.help.map(|text| redact(&text).into());
        self.snippet = self.snippet.map(|text| redact(&text).into());
        self
    }

    /// The call error that is the source of `error`, if there is one.
    pub fn source_of(error: &Error) -> Option<&CallError> {
        error.source()?.downcast_ref()
    }

    /// The kind of the error.
    pub fn kind(&self) -> CallErrorKind {
        self.kind
    }

    /// The HTTP status of the response.
    pub fn status(&self) -> Option<u16> {
        self.status
    }

    /// The pause that the server asks for before a retry.
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }

    /// The tokens that the server counted before the error.
    pub fn usage(&self) -> Option<Usage> {
        self.usage.as_deref().copied()
    }

    /// How many times the request was sent.
    pub fn attempts(&self) -> u32 {
        self.attempts
    }

    pub(crate) fn into_error(self, model: &str) -> Error {
        let message = match self.attempts {
            0 | 1 => self.message.clone(),
            attempts => format!("{} (after {attempts} attempts)", self.message),
        };
        // A wrapper of models has no name.
        let mut error = Error::new(ErrorKind::Model, message).with_model(model);
        if let Some(help) = &self.help {
            error = error.with_help(&**help);
        }
        if let Some(snippet) = &self.snippet {
            error = error.with_snippet(&**snippet);
        }
        if let Some(text) = &self.answer {
            error = error.with_answer(text.as_str());
        }
        if let Some(usage) = self.usage() {
            error = error.with_usage(usage);
        }
        error.with_source(self)
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for CallError {}

/// The message inside an error body: the value of the usual JSON fields, otherwise the beginning of the body on one line.
fn error_message(body: &str) -> String {
    let json = serde_json::from_str::<Value>(body).unwrap_or_default();
    // OpenAI and Anthropic; Mistral and Cohere; Ollama; FastAPI; Gemini, whose errors may be a list. The more specific field comes first.
    let pointers = [
        "/error/message",
        "/message",
        "/error",
        "/detail",
        "/0/error/message",
    ];
    let message = pointers
        .iter()
        .find_map(|pointer| json.pointer(pointer)?.as_str());
    excerpt(message.unwrap_or(body))
}

/// OpenAI's code for an exhausted quota. Its status is that of a rate limit, but waiting does not help.
const QUOTA: &str = "insufficient_quota";

fn is_quota(body: &str) -> bool {
    let json = serde_json::from_str::<Value>(body).unwrap_or_default();
    let mut pointers = ["/error/code", "/error/type", "/code", "/type"].into_iter();
    pointers.any(|pointer| json.pointer(pointer).is_some_and(|value| value == QUOTA))
}

/// The last character of an excerpt that was shortened.
pub(crate) const ELLIPSIS: char = '…';

/// The beginning of a text, on one line.
pub(crate) fn excerpt(text: &str) -> String {
    // A few lines of a terminal: enough for the message of a provider.
    const MAX_BYTES: usize = 300;
    let mut line = String::new();
    for word in text.split_whitespace() {
        if line.len() > MAX_BYTES {
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if line.len() > MAX_BYTES {
        let mut end = MAX_BYTES;
        while !line.is_char_boundary(end) {
            end -= 1;
        }
        line.truncate(end);
        line.push(ELLIPSIS);
    }
    line
}

/// A URL without its user, password and query.
pub(crate) fn shown_url(url: &reqwest::Url) -> String {
    let host = url.host_str().unwrap_or_default();
    let port = url.port().map(|port| format!(":{port}"));
    let port = port.unwrap_or_default();
    format!("{}://{host}{port}{}", url.scheme(), url.path())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::CallErrorKind::{RateLimit, Refused, Server, Timeout};
    use super::*;

    #[test]
    fn error_messages_are_found_in_error_bodies() {
        assert_eq!(
            error_message(r#"{"error":{"message":"no such model","code":404}}"#),
            "no such model"
        );
        assert_eq!(
            error_message(r#"{"error":"no such model"}"#),
            "no such model"
        );
        assert_eq!(error_message(r#"{"detail":"not allowed"}"#), "not allowed");
        assert_eq!(
            error_message("<html>\n  <h1>Bad gateway</h1>"),
            "<html> <h1>Bad gateway</h1>"
        );
        assert_eq!(error_message(""), "");
    }

    #[test]
    fn statuses_are_classified() {
        for (status, body, kind) in [
            (400, "", Refused),
            (408, "", Timeout),
            (429, "slow down", RateLimit),
            (
                429,
                r#"{"error":{"type":"requests","code":"rate_limit_exceeded"}}"#,
                RateLimit,
            ),
            (
                429,
                r#"{"error":{"type":"insufficient_quota","code":"insufficient_quota"}}"#,
                Refused,
            ),
            (
                429,
                r#"{"error":{"type":null,"code":"insufficient_quota"}}"#,
                Refused,
            ),
            (500, "", Server),
            (501, "", Refused),
            (503, "", Server),
            (505, "", Refused),
            (529, "", Server),
        ] {
            let error = CallError::from_status(status, body);
            assert_eq!(error.kind(), kind, "{status} {body}");
        }
    }

    #[test]
    fn error_objects_are_classified() {
        for (body, kind) in [
            (json!("out of memory"), Server),
            (json!({"message": "out of memory"}), Server),
            (json!({"code": 503, "message": "busy"}), Server),
            (json!({"code": "429", "message": "slow down"}), RateLimit),
            (json!({"code": 429, "type": "insufficient_quota"}), Refused),
            (
                json!({"error": {"code": 429, "type": "insufficient_quota"}}),
                Refused,
            ),
            (
                json!({"type": "requests", "code": "insufficient_quota"}),
                Refused,
            ),
            (
                json!({"type": "requests", "code": "rate_limit_exceeded"}),
                RateLimit,
            ),
            (
                json!({"type": "error", "error": {"type": "rate_limit_error"}}),
                RateLimit,
            ),
            (
                json!({"type": "authentication_error", "code": null}),
                Refused,
            ),
        ] {
            assert_eq!(CallError::from_error_object(&body).kind(), kind, "{body}");
        }
    }

    #[test]
    fn error_objects_keep_the_message_of_the_server() {
        for (body, message) in [
            (
                json!("out of memory"),
                "the server reports an error: out of memory",
            ),
            (
                json!({"code": 503, "message": "busy"}),
                "the server answers with status 503: busy",
            ),
            (
                json!({"code": 503}),
                "the server answers with status 503: {\"code\":503}",
            ),
        ] {
            let error = CallError::from_error_object(&body);
            assert_eq!(error.to_string(), message, "{body}");
        }
    }

    #[test]
    fn excerpts_end_at_a_character_boundary() {
        let line = excerpt(&"é".repeat(1000));
        assert!(line.len() <= 304 && line.ends_with('…'));
    }
}
