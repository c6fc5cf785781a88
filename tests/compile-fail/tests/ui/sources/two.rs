//! Error 5: two sources of one prompt.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>", file = "prompts/right.prompt")]
struct Ask {
    question: String,
}

fn main() {}
