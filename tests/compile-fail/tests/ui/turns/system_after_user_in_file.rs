//! Error 6: a system message after a user message, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/system_after_user.prompt")]
struct Ask {
    question: String,
}

fn main() {}
