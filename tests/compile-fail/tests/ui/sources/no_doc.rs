//! Error 5: a doc comment that is not there.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(doc)]
struct Ask {
    question: String,
}

fn main() {}
