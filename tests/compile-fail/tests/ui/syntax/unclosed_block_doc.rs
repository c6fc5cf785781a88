//! Error 3: a block that is never closed, in a doc comment.

use typed_prompt::Prompt;

/// First line.
///
/// Third: <if context>Context: <context> and so on.
#[derive(Prompt)]
#[prompt(doc)]
struct Ask {
    context: String,
}

fn main() {}
