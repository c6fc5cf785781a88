//! Error 11: a union.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Go.")]
union Either {
    text: u8,
    number: i8,
}

fn main() {}
