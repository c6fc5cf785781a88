//! The client against a server on the loopback that does as it is told.

mod answers;
mod asked;
mod calls;
mod client;
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
mod wire;

use prompt_client::Failure;
use prompt_core::Error;

use client::{chat, hello, quick, text};

fn failure(error: &Error) -> &Failure {
    Failure::of(error).unwrap_or_else(|| panic!("no failure of the client: {error:#}"))
}
