//! Error 7: examples as text in the system message.

use typed_prompt::{Examples, Prompt};

#[derive(Prompt)]
#[prompt(system = "Answer as here: <examples>", user = "<question>")]
struct Ask {
    #[prompt(examples)]
    examples: Examples,
    question: String,
}

fn main() {}
