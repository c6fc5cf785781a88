//! Error 21: an answer whose field cannot be read.

use typed_prompt::Prompt;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Answer {
    inner: Inner,
}

struct Inner;

#[derive(Prompt)]
#[prompt(user = "<question>", output = Answer)]
struct Ask {
    question: String,
}

fn main() {}
