//! Error 7: a filter does not make a value trusted.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = "You know <context | upper>.", user = "Go.")]
struct Ask {
    context: String,
}

fn main() {}
