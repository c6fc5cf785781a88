//! Error 13: a path that leads out of the package.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/../../right.prompt")]
struct Ask {
    question: String,
}

fn main() {}
