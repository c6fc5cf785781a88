//! Error 1: a field that a struct with `#[derive(Fields)]` does not have, in a file.

use typed_prompt::{Fields, Prompt};

#[derive(Prompt)]
#[prompt(file = "prompts/unknown_path.prompt")]
struct Ask {
    user: User,
}

#[derive(Fields)]
struct User {
    name: String,
}

fn main() {}
