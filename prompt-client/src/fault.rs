//! What goes wrong between a request and its answer, told as failures.

use std::time::Duration;

use reqwest::header::{HeaderMap, LOCATION};
use serde_json::Value;

use crate::failure::{Cause, Failure, excerpt};
use crate::retry;

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

/// The stream came to its end, and there was no answer in it.
pub(crate) fn no_message() -> Failure {
    Failure::new(Cause::Protocol, "the stream ended without a message")
}

/// The answer is longer than allowed.
pub(crate) fn too_large(limit: usize) -> Failure {
    Failure::new(
        Cause::TooLarge,
        format!("the answer is longer than {limit} bytes"),
    )
}

/// A status that is no success.
pub(crate) fn status(status: u16, headers: &HeaderMap, body: &str) -> Failure {
    let failure = Failure::status_of(status, retry::asked(headers), body);
    let place = headers.get(LOCATION).and_then(|place| place.to_str().ok());
    match place {
        Some(place) if (300..400).contains(&status) => {
            // Behind the path may stand what is secret.
            let path = place.split(['?', '#']).next().unwrap_or_default();
            failure.pointing(&excerpt(path))
        }
        _ => failure,
    }
}

/// An answer of another type than the one that was asked for.
pub(crate) fn wrong_type(found: &str, wanted: &str, body: &str) -> Failure {
    let found = if found.is_empty() {
        "no content type"
    } else {
        found
    };
    quoting(
        format!("the server answers with {found} instead of {wanted}"),
        body,
    )
}

/// An answer that is no JSON.
pub(crate) fn not_json(why: impl std::fmt::Display, body: &str) -> Failure {
    match body.trim() {
        "" => Failure::new(Cause::Protocol, "the server's answer is empty"),
        _ => quoting(format!("the server's answer is no JSON: {why}"), body),
    }
}

/// What is wrong with an answer, with its beginning.
pub(crate) fn quoting(wrong: String, body: &str) -> Failure {
    let excerpt = excerpt(body);
    if excerpt.is_empty() {
        return Failure::new(Cause::Protocol, wrong);
    }
    Failure::new(Cause::Protocol, format!("{wrong}: {excerpt}")).with_answer(body)
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

/// An error that the server put into its answer, or into its stream.
pub(crate) fn event(body: &Value) -> Failure {
    // Anthropic's has another one inside.
    let error = body
        .get("error")
        .filter(|error| error.is_object())
        .unwrap_or(body);
    let word = |key: &str| error.get(key).and_then(Value::as_str);
    let code = match error.get("code") {
        Some(Value::String(code)) => code.parse().ok(),
        code => code
            .and_then(Value::as_u64)
            .and_then(|code| u16::try_from(code).ok()),
    };
    let said = word("message").or_else(|| error.as_str());
    let said = said.map_or_else(|| error.to_string(), str::to_owned);
    if let Some(status @ 400..600) = code {
        return match error.is_object() {
            true => Failure::status_of(status, None, &error.to_string()),
            false => Failure::status_of(status, None, &said),
        };
    }
    let cause_of = |word: &str| match word {
        "rate_limit_error" | "rate_limit_exceeded" => Some(Cause::RateLimit),
        "invalid_request_error"
        | "authentication_error"
        | "permission_error"
        | "not_found_error"
        | "request_too_large"
        | "billing_error"
        | "insufficient_quota" => Some(Cause::Refused),
        _ => None,
    };
    let words = [word("code"), word("type")];
    let cause = words.into_iter().flatten().find_map(cause_of);
    let told = format!("the server broke off: {}", excerpt(&said));
    Failure::new(cause.unwrap_or(Cause::Server), told)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_error_in_an_answer_says_whether_to_ask_again() {
        for (body, cause) in [
            (json!("out of memory"), Cause::Server),
            (json!({"message": "out of memory"}), Cause::Server),
            (json!({"code": 503, "message": "busy"}), Cause::Server),
            (
                json!({"code": "429", "message": "slow down"}),
                Cause::RateLimit,
            ),
            (
                json!({"code": 429, "type": "insufficient_quota"}),
                Cause::Refused,
            ),
            (
                json!({"error": {"code": 429, "type": "insufficient_quota"}}),
                Cause::Refused,
            ),
            (
                json!({"type": "requests", "code": "insufficient_quota"}),
                Cause::Refused,
            ),
            (
                json!({"type": "requests", "code": "rate_limit_exceeded"}),
                Cause::RateLimit,
            ),
            (
                json!({"type": "error", "error": {"type": "rate_limit_error"}}),
                Cause::RateLimit,
            ),
            (
                json!({"type": "authentication_error", "code": null}),
                Cause::Refused,
            ),
        ] {
            assert_eq!(event(&body).cause(), cause, "{body}");
        }
    }

    #[test]
    fn an_error_in_an_answer_says_what_the_server_says() {
        for (body, message) in [
            (
                json!("out of memory"),
                "the server broke off: out of memory",
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
            assert_eq!(event(&body).to_string(), message, "{body}");
        }
    }
}
