//! Error 1: a slot without a field, in a doc comment.

use typed_prompt::Prompt;

/// First line.
///
/// Third: <contxt> and so on.
#[derive(Prompt)]
#[prompt(doc)]
struct Ask {
    context: String,
}

fn main() {}
