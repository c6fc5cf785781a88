//! Error 6: two system messages in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/two_systems.prompt")]
struct Ask {
    question: String,
}

fn main() {}
