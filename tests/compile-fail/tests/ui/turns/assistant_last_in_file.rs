//! Error 6: the last message is the assistant's, in the file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/assistant_last.prompt", output = bool)]
struct Ask {
    question: String,
}

fn main() {}
