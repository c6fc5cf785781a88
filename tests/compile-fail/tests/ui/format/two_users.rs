//! Error 8: the user speaks twice in a family whose roles take turns.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Here is a text: <text>", user = "Summarize it.", format = llama2)]
struct Ask {
    text: String,
}

fn main() {}
