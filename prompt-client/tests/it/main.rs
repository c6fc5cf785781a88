//! The client against a server on the loopback that does as it is told.

mod answers;
mod asked;
mod calls;
mod faults;
mod likelihood;
mod prompt;
mod protocols;
mod reasoning;
mod reasoning_text;
mod recorded;
mod server;
mod streams;
mod thoughts;
mod tools;
mod traced;
mod wire;

use std::time::Duration;

use prompt_client::{Chat, Failure, Retry, Text};
use prompt_core::{Error, Message, Messages, Request, format};
use server::Server;

/// Retries without a wait worth speaking of.
fn quick() -> Retry {
    Retry {
        first: Duration::from_millis(1),
        ..Retry::default()
    }
}

fn chat(server: &Server) -> Chat {
    Chat::at(&server.url, "m").unwrap().with_retry(quick())
}

fn text(server: &Server) -> Text<format::Plain> {
    Text::at(&server.url, "m", format::PLAIN)
        .unwrap()
        .with_retry(quick())
}

fn hello() -> Request {
    Request::of(&Messages::from([Message::user("Hello")])).unwrap()
}

fn failure(error: &Error) -> &Failure {
    Failure::of(error).unwrap_or_else(|| panic!("no failure of the client: {error:#}"))
}
