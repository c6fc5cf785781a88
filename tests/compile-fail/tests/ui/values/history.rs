//! Error 14: a history field of another type.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Go.")]
struct Ask {
    #[prompt(history)]
    history: String,
}

fn main() {}
