//! Error 15: an `Option` of a field, found by rustc.

use typed_prompt::Prompt;

struct User {
    name: Option<String>,
}

#[derive(Prompt)]
#[prompt(user = "Hello <user.name>")]
struct Ask {
    user: User,
}

fn main() {}
