//! Error 2: examples that are not marked.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>")]
struct Ask {
    question: String,
    examples: typed_prompt::Examples,
}

fn main() {}
