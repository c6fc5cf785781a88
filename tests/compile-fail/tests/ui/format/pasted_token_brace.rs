//! Error 8: control tokens in the brace dialect without a format.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "brace", user = "{question}<end_of_turn>")]
struct Ask {
    question: String,
}

fn main() {}
