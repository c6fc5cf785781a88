//! Error 1: a slot of another language in a file of the dialect fstring.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/lookalike_fstring.prompt", syntax = "fstring")]
struct Ask {
    question: String,
}

fn main() {}
