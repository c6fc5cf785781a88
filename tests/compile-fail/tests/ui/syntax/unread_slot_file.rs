//! Error 3: a slot that cannot be read, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/unread_slot.prompt")]
struct Ask {
    context: String,
}

fn main() {}
