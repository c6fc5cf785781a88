//! An output type that borrows.

use typed_prompt::Prompt;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Answer<'a> {
    text: &'a str,
}

#[derive(Prompt)]
#[prompt(user = "<question>", output = Answer<'static>)]
struct Ask {
    question: String,
}

fn main() {}
