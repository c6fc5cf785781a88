//! Error 16: a loop over a number.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <for p in count><p></for>")]
struct Ask {
    count: u32,
}

fn main() {}
