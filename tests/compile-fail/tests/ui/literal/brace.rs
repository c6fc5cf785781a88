//! Error 1: a conversion of Python in the brace dialect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "brace", user = "Answer {question}, that is {question!r}.")]
struct Ask {
    question: String,
}

fn main() {}
