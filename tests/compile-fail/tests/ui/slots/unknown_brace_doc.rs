//! Error 1: a slot of the brace dialect without a field, in a doc comment.

use typed_prompt::Prompt;

/// First line.
///
/// Third: {contxt} and so on.
#[derive(Prompt)]
#[prompt(doc, syntax = "brace")]
struct Ask {
    context: String,
}

fn main() {}
