//! Error 4: an unknown format in front matter.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_unknown_format.prompt")]
struct Ask {
    question: String,
}

fn main() {}
