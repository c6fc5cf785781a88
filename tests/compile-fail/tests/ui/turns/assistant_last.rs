//! Error 6: the last message is the assistant's, and an answer is requested.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>", assistant = "Yes.", output = bool)]
struct Ask {
    question: String,
}

fn main() {}
