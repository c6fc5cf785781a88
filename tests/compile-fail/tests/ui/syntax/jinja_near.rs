//! Error 2: a slot in the braces of another dialect is text.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    user = "Question: {question}",
    syntax = "jinja"
)]
struct Ask {
    question: String,
}

fn main() {}
