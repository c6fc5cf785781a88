//! Error 13: a template file in a folder that does not exist.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "promts/right.prompt")]
struct Ask {
    question: String,
}

fn main() {}
