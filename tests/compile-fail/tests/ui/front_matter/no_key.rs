//! A line that is no key.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_no_key.prompt")]
struct Ask {
    question: String,
}

fn main() {}
