//! Error 4: a type in quotes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Hi <text>", output = "Answer")]
struct Ask {
    text: String,
}

fn main() {}
