//! `from` on a struct with two fields: it is unclear which one the value fills.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question> <context>", from)]
struct Ask {
    question: String,
    context: String,
}

fn main() {}
