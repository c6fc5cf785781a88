//! Error 1: a slot where the struct has no fields.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Hello <name>")]
struct Ask {
}

fn main() {}
