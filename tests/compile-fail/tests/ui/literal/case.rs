//! A block of another language.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question><case \"short\">Be brief.")]
struct Ask {
    question: String,
}

fn main() {}
