//! Error 16: a loop variable that is not used, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/unused.prompt")]
struct Ask {
    passages: Vec<String>,
}

fn main() {}
