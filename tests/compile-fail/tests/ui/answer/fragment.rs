//! Error 9: a fragment may be used in any message, so it cannot contain the answer.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(fragment = "<question>: <label>")]
struct Row {
    question: String,
    #[prompt(answer)]
    label: String,
}

fn main() {}
