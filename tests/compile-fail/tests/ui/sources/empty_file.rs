//! Error 5: an empty template file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/empty.prompt")]
struct Ask {
    question: String,
}

fn main() {}
