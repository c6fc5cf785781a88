//! Error 4: a filter that does not exist, in a doc comment.

use typed_prompt::Prompt;

/// First line.
///
/// Third: {{ text | uper }}
#[derive(Prompt)]
#[prompt(syntax = "jinja", doc)]
struct Ask {
    text: String,
}

fn main() {}
