//! What goes wrong between a request and its answer, told as failures.

use std::time::Duration;

use serde_json::Value;

use crate::failure::{Cause, Failure, excerpt};

/// Nothing came within the time of one attempt.
pub(crate) fn late(timeout: Duration) -> Failure {
    Failure::new(
        Cause::Timeout,
        format!("the model did not answer within {timeout:?}"),
    )
}

/// The stream said nothing for the time of one attempt.
pub(crate) fn silent() -> Failure {
    Failure::new(Cause::Timeout, "the stream fell silent")
}

/// The answer is longer than allowed.
pub(crate) fn too_large(limit: usize) -> Failure {
    Failure::new(
        Cause::TooLarge,
        format!("the answer is longer than {limit} bytes"),
    )
}

/// An answer of another type than the one that was asked for.
pub(crate) fn wrong_type(found: &str, wanted: &str, body: &str) -> Failure {
    let found = if found.is_empty() {
        "no content type"
    } else {
        found
    };
    let message = format!(
        "the server answers with {found} instead of {wanted}: {}",
        excerpt(body)
    );
    Failure::new(Cause::Protocol, message).with_answer(body)
}

/// An answer that is no JSON.
pub(crate) fn not_json(why: impl std::fmt::Display, body: &str) -> Failure {
    let message = format!("the server's answer is no JSON: {why}: {}", excerpt(body));
    Failure::new(Cause::Protocol, message).with_answer(body)
}

/// What reqwest says, without the address: it may hold a key.
pub(crate) fn http(error: reqwest::Error) -> Failure {
    let error = error.without_url();
    let cause = if error.is_timeout() {
        Cause::Timeout
    } else if error.is_builder() || error.is_redirect() {
        Cause::Setup
    } else {
        Cause::Connection
    };
    // The reason is at the end of the chain of sources.
    let mut root: &dyn std::error::Error = &error;
    while let Some(source) = root.source() {
        root = source;
    }
    let what = match cause {
        Cause::Timeout => "the connection timed out",
        Cause::Setup => "the request cannot be made",
        _ if error.is_connect() => "the server cannot be reached",
        _ => "the connection broke",
    };
    Failure::new(cause, format!("{what}: {root}"))
}

/// An error that the server put into its stream.
pub(crate) fn event(body: &Value) -> Failure {
    let code = body
        .get("code")
        .and_then(Value::as_u64)
        .and_then(|code| u16::try_from(code).ok());
    let said = body
        .get("message")
        .and_then(Value::as_str)
        .map_or_else(|| body.to_string(), str::to_owned);
    match code {
        Some(status @ 400..600) => Failure::status_of(status, None, &said),
        _ => Failure::new(
            Cause::Server,
            format!("the server broke off: {}", excerpt(&said)),
        ),
    }
}
