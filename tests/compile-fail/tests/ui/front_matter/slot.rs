//! Error 1: the line number of a mistake after front matter.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_slot.prompt")]
struct Ask {
    question: String,
}

fn main() {}
