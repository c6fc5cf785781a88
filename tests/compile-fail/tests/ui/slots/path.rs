//! Error 1: a field of a field that does not exist is found by rustc.

use typed_prompt::Prompt;

struct User {
    name: String,
}

#[derive(Prompt)]
#[prompt(user = "Hello <user.nam>")]
struct Greet {
    user: User,
}

fn main() {}
