//! Error 4: the key slots in a dialect without input.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(slots = "input", syntax = "fstring", user = "Answer {question}.")]
struct Ask {
    question: String,
}

fn main() {}
