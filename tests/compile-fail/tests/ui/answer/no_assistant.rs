//! Error 2: an answer without an assistant message.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>")]
struct Ask {
    question: String,
    #[prompt(answer)]
    label: String,
}

fn main() {}
