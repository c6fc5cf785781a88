//! Error 1: an unknown attribute of `loop`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for p in passages>[<loop.indx>] <p></for>")]
struct Ask {
    passages: Vec<String>,
}

fn main() {}
