//! Error 9: the answer stands where the model reads it.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Question: <question> (<label>)", assistant = "<label>")]
struct Row {
    question: String,
    #[prompt(answer)]
    label: String,
}

fn main() {}
