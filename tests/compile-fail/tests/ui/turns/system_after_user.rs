//! Error 6: a system message after a user message.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>", system = "Be brief.")]
struct Ask {
    question: String,
}

fn main() {}
