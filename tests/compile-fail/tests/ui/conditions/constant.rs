//! A text beside `or` is always true.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<if mode == 'brief' or 'short'>Be brief. </if><mode>: <question>")]
struct Ask {
    mode: String,
    question: String,
}

fn main() {}
