//! Error 8: control tokens in a fragment, which has no format.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(fragment = "<question><|endoftext|>")]
struct Ask {
    question: String,
}

fn main() {}
