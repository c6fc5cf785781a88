//! Error 18: examples in a format without earlier turns.

use typed_prompt::{Prompt, Examples};

#[derive(Prompt)]
#[prompt(user = "<question>", format = alpaca)]
struct Ask {
    #[prompt(examples)]
    examples: Examples,
    question: String,
}

fn main() {}
