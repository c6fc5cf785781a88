//! Error 14: a map in a plain slot.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Hello <people>")]
struct Greet {
    people: std::collections::HashMap<String, u32>,
}

fn main() {}
