//! Error 13: the path of a file as on Windows.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = r"prompts\right.prompt")]
struct Ask {
    question: String,
}

#[derive(Prompt)]
#[prompt(file = "prompts\right.prompt")]
struct Escaped {
    question: String,
}

fn main() {}
