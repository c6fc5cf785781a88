//! Error 3: an argument after a colon.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "In short: <text | truncate: 20>")]
struct Ask {
    text: String,
}

fn main() {}
