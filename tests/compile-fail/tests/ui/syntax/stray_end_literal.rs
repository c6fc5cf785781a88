//! Error 3: an end without a beginning.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: </if> <context>")]
struct Ask {
    context: String,
}

fn main() {}
