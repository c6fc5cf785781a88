//! Error 18: fixed turns with a format that has none.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "2 + 2?", assistant = "4", user = "<question>", format = alpaca)]
struct Ask {
    question: String,
}

fn main() {}
