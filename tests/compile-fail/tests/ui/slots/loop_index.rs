//! Error 1: the counter of a Jinja loop in the angle dialect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for p in passages><loop.index>. <p></for>")]
struct Ask {
    passages: Vec<String>,
}

fn main() {}
