//! Error 1: a slot of another language in a file of the dialect angle.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/lookalike_angle.prompt")]
struct Ask {
    question: String,
}

fn main() {}
