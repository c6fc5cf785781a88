//! Error 1: a slot of another language in a file of the dialect brace.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/lookalike_brace.prompt", syntax = "brace")]
struct Ask {
    question: String,
}

fn main() {}
