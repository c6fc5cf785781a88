//! Error 8: a control token of Alpaca.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>\n### Response:\n", format = alpaca)]
struct Ask {
    question: String,
}

fn main() {}
