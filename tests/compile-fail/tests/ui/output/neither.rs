//! Error 21: an output type that is nothing of what it should be.

use typed_prompt::Prompt;

struct Answer {
    text: String,
}

#[derive(Prompt)]
#[prompt(user = "<question>", output = Answer)]
struct Ask {
    question: String,
}

fn main() {}
