//! Error 15: an `Option` in a slot of the brace dialect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Use {context}", syntax = "brace")]
struct Ask {
    context: Option<String>,
}

fn main() {}
