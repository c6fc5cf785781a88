//! Error 17: a filter of lists on a text.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Hello <name | join(\", \")>")]
struct Greet {
    name: String,
}

fn main() {}
