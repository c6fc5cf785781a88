//! What went wrong in genai's words, told in ours.

use genai::webc::{self, StreamTimeout};

use crate::failure::{Cause, Failure, excerpt};
use crate::{fault, openai};

/// The body of an answer that came and that genai could not read.
pub(super) fn unread(error: &genai::Error) -> Option<&serde_json::Value> {
    match error {
        genai::Error::ChatResponseGeneration { response_body, .. } => Some(response_body),
        _ => None,
    }
}

pub(super) fn read(error: genai::Error) -> Failure {
    use genai::Error;
    match error {
        Error::WebModelCall { webc_error, .. } | Error::WebAdapterCall { webc_error, .. } => {
            web(webc_error)
        }
        Error::HttpError {
            status,
            body,
            headers,
            ..
        } => fault::status(status.as_u16(), &headers, &body),
        Error::WebStream { error, cause, .. } => boxed(error, &cause),
        Error::StreamParse { serde_error, .. } => Failure::new(
            Cause::Protocol,
            format!("the server streams what is no JSON: {serde_error}"),
        ),
        Error::ChatResponse { body, .. } => fault::event(&body),
        // Its text holds the whole request; the cause alone is told.
        Error::ChatResponseGeneration {
            cause,
            response_body,
            ..
        } => {
            if let Some(failure) = openai::error(&response_body) {
                return failure;
            }
            let message = format!("the server's answer cannot be read: {}", excerpt(&cause));
            Failure::new(Cause::Protocol, message).with_answer(response_body.to_string())
        }
        Error::Resolver { resolver_error, .. } => {
            Failure::new(Cause::Key, resolver_error.to_string())
        }
        Error::RequiresApiKey { .. } | Error::NoAuthResolver { .. } | Error::NoAuthData { .. } => {
            Failure::new(Cause::Key, "the provider needs a key")
        }
        Error::NoChatResponse { .. } | Error::InvalidJsonResponseElement { .. } => {
            Failure::new(Cause::Protocol, excerpt(&error.to_string()))
        }
        other => Failure::new(Cause::Setup, excerpt(&other.to_string())),
    }
}

fn web(error: webc::Error) -> Failure {
    use webc::Error;
    match error {
        Error::ResponseFailedStatus {
            status,
            body,
            headers,
        } => fault::status(status.as_u16(), &headers, &body),
        Error::ResponseFailedNotJson { content_type, body } => {
            fault::wrong_type(&content_type, "application/json", &body)
        }
        Error::ResponseFailedInvalidJson { body, cause } => fault::not_json(cause, &body),
        Error::Reqwest(error) => fault::http(error),
        other => Failure::new(Cause::Protocol, excerpt(&other.to_string())),
    }
}

fn boxed(error: genai::BoxError, cause: &str) -> Failure {
    let error = match error.downcast::<genai::Error>() {
        Ok(error) => return read(*error),
        Err(error) => error,
    };
    let error = match error.downcast::<reqwest::Error>() {
        Ok(error) => return fault::http(*error),
        Err(error) => error,
    };
    match error.downcast_ref::<StreamTimeout>() {
        Some(StreamTimeout::Headers) => {
            Failure::new(Cause::Timeout, "the stream did not begin in time")
        }
        Some(StreamTimeout::Read) => fault::silent(),
        None => Failure::new(
            Cause::Protocol,
            format!("the stream cannot be read: {}", excerpt(cause)),
        ),
    }
}
