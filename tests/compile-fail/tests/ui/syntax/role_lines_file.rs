//! Lines that begin a message in other tools, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/role_lines.prompt")]
struct Ask {
    question: String,
}

fn main() {}
