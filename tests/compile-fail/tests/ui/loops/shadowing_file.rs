//! Error 16: a loop variable with the name of a field, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/shadowing.prompt")]
struct Ask {
    context: String,
    passages: Vec<String>,
}

fn main() {}
