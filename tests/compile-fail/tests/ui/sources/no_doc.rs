//! Error 5: a missing doc comment.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(doc)]
struct Ask {
    question: String,
}

fn main() {}
