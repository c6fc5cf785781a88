//! Error 1: a slot of the brace dialect without a field.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "{\"id\": {numbr}}", syntax = "brace")]
struct Ask {
    number: u32,
}

fn main() {}
