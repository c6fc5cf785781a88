//! Error 16: a loop over a string, in a doc comment.

use typed_prompt::Prompt;

/// First line.
///
/// Third: <for p in context><p></for> and so on.
#[derive(Prompt)]
#[prompt(doc)]
struct Ask {
    context: String,
}

fn main() {}
