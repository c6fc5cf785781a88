//! Error 20: a string for a prompt of two fields.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question> <context>")]
struct Ask {
    question: String,
    context: String,
}

fn main() {
    let _: Ask = "Why?".into();
}
