//! Error 14: a list in a plain slot.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <passages>")]
struct Ask {
    passages: Vec<String>,
}

fn main() {}
