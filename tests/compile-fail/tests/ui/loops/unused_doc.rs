//! Error 16: a loop variable that is not used, in a doc comment.

use typed_prompt::Prompt;

/// First line.
///
/// Third: <for p in passages>-</for> and so on.
#[derive(Prompt)]
#[prompt(doc)]
struct Ask {
    passages: Vec<String>,
}

fn main() {}
