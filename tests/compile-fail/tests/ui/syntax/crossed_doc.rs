//! Error 3: blocks that cross, in a doc comment.

use typed_prompt::Prompt;

/// First line.
///
/// Third: <if context><for p in passages></if><p></for> and so on.
#[derive(Prompt)]
#[prompt(doc)]
struct Ask {
    context: String,
    passages: Vec<String>,
}

fn main() {}
