//! A wrong key of a field is the only error.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = "You are <product>.", user = "<question>")]
struct Ask {
    #[prompt(trustd)]
    product: String,
    #[prompt(skipped)]
    id: u8,
    question: String,
}

fn main() {}
