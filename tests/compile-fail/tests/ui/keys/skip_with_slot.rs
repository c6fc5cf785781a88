//! Error 2: a field that is skipped, and has a slot.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<context>")]
struct Ask {
    #[prompt(skip)]
    context: String,
}

fn main() {}
