//! Error 10: tags where a slot is meant.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <context>here</context>")]
struct Ask {
    context: String,
}

fn main() {}
