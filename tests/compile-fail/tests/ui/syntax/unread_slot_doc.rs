//! Error 3: a slot that cannot be read, in a doc comment.

use typed_prompt::Prompt;

/// First line.
///
/// Third: <context | join("a" "b")> and so on.
#[derive(Prompt)]
#[prompt(doc)]
struct Ask {
    context: String,
}

fn main() {}
