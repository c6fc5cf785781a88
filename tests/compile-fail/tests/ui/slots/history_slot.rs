//! Error 1: a slot for the history in a message.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<turns> <question>")]
struct Ask {
    #[prompt(history)]
    turns: typed_prompt::History,
    question: String,
}

fn main() {}
