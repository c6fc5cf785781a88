//! Clients of the server that does as it is told, and what they send it.

use std::time::Duration;

use prompt_client::{Chat, Retry, Text};
use prompt_core::{Message, Messages, Request, format};

use crate::server::Server;

/// Retries without a wait worth speaking of.
pub(crate) fn quick() -> Retry {
    Retry {
        first: Duration::from_millis(1),
        ..Retry::default()
    }
}

pub(crate) fn chat(server: &Server) -> Chat {
    Chat::at(&server.url, "m").unwrap().with_retry(quick())
}

pub(crate) fn text(server: &Server) -> Text<format::Plain> {
    Text::at(&server.url, "m", format::PLAIN)
        .unwrap()
        .with_retry(quick())
}

pub(crate) fn hello() -> Request {
    Request::of(&Messages::from([Message::user("Hello")])).unwrap()
}
