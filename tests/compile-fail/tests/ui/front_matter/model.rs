//! The key `model`, which nothing reads.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_model.prompt")]
struct Ask {
    question: String,
}

fn main() {}
