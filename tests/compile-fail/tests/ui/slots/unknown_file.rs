//! Error 1: a slot without a field, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/unknown.prompt")]
struct Ask {
    context: String,
}

fn main() {}
