//! Quotes of a compared string end the string.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<if mode == "brief">Be brief. </if><question>")]
struct Ask {
    mode: String,
    question: String,
}

fn main() {}
