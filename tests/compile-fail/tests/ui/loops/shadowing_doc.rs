//! Error 16: a loop variable with the name of a field, in a doc comment.

use typed_prompt::Prompt;

/// First line.
///
/// Third: <for context in passages><context></for> <input:context> and so on.
#[derive(Prompt)]
#[prompt(doc)]
struct Ask {
    context: String,
    passages: Vec<String>,
}

fn main() {}
