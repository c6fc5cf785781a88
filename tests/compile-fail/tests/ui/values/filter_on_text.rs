//! Error 17: a filter for lists on a string.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Hello <name | join(\", \")>")]
struct Greet {
    name: String,
}

fn main() {}
