//! Error 1: a slot whose case differs.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Hello <Name>")]
struct Greet {
    name: String,
}

fn main() {}
