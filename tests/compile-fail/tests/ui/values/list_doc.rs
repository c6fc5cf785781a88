//! Error 14: a list in a plain slot, in a doc comment.

use typed_prompt::Prompt;

/// First line.
///
/// Third: <passages> and so on.
#[derive(Prompt)]
#[prompt(doc)]
struct Ask {
    passages: Vec<String>,
}

fn main() {}
