//! Error 4: an unknown role in front matter.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_unknown_role.prompt")]
struct Ask {
    question: String,
}

fn main() {}
