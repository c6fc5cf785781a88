//! Error 15: an `Option` in a plain slot, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/plain_slot.prompt")]
struct Ask {
    context: Option<String>,
}

fn main() {}
