//! Error 17: more arguments than a filter takes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <context | trim(1)>")]
struct Ask {
    context: String,
}

fn main() {}
