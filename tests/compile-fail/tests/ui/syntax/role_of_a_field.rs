//! Error 3: the slot of a field with the name of a role.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt("<user>I am <user>. Hi!</user>")]
struct Ask {
    user: String,
}

fn main() {}
