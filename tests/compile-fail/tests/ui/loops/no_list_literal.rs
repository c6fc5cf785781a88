//! Error 16: a loop over a string.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <for p in context><p></for>")]
struct Ask {
    context: String,
}

fn main() {}
