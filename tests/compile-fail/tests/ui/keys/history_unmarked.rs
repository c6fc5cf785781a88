//! Error 2: a history without its attribute.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>")]
struct Ask {
    question: String,
    turns: typed_prompt::History,
}

fn main() {}
