//! Error 4: a block with an unknown role, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/unknown_role.prompt")]
struct Ask {
    question: String,
}

fn main() {}
