//! Error 4: an unknown key in front matter.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_unknown_key.prompt")]
struct Ask {
    question: String,
}

fn main() {}
