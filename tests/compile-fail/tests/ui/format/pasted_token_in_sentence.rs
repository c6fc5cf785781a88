//! Error 8: a control token in a sentence, without a format.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "What does <|eot_id|> mean in <question>?")]
struct Ask {
    question: String,
}

fn main() {}
