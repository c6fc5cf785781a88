//! Error 2: a history that is not marked.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>")]
struct Ask {
    question: String,
    turns: typed_prompt::History,
}

fn main() {}
