//! Error 4: two misspelt keys, which are one error.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_misspelt_keys.prompt")]
struct Ask {
    question: String,
}

fn main() {}
