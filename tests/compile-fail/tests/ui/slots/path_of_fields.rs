//! Error 1: a field of a field that does not exist, of a struct with `#[derive(Fields)]`.

use typed_prompt::{Fields, Prompt};

#[derive(Fields)]
struct User {
    name: String,
}

#[derive(Prompt)]
#[prompt(user = "Hello <user.nmae>")]
struct Greet {
    user: User,
}

fn main() {}
