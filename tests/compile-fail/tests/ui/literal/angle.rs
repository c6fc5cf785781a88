//! Error 1: a slot of another language beside a correct one.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer <question>, that is ${question}.")]
struct Ask {
    question: String,
}

fn main() {}
