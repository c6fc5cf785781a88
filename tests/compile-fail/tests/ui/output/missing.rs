//! Error 21: an output type that does not exist.

use typed_prompt::Prompt;

type Answer = bool;

#[derive(Prompt)]
#[prompt(user = "<question>", output = Anser)]
struct Ask {
    question: String,
}

fn main() {}
