//! Error 15: an `Option` in a plain slot, in a doc comment.

use typed_prompt::Prompt;

/// First line.
///
/// Third: <context> and so on.
#[derive(Prompt)]
#[prompt(doc)]
struct Ask {
    context: Option<String>,
}

fn main() {}
