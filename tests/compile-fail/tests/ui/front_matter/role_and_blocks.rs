//! Error 5: a role in front matter, and blocks of roles.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_role_and_blocks.prompt")]
struct Ask {
    question: String,
}

fn main() {}
