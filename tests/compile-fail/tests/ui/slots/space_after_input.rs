//! A space between `input:` and the name.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Review this: <input: diff>")]
struct Review {
    diff: String,
}

fn main() {}
