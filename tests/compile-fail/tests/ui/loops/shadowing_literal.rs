//! Error 16: a loop variable with the name of a field.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <for context in passages><context></for> <input:context>")]
struct Ask {
    context: String,
    passages: Vec<String>,
}

fn main() {}
