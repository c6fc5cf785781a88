//! Error 9: a fragment may stand anywhere, and so holds no answer.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(fragment = "<question>: <label>")]
struct Row {
    question: String,
    #[prompt(answer)]
    label: String,
}

fn main() {}
