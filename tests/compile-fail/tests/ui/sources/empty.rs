//! Error 5: an empty template.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "  ")]
struct Ask {
    question: String,
}

fn main() {}
