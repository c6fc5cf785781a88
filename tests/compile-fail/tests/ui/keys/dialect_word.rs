//! Error 4: a dialect without quotes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<context>", syntax = brace)]
struct Ask {
    context: String,
}

fn main() {}
