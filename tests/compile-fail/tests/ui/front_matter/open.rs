//! Front matter without an end.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_open.prompt")]
struct Ask {
    question: String,
}

fn main() {}
