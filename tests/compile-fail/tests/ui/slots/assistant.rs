//! Error 1: a slot without a field, in a turn of the assistant.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Hello", assistant = "Use <contxt>.", user = "Go.")]
struct Ask {
    context: String,
}

fn main() {}
