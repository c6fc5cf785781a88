//! Error 1: a slot with `input:` without a field.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Hello <input:nmae>")]
struct Greet {
    name: String,
}

fn main() {}
