//! Error 6: the answer is asked for, and the model has the last word already.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>", assistant = "Yes.", output = bool)]
struct Ask {
    question: String,
}

fn main() {}
