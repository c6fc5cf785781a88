//! Error 13: a path that leaves the package and returns to it.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "../compile-fail/prompts/plain_slot.prompt")]
struct Ask {
    context: String,
}

fn main() {}
