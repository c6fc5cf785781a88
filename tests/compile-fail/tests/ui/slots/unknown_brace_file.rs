//! Error 1: a slot of the brace dialect without a field, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/unknown_brace.prompt", syntax = "brace")]
struct Ask {
    context: String,
}

fn main() {}
