//! Error 17: an argument of the wrong type, in a doc comment.

use typed_prompt::Prompt;

/// First line.
///
/// Third: <context | truncate("200")> and so on.
#[derive(Prompt)]
#[prompt(doc)]
struct Ask {
    context: String,
}

fn main() {}
