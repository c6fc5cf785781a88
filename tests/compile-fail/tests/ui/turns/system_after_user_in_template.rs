//! Error 6: a system message after a user message, in one literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt("<user><question></user><system>Be brief.</system>")]
struct Ask {
    question: String,
}

fn main() {}
