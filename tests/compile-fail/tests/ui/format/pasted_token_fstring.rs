//! Error 8: control tokens in an f-string without a format.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "fstring", user = "[INST] {question}")]
struct Ask {
    question: String,
}

fn main() {}
