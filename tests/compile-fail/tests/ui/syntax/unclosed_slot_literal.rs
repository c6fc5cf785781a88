//! Error 3: a slot that is never closed.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <input:context, please")]
struct Ask {
    context: String,
}

fn main() {}
