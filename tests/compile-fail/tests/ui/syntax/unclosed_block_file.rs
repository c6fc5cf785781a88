//! Error 3: a block that is never closed, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/unclosed_block.prompt")]
struct Ask {
    context: String,
}

fn main() {}
