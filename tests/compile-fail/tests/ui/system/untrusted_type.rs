//! Error 7: an answer of a model in the system message.

use typed_prompt::{Prompt, Untrusted};

#[derive(Prompt)]
#[prompt(system = "You know <topic>.", user = "Go.")]
struct Ask {
    topic: Untrusted<String>,
}

fn main() {}
