//! Error 3: a slot that is never closed, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/unclosed_slot.prompt")]
struct Ask {
    context: String,
}

fn main() {}
