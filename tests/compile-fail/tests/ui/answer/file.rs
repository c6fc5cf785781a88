//! Error 9: in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/answer.prompt")]
struct Row {
    question: String,
    #[prompt(answer)]
    label: String,
}

fn main() {}
