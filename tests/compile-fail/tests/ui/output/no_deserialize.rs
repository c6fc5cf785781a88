//! Error 21: an output type that cannot be deserialized.

use typed_prompt::Prompt;

#[derive(schemars::JsonSchema)]
struct Answer {
    text: String,
}

#[derive(Prompt)]
#[prompt(user = "<question>", output = Answer)]
struct Ask {
    question: String,
}

fn main() {}
