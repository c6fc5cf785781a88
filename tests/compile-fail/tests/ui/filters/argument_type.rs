//! Error 17: a field of the wrong type as an argument.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Use <context | truncate(width)>")]
struct Ask {
    context: String,
    width: String,
}

fn main() {}
