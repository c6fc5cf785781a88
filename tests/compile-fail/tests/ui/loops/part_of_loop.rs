//! Error 1: a part that a loop does not have.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for p in passages>[<loop.indx>] <p></for>")]
struct Ask {
    passages: Vec<String>,
}

fn main() {}
