//! Error 21: an output type that is a reference.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>", output = &str)]
struct Ask {
    question: String,
}

fn main() {}
