//! The Jinja dialect is announced, and not there yet.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer {{ question }}", syntax = "jinja")]
struct Ask {
    question: String,
}

fn main() {}
