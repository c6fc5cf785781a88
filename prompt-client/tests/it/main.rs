//! Tests of the client against a scripted server on the loopback interface.

mod answer_tool;
mod bounds;
mod client;
mod completion_reasoning;
mod divided;
mod embeddings;
mod errors;
mod load;
mod log_probs;
mod openai_responses;
mod openai_tool_calls;
mod prompt;
mod protocols;
mod reasoning;
mod reasoning_cases;
mod recorded;
mod replies;
mod reports;
mod request_hook;
mod requests;
mod server;
mod stored_prompts;
mod streams;
mod structured;
mod tools;
mod wire;
mod wrappers;

use prompt_client::CallError;
use prompt_core::Error;

use client::{chat, hello, quick, text};

fn call_error(error: &Error) -> &CallError {
    CallError::source_of(error).unwrap_or_else(|| panic!("no failure of the client: {error:#}"))
}
