//! Error 2: examples without their attribute.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>")]
struct Ask {
    question: String,
    examples: typed_prompt::Examples,
}

fn main() {}
