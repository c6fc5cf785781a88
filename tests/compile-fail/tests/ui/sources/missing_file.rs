//! Error 13: a template file that does not exist.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/rigth.prompt")]
struct Ask {
    question: String,
}

fn main() {}
