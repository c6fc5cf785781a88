//! Error 15: a default of what is always there, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/needless_default.prompt")]
struct Ask {
    context: String,
}

fn main() {}
