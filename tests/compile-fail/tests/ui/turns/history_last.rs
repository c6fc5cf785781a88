//! The history follows the question.

use typed_prompt::{History, Prompt};

#[derive(Prompt)]
#[prompt(user = "<question>", history)]
struct Ask<'a> {
    #[prompt(history)]
    turns: History,
    question: &'a str,
}

fn main() {}
