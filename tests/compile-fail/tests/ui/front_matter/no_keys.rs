//! Lines of dashes around a heading.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_no_keys.prompt")]
struct Ask {
    question: String,
}

fn main() {}
