//! Error 18: turns of a file with a format that has none.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/few_shot.prompt", format = alpaca)]
struct Ask {
    question: String,
}

fn main() {}
