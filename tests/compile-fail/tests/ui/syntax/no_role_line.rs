//! A Prompty file without a role.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/no_role_line.prompty")]
struct Ask {
    question: String,
}

fn main() {}
