//! Error 5: no template.

use typed_prompt::Prompt;

#[derive(Prompt)]
struct Ask {
    question: String,
}

fn main() {}
