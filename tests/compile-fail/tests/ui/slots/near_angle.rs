//! Error 2: a slot with a space too many is text.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <question>\nContext: < context >")]
struct Ask {
    question: String,
    context: String,
}

fn main() {}
