//! Error 2: text that is more than a name is text in the brace dialect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: {question}\nContext: {context.text}", syntax = "brace")]
struct Ask {
    question: String,
    context: String,
}

fn main() {}
