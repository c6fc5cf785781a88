//! Front matter without an end, and no role after it.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_open_alone.prompt")]
struct Ask {
    question: String,
}

fn main() {}
