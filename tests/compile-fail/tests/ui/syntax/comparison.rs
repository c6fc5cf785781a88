//! Error 3: a condition that compares.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<if count > 3>many</if><count>")]
struct Ask {
    count: u32,
}

fn main() {}
