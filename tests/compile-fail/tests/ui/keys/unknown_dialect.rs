//! Error 4: a dialect that does not exist.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>", syntax = "angel")]
struct Ask {
    question: String,
}

fn main() {}
