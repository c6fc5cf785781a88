//! Error 4: a key that does not exist.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>", outptu = String)]
struct Ask {
    question: String,
}

fn main() {}
