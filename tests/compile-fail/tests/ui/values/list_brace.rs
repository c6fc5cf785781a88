//! Error 14: a list in a slot of the brace dialect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Use {passages}", syntax = "brace")]
struct Ask {
    passages: Vec<String>,
}

fn main() {}
