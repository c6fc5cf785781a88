//! Error 9: a doc comment is the user's message.

use typed_prompt::Prompt;

/// Question: <question>
/// Answer: <label>
#[derive(Prompt)]
#[prompt(doc)]
struct Row {
    question: String,
    #[prompt(answer)]
    label: String,
}

fn main() {}
