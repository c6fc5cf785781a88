//! Kinds: a string and a number, in a doc comment.

use typed_prompt::Prompt;

/// First line.
///
/// Third: {{ text + 1 }}
#[derive(Prompt)]
#[prompt(syntax = "jinja", doc)]
struct Ask {
    text: String,
}

fn main() {}
