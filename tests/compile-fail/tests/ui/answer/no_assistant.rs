//! Error 2: an answer without the turn that it stands in.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>")]
struct Ask {
    question: String,
    #[prompt(answer)]
    label: String,
}

fn main() {}
