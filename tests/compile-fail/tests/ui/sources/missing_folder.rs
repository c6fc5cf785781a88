//! Error 13: a template file in a folder that is not there.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "promts/right.prompt")]
struct Ask {
    question: String,
}

fn main() {}
