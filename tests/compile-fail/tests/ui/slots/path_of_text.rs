//! Error 1: a field of a field that is text.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Read <values.yaml>, then answer: <question>")]
struct Ask {
    values: String,
    question: String,
}

fn main() {}
