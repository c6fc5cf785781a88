//! An output that is not a type.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_no_type.prompt")]
struct Ask {
    question: String,
}

fn main() {}
