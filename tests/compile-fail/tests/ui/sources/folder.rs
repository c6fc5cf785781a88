//! Error 13: a folder instead of a template file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts")]
struct Ask {
    question: String,
}

fn main() {}
