//! Error 16: a loop variable that is not used.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <for p in passages>-</for>")]
struct Ask {
    passages: Vec<String>,
}

fn main() {}
