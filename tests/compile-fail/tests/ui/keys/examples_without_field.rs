//! A key that names examples, without a field that holds them.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(examples, user = "<question>")]
struct Ask {
    question: String,
}

fn main() {}
