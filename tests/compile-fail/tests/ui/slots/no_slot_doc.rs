//! Error 2: a field that has no slot in the doc comment.

use typed_prompt::Prompt;

/// Answer this: <question>
#[derive(Prompt)]
#[prompt(doc)]
struct Ask {
    question: String,
    context: String,
}

fn main() {}
