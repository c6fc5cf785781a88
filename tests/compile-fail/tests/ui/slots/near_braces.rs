//! Error 2: a slot in the brackets of another dialect is text.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <question>\nContext: {context}")]
struct Ask {
    question: String,
    context: String,
}

fn main() {}
