//! Error 18: tools with a format that has none.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>", format = alpaca)]
struct Ask {
    question: String,
    #[prompt(tools, trusted)]
    tools: Vec<typed_prompt::Tool>,
}

fn main() {}
