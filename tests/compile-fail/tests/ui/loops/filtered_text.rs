//! Error 17: a loop over a text that a filter changes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for line in text | trim>> <line>\n</for>")]
struct Ask {
    text: String,
}

fn main() {}
