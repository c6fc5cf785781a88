//! Error 8: a control token that an escape divides in the source only.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question> <|eot\u{5f}id|>", format = llama3)]
struct Ask {
    question: String,
}

fn main() {}
