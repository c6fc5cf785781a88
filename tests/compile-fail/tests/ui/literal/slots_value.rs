//! Error 4: an unknown value of the key slots.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(slots = "inputs", user = "Answer <question>.")]
struct Ask {
    question: String,
}

fn main() {}
