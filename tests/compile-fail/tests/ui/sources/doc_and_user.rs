//! Error 5: a doc comment and a message.

use typed_prompt::Prompt;

/// Answer <question>.
#[derive(Prompt)]
#[prompt(doc, user = "<question>")]
struct Ask {
    question: String,
}

fn main() {}
