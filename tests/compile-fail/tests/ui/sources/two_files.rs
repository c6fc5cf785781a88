//! Error 5: two files.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/right.prompt", file = "prompts/list.prompt")]
struct Ask {
    question: String,
}

fn main() {}
