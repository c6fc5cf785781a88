//! Error 21: an output type without the required traits.

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
