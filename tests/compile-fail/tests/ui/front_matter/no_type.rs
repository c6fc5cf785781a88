//! An output that is no type.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_no_type.prompt")]
struct Ask {
    question: String,
}

fn main() {}
