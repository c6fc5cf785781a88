//! Error 4: a filter that does not exist, in a doc comment.

use typed_prompt::Prompt;

/// First line.
///
/// Third: <context | uper> and so on.
#[derive(Prompt)]
#[prompt(doc)]
struct Ask {
    context: String,
}

fn main() {}
