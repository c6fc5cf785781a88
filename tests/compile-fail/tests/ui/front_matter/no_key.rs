//! A line that is not a key.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_no_key.prompt")]
struct Ask {
    question: String,
}

fn main() {}
