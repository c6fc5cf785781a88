//! Error 4: a version of a format that there is not.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>", format = gemma5)]
struct Ask {
    question: String,
}

fn main() {}
