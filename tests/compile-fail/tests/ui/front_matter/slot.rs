//! Error 1: a mistake below front matter stands at its own line of the file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_slot.prompt")]
struct Ask {
    question: String,
}

fn main() {}
