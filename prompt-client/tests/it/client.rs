//! Clients of the scripted server, and a request for them.

use std::time::Duration;

use prompt_client::{ChatModel, CompletionModel, RetryPolicy};
use prompt_core::{Message, Messages, Request, format};

use crate::server::Server;

/// Retries without a wait worth speaking of.
pub(crate) fn quick() -> RetryPolicy {
    RetryPolicy::default().min_delay(Duration::from_millis(1))
}

pub(crate) fn chat(server: &Server) -> ChatModel {
    ChatModel::openai_compatible(&server.url, "m")
        .unwrap()
        .retry(quick())
}

pub(crate) fn text(server: &Server) -> CompletionModel<format::Plain> {
    CompletionModel::new(&server.url, "m", format::PLAIN)
        .unwrap()
        .retry(quick())
}

pub(crate) fn hello() -> Request {
    Request::from_prompt(&Messages::from([Message::user("Hello")])).unwrap()
}
