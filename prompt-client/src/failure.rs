use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

use prompt_core::{Error, ErrorKind};

/// Why a model could not be reached, or did not answer to the end: the source of an [`Error`] of this crate.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// use prompt_client::{Cause, Chat, Failure, Retry};
/// use prompt_core::{Llm, Message, Messages};
///
/// // Nothing listens at port 9.
/// let llm = Chat::at("http://127.0.0.1:9/v1", "any")?.with_retry(Retry::none());
/// let error = llm.call(&Messages::from([Message::user("Hi")])).await.unwrap_err();
/// let failure = Failure::of(&error).unwrap();
/// assert_eq!((failure.cause(), failure.attempts()), (Cause::Connection, 1));
/// # Ok::<(), prompt_core::Error>(()) }).unwrap();
/// ```
#[derive(Clone, Debug)]
pub struct Failure {
    cause: Cause,
    message: String,
    status: Option<u16>,
    retry_after: Option<Duration>,
    attempts: u32,
    answer: Option<String>,
    help: Option<&'static str>,
}

/// The kinds of [`Failure`], to be matched on.
///
/// ```
/// assert!(prompt_client::Cause::RateLimit.is_passing());
/// assert!(!prompt_client::Cause::Refused.is_passing());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Cause {
    /// No key was found.
    Key,
    /// The model is set up in a way that cannot work.
    Setup,
    /// The server refuses the request (a status 4xx, also 429 for a quota that is used up; 501, 505): it will refuse it again.
    Refused,
    /// The server wants fewer requests (status 429).
    RateLimit,
    /// The server failed (a status 5xx).
    Server,
    /// Nothing came in time.
    Timeout,
    /// There was no connection, or it broke before the answer began.
    Connection,
    /// The answer broke off. It is not asked for again, since a part of it was delivered.
    Interrupted,
    /// What came is no answer of such a server.
    Protocol,
    /// The answer is longer than allowed.
    TooLarge,
}

impl Cause {
    /// Whether the same request may succeed later.
    pub fn is_passing(self) -> bool {
        matches!(
            self,
            Cause::RateLimit | Cause::Server | Cause::Timeout | Cause::Connection
        )
    }

    /// The cause in one word, as it stands in traces.
    pub fn name(self) -> &'static str {
        match self {
            Cause::Key => "key",
            Cause::Setup => "setup",
            Cause::Refused => "refused",
            Cause::RateLimit => "rate_limit",
            Cause::Server => "server",
            Cause::Timeout => "timeout",
            Cause::Connection => "connection",
            Cause::Interrupted => "interrupted",
            Cause::Protocol => "protocol",
            Cause::TooLarge => "too_large",
        }
    }

    fn help(self) -> Option<&'static str> {
        match self {
            Cause::Key => Some("set the variable, or give the key with `with_key`"),
            Cause::Timeout => {
                Some("allow more time with `Options::timeout`, or ask for fewer tokens")
            }
            Cause::Connection => Some("check the base URL, and that the server runs"),
            Cause::TooLarge => Some("set `Options::max_tokens`, or raise `with_limit`"),
            _ => None,
        }
    }
}

impl Failure {
    pub(crate) fn new(cause: Cause, message: impl Into<String>) -> Failure {
        Failure {
            cause,
            message: message.into(),
            status: None,
            retry_after: None,
            attempts: 0,
            answer: None,
            help: cause.help(),
        }
    }

    /// What a status that is no success says.
    pub(crate) fn status_of(status: u16, retry_after: Option<Duration>, body: &str) -> Failure {
        let cause = match status {
            408 => Cause::Timeout,
            429 if is_quota(body) => Cause::Refused,
            429 => Cause::RateLimit,
            // Not implemented, and not this version of HTTP.
            501 | 505 => Cause::Refused,
            500.. => Cause::Server,
            _ => Cause::Refused,
        };
        let said = said(body);
        let message = if said.is_empty() {
            format!("the server answers with status {status}")
        } else {
            format!("the server answers with status {status}: {said}")
        };
        Failure {
            status: Some(status),
            retry_after,
            ..Failure::new(cause, message)
        }
    }

    /// The failure of a server that names another place, which is not gone to.
    pub(crate) fn pointing(mut self, place: &str) -> Failure {
        self.message = format!("{}, and points to {place}", self.message);
        self.with_help("give the base URL of the server that it points to")
    }

    pub(crate) fn with_attempts(mut self, attempts: u32) -> Failure {
        self.attempts = attempts;
        self
    }

    pub(crate) fn with_help(mut self, help: &'static str) -> Failure {
        self.help = Some(help);
        self
    }

    pub(crate) fn with_answer(mut self, text: impl Into<String>) -> Failure {
        self.answer = Some(text.into());
        self
    }

    /// The failure of a stream of which a part was delivered: this text, after some reasoning perhaps.
    pub(crate) fn broken_off(mut self, text: &str) -> Failure {
        if matches!(
            self.cause,
            Cause::Connection | Cause::Server | Cause::RateLimit
        ) {
            self.cause = Cause::Interrupted;
            self.help = Cause::Interrupted.help();
        }
        if text.is_empty() {
            return self;
        }
        self.with_answer(text)
    }

    /// The same failure with every text passed through `scrub`.
    pub(crate) fn scrubbed(mut self, scrub: impl Fn(&str) -> String) -> Failure {
        self.message = scrub(&self.message);
        self.answer = self.answer.map(|text| scrub(&text));
        self
    }

    /// The failure behind an error of this crate.
    pub fn of(error: &Error) -> Option<&Failure> {
        error.source()?.downcast_ref()
    }

    /// What kind of failure it is.
    pub fn cause(&self) -> Cause {
        self.cause
    }

    /// The status that the server answered with.
    pub fn status(&self) -> Option<u16> {
        self.status
    }

    /// How long the server asked to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }

    /// How often the request was sent.
    pub fn attempts(&self) -> u32 {
        self.attempts
    }

    pub(crate) fn into_error(self, model: &str) -> Error {
        let message = match self.attempts {
            0 | 1 => self.message.clone(),
            attempts => format!("{} (asked {attempts} times)", self.message),
        };
        let mut error = Error::new(ErrorKind::Model, message).with_model(model);
        if let Some(help) = self.help {
            error = error.with_help(help);
        }
        if let Some(text) = &self.answer {
            error = error.with_answer(text.as_str());
        }
        error.with_source(self)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for Failure {}

/// The sentence inside an error body: the usual JSON shapes, else the beginning of the text on one line.
pub(crate) fn said(body: &str) -> String {
    let json = serde_json::from_str::<serde_json::Value>(body).ok();
    let sentence = json.as_ref().and_then(|json| {
        let pointers = [
            "/error/message",
            "/message",
            "/error",
            "/detail",
            "/0/error/message",
        ];
        pointers
            .iter()
            .find_map(|pointer| json.pointer(pointer)?.as_str())
    });
    excerpt(sentence.unwrap_or(body))
}

/// Whether a quota is used up, which no waiting mends: so OpenAI says it.
fn is_quota(body: &str) -> bool {
    let json = serde_json::from_str::<serde_json::Value>(body).unwrap_or_default();
    let mut words = ["/error/code", "/error/type", "/code", "/type"].into_iter();
    words.any(|pointer| {
        json.pointer(pointer)
            .is_some_and(|word| word == "insufficient_quota")
    })
}

/// What stands where an excerpt was cut off.
pub(crate) const CUT: char = '…';

/// The beginning of a text, on one line.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 300;
    let mut words = text.split_whitespace();
    let mut line = words.next().unwrap_or_default().to_owned();
    for word in words {
        if line.len() > LONGEST {
            break;
        }
        line.push(' ');
        line.push_str(word);
    }
    if line.len() > LONGEST {
        let end = (0..=LONGEST)
            .rev()
            .find(|&at| line.is_char_boundary(at))
            .unwrap_or(0);
        line.truncate(end);
        line.push(CUT);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_servers_sentence_is_found() {
        assert_eq!(
            said(r#"{"error":{"message":"no such model","code":404}}"#),
            "no such model"
        );
        assert_eq!(said(r#"{"error":"no such model"}"#), "no such model");
        assert_eq!(said(r#"{"detail":"not allowed"}"#), "not allowed");
        assert_eq!(
            said("<html>\n  <h1>Bad gateway</h1>"),
            "<html> <h1>Bad gateway</h1>"
        );
        assert_eq!(said(""), "");
    }

    #[test]
    fn a_status_says_whether_to_ask_again() {
        for (status, body, cause) in [
            (400, "", Cause::Refused),
            (408, "", Cause::Timeout),
            (429, "slow down", Cause::RateLimit),
            (
                429,
                r#"{"error":{"type":"requests","code":"rate_limit_exceeded"}}"#,
                Cause::RateLimit,
            ),
            (
                429,
                r#"{"error":{"type":"insufficient_quota","code":"insufficient_quota"}}"#,
                Cause::Refused,
            ),
            (
                429,
                r#"{"error":{"type":null,"code":"insufficient_quota"}}"#,
                Cause::Refused,
            ),
            (500, "", Cause::Server),
            (501, "", Cause::Refused),
            (503, "", Cause::Server),
            (505, "", Cause::Refused),
            (529, "", Cause::Server),
        ] {
            let failure = Failure::status_of(status, None, body);
            assert_eq!(failure.cause(), cause, "{status} {body}");
        }
    }

    #[test]
    fn an_excerpt_ends_between_characters() {
        let line = excerpt(&"é".repeat(1000));
        assert!(line.len() <= 304 && line.ends_with('…'));
    }
}
