//! Error 2: a field that has no slot, in the brace dialect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: {question}", syntax = "brace")]
struct Ask {
    question: String,
    context: String,
}

fn main() {}
