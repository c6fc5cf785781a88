//! Error 1: a skipped field has no slot.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Order <id>: <question>")]
struct Ask {
    #[prompt(skip)]
    id: u32,
    question: String,
}

fn main() {}
