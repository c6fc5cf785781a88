//! Error 14: a list in a plain slot, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/list.prompt")]
struct Ask {
    passages: Vec<String>,
}

fn main() {}
