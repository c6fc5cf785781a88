//! Error 13: an absolute path.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "/prompts/right.prompt")]
struct Ask {
    question: String,
}

fn main() {}
