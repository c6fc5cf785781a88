//! Error 9: an example turn in the middle that contains the answer.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    syntax = "brace",
    user = "Question: {question}",
    assistant = r#"
"Answer":
    {label}"#,
    user = "Are you sure?"
)]
struct Row {
    question: String,
    #[prompt(answer)]
    label: String,
}

fn main() {}
