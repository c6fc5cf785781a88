//! Error 5: two formats.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<context>", format = llama3, format = chatml)]
struct Ask {
    context: String,
}

fn main() {}
