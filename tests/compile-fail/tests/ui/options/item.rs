//! Error 15: a list of `Option`s.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for note in notes><note></for>")]
struct Ask {
    notes: Vec<Option<String>>,
}

fn main() {}
