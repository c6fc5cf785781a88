//! Error 17: a filter without its argument, in a doc comment.

use typed_prompt::Prompt;

/// First line.
///
/// Third: <context | truncate> and so on.
#[derive(Prompt)]
#[prompt(doc)]
struct Ask {
    context: String,
}

fn main() {}
