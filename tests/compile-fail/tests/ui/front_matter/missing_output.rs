//! An output type that does not exist.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_missing_output.prompt")]
struct Ask {
    question: String,
}

fn main() {}
