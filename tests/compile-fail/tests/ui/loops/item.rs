//! Error 16: a loop over an item that is no list.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for p in people><for q in p><q></for></for>")]
struct Ask {
    people: Vec<u32>,
}

fn main() {}
