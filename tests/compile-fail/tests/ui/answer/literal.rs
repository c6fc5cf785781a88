//! Error 9: the answer is in a message that the model receives.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Question: <question> (<label>)", assistant = "<label>")]
struct Row {
    question: String,
    #[prompt(answer)]
    label: String,
}

fn main() {}
