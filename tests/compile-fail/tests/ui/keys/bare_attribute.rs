//! An empty attribute.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt]
struct Ask {
    question: String,
}

fn main() {}
