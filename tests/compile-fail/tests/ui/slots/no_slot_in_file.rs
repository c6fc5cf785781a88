//! Error 2: a field that has no slot in the file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/right.prompt")]
struct Ask {
    question: String,
    context: String,
}

fn main() {}
