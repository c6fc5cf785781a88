//! Error 4: a format in quotes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<context>", format = "llama3")]
struct Ask {
    context: String,
}

fn main() {}
