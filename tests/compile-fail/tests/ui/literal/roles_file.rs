//! Error 1: text with tags of roles, pasted into a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/pasted_roles.prompt")]
struct Ask {
    question: String,
}

fn main() {}
