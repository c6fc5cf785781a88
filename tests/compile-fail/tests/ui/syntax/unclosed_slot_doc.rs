//! Error 3: a slot that is never closed, in a doc comment.

use typed_prompt::Prompt;

/// First line.
///
/// Third: <input:context, please and so on.
#[derive(Prompt)]
#[prompt(doc)]
struct Ask {
    context: String,
}

fn main() {}
