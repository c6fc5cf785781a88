//! Error 4: an unknown dialect in front matter.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_unknown_dialect.prompt")]
struct Ask {
    question: String,
}

fn main() {}
