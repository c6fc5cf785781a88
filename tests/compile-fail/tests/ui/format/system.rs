//! Error 8: instructions for a family that does not support them.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = "Answer in verse.", user = "<question>", format = mistral_v0)]
struct Ask {
    question: String,
}

fn main() {}
