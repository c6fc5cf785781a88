//! Error 3: a block that is never closed.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <if context>Context: <context>")]
struct Ask {
    context: String,
}

fn main() {}
