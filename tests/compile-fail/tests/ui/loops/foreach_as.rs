//! The loop of another language, the list first.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<foreach xs as x>- x\n</foreach>")]
struct Ask {
    xs: Vec<String>,
}

fn main() {}
