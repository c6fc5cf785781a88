use typed_prompt::{Prompt, Examples};

#[derive(Prompt)]
#[prompt(user = "<question>", format = alpaca)]
struct Ask {
    #[prompt(examples)]
    examples: Examples,
    question: String,
}

fn main() {}
