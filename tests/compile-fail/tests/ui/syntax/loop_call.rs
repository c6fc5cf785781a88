//! Error 3: a method on the list of a loop.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for p in passages.iter()><p></for>")]
struct Ask {
    passages: Vec<String>,
}

fn main() {}
