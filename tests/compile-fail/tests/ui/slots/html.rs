//! Error 1: a tag of HTML without an end.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer <question><p>in one line.")]
struct Ask {
    question: String,
}

fn main() {}
