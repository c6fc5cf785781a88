//! Error 3: an end without a beginning, in a doc comment.

use typed_prompt::Prompt;

/// First line.
///
/// Third: </if> <context> and so on.
#[derive(Prompt)]
#[prompt(doc)]
struct Ask {
    context: String,
}

fn main() {}
