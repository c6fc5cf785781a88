use typed_prompt::{Prompt, Shots};

#[derive(Prompt)]
#[prompt(user = "<question>", format = alpaca)]
struct Ask {
    #[prompt(shots)]
    shots: Shots,
    question: String,
}

fn main() {}
