//! Error 1: a slot of a fragment without a field.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(fragment = "<nmae>")]
struct Part {
    name: String,
}

fn main() {}
