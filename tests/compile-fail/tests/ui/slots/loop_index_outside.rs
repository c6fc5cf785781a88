//! Error 1: the counter of a loop, outside of one.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<loop.index>. <question>")]
struct Ask {
    question: String,
}

fn main() {}
