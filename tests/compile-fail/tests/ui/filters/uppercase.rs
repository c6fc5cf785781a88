//! Error 4: a filter by its name in Rust.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Be <tone | to_uppercase>.")]
struct Ask {
    tone: String,
}

fn main() {}
