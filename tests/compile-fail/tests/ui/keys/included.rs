//! Error 4: a file that is included as a literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = include_str!("ask.prompt"))]
struct Ask {
    question: String,
}

fn main() {}
