//! Error 13: a template file that is not UTF-8.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/latin1.prompt")]
struct Ask {
    question: String,
}

fn main() {}
