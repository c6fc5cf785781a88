//! Error 5: two dialects.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<context>", syntax = "angle", syntax = "brace")]
struct Ask {
    context: String,
}

fn main() {}
