//! Error 2: a `set` that is not used, in a doc comment.

use typed_prompt::Prompt;

/// First line.
///
/// Third: {% set loud = text | upper %}{{ text }}
#[derive(Prompt)]
#[prompt(syntax = "jinja", doc)]
struct Ask {
    text: String,
}

fn main() {}
