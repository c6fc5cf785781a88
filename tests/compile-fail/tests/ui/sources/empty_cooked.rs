//! Error 5: an empty template of escapes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "\n\t \u{20}")]
struct Ask {
    context: String,
}

fn main() {}
