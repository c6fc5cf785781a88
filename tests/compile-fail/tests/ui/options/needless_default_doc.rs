//! Error 15: a default for a value that is never `None`, in a doc comment.

use typed_prompt::Prompt;

/// First line.
///
/// Third: <context ?? "none"> and so on.
#[derive(Prompt)]
#[prompt(doc)]
struct Ask {
    context: String,
}

fn main() {}
