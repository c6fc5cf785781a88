//! Error 16: a loop over a set without an order, in a doc comment.

use typed_prompt::Prompt;

/// First line.
///
/// Third: <for p in passages><p></for> and so on.
#[derive(Prompt)]
#[prompt(doc)]
struct Ask {
    passages: std::collections::HashSet<String>,
}

fn main() {}
