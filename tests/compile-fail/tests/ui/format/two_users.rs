//! Error 8: two user messages in a row in a family whose roles alternate.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Here is a text: <text>", user = "Summarize it.", format = llama2)]
struct Ask {
    text: String,
}

fn main() {}
