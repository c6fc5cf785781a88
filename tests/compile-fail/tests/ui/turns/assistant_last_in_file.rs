//! Error 6: the assistant has the last word in the file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/assistant_last.prompt", output = bool)]
struct Ask {
    question: String,
}

fn main() {}
