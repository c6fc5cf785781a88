//! Error 16: two names for the number of an item and the item, as in Go or Vue.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for i, passage in passages>[<i>] <passage></for>")]
struct Ask {
    passages: Vec<String>,
}

fn main() {}
