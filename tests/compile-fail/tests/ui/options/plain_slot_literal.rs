//! Error 15: an `Option` in a plain slot.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <context>")]
struct Ask {
    context: Option<String>,
}

fn main() {}
