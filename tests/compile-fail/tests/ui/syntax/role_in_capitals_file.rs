//! Role tags with capitals, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/role_in_capitals.prompt")]
struct Ask {
    question: String,
}

fn main() {}
