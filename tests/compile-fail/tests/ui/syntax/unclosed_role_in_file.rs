//! Error 3: a role that is never closed, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/unclosed_role.prompt")]
struct Ask {
    question: String,
}

fn main() {}
