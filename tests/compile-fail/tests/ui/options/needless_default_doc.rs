//! Error 15: a default of what is always there, in a doc comment.

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
