//! Error 10: tags where a slot is meant, in a doc comment.

use typed_prompt::Prompt;

/// First line.
///
/// Third: <context>here</context> and so on.
#[derive(Prompt)]
#[prompt(doc)]
struct Ask {
    context: String,
}

fn main() {}
