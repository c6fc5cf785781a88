//! Error 5: an empty template of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "

    ")]
struct Ask {
    context: String,
}

fn main() {}
