//! Error 2: tools without their attribute.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>")]
struct Ask {
    question: String,
    tools: Vec<typed_prompt::Tool>,
}

fn main() {}
