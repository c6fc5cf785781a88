//! Error 5: a fragment and a message.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(fragment = "<context>", user = "<context>")]
struct Ask {
    context: String,
}

fn main() {}
