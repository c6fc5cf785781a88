//! Error 2: a field that has no slot.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <question>")]
struct Ask {
    question: String,
    context: String,
}

fn main() {}
