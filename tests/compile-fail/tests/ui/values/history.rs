//! Error 14: a field that holds no turns.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Go.")]
struct Ask {
    #[prompt(history)]
    history: String,
}

fn main() {}
