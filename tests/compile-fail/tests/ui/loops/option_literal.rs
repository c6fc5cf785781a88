//! Error 16: a loop over an `Option`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <for p in passages><p></for>")]
struct Ask {
    passages: Option<Vec<String>>,
}

fn main() {}
