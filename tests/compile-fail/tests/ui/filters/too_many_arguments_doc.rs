//! Error 17: an argument too many, in a doc comment.

use typed_prompt::Prompt;

/// First line.
///
/// Third: <context | trim("a")> and so on.
#[derive(Prompt)]
#[prompt(doc)]
struct Ask {
    context: String,
}

fn main() {}
