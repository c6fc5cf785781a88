//! A helper of Guidance.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question> {{gen 'answer' n=3}}")]
struct Ask {
    question: String,
}

fn main() {}
