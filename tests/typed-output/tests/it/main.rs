//! Typed answers and tools, through the public API: one module per feature.

mod actions;
mod call;
mod derive_tools_example;
mod examples_file;
mod files;
mod functions;
mod partial;
mod servers;
mod templates;
mod tool_events;
mod tool_limits;
mod tool_transcripts;
mod untrusted;

use typed_prompt::{Message, Prompt};

/// The text of a prompt that is one user message.
fn user(prompt: &impl Prompt) -> String {
    match prompt.messages().unwrap().as_slice() {
        [message] if message.role.name() == "user" => message.text().into_owned(),
        other => panic!("one user message expected, got {other:?}"),
    }
}

/// Role and text of each message.
fn turns(prompt: &impl Prompt) -> Vec<(&'static str, String)> {
    let turn = |message: &Message| (message.role.name(), message.text().into_owned());
    prompt.messages().unwrap().iter().map(turn).collect()
}
