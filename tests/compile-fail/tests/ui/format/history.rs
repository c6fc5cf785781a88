//! Error 18: a history with a format that has none.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>", format = alpaca)]
struct Ask {
    question: String,
    #[prompt(history)]
    history: typed_prompt::History,
}

fn main() {}
