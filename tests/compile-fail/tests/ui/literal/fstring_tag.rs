//! Error 1: a slot of the angle dialect in the f-string dialect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "fstring", user = "Answer {question}, that is <question>.")]
struct Ask {
    question: String,
}

fn main() {}
