//! A role with text on its line, in a Prompty file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/role_on_a_line.prompty")]
struct Ask {
    question: String,
}

fn main() {}
