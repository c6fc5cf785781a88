//! Error 1: a method in a slot.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer <question> in <question.len()> words.")]
struct Ask {
    question: String,
}

fn main() {}
