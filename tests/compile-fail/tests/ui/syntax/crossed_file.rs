//! Error 3: blocks that cross, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/crossed.prompt")]
struct Ask {
    context: String,
    passages: Vec<String>,
}

fn main() {}
