//! Error 4: the name of a family that has several formats.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>", format = deepseek)]
struct Ask {
    question: String,
}

fn main() {}
