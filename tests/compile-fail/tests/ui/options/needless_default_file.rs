//! Error 15: a default for a value that is never `None`, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/needless_default.prompt")]
struct Ask {
    context: String,
}

fn main() {}
