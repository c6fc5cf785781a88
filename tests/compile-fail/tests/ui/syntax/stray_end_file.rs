//! Error 3: an end without a beginning, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/stray_end.prompt")]
struct Ask {
    context: String,
}

fn main() {}
