//! Error 21: an output type without a schema.

use typed_prompt::Prompt;

#[derive(serde::Deserialize)]
struct Answer {
    text: String,
}

#[derive(Prompt)]
#[prompt(user = "<question>", output = Answer)]
struct Ask {
    question: String,
}

fn main() {}
