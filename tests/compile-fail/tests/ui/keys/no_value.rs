//! Error 4: a key without its value.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user)]
struct Ask {
    question: String,
}

fn main() {}
